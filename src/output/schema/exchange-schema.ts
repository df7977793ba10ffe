import type { StructValue } from '../../decode/values.ts';
import { type DiagnosticCode, diagnosticCodes } from '../../diagnostics.ts';
import type { Reason } from '../../kafka/exchange.ts';
import {
  type DiagnosticRecord,
  type ErrorRecord,
  type ExchangeRecord,
  type ForwardedRecord,
  type FrameRecord,
  type SaslRecord,
  SCHEMA_VERSION,
  type SummaryRecord,
  type UnknownTagRecord,
} from '../../records/records.ts';
import {
  array,
  constant,
  count,
  given,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  partialRecord,
  type Schema,
  text,
  time,
} from './json-schema.ts';

const side = oneOf(['request', 'response']);
const body = given<StructValue | null>({
  type: ['object', 'null'],
  description: "Kafka's own JSON, with the names of coded members beside them",
});

const reasons: readonly Reason[] = Object.keys({
  'connection-reset': true,
  'connection-closed': true,
  'capture-ended': true,
  'no-server-packets': true,
  'not-answered-in-order': true,
  gap: true,
  snaplen: true,
  malformed: true,
  'version-unsupported': true,
  evicted: true,
  'no-answer-asked': true,
  'frame-too-large': true,
} satisfies Record<Reason, true>) as Reason[];

export const codes = Object.keys(diagnosticCodes) as DiagnosticCode[];

const frame = object<FrameRecord>({
  packet: count('Number from 1, as Wireshark counts, of the packet with the first byte'),
  lastPacket: nullable(count('Packet that completed the frame; null if it never ended')),
  time: nullable(time('Of the packet with the first byte; null where the capture has no times')),
  bytes: integer('Without the size prefix'),
  streamOffset: count('Of the size prefix in its direction, counted from the first byte seen'),
  capture: optional(text("Capture of packet, where it isn't the record's")),
  lastCapture: optional(text("Capture of lastPacket, where it isn't that of packet")),
});

const error = object<ErrorRecord>(
  {
    side,
    code: oneOf(['truncated', 'malformed', 'too-large']),
    message: text(),
    offset: count('In the frame, counted from its size prefix'),
    path: text('results[0].configs[12].name'),
  },
  'Why and where decoding stopped',
);

const unknownTag = object<UnknownTagRecord>({
  side,
  path: text('Of the struct that holds it; empty for the body itself'),
  tag: count(),
  hex: text(),
});

const forwarded = object<ForwardedRecord>(
  {
    apiKey: integer(),
    apiName: text(),
    apiVersion: integer(),
    correlationId: integer(),
    clientId: nullable(text()),
    principal: nullable(text('User:alice; null where the envelope does not say')),
    clientAddress: nullable(text()),
    request: body,
    response: body,
  },
  'What an Envelope forwards',
);

const sasl = object<SaslRecord>(
  {
    mechanism: nullable(text('Null where the SaslHandshake is not in the capture')),
    user: nullable(text('As PLAIN and SCRAM tell it in clear')),
  },
  'Who authenticates by a SaslAuthenticate, and how',
);

export const exchangeSchema: Schema<ExchangeRecord> = object<ExchangeRecord>(
  {
    type: constant('exchange'),
    schemaVersion: constant(SCHEMA_VERSION),
    status: oneOf(['complete', 'partial', 'unanswered']),
    reason: optional(oneOf(reasons, 'Present unless the exchange is complete')),
    number: count('From 1, in the order of printing without filters'),
    capture: text('Path as given, - for standard input'),
    time: nullable(time("Of the packet with the request's first byte; null where the capture has no times")),
    latencyMs: nullable(
      number("From the request's last byte to the response's last byte; negative where they were recorded in the wrong order"),
    ),
    stream: count('TCP connection, as Wireshark counts tcp.stream'),
    client: text('192.0.2.1:51234, [2001:db8::1]:51234'),
    server: text(),
    apiKey: integer(),
    apiName: text(),
    apiVersion: integer(),
    correlationId: integer(),
    clientId: nullable(text()),
    requestFrame: frame,
    responseFrame: nullable(frame),
    request: body,
    response: body,
    forwarded: optional(forwarded),
    sasl: optional(sasl),
    configsLeftOut: optional(count('Configs that --key and --non-default kept back of this exchange')),
    error: optional(error),
    unknownTags: optional(array(unknownTag)),
  },
  'A request and what became of it',
);

export const diagnosticSchema: Schema<DiagnosticRecord> = object<DiagnosticRecord>(
  {
    type: constant('diagnostic'),
    severity: oneOf(['error', 'warning', 'info']),
    code: oneOf(codes),
    message: text(),
    capture: optional(text()),
    packet: optional(count()),
    fileOffset: optional(count()),
    stream: optional(count()),
    side: optional(oneOf(['client', 'server'], 'Which half of the connection')),
    streamOffset: optional(count()),
    path: optional(text()),
    bytes: optional(count('Bytes lost or concerned')),
    count: optional(count('How many things this stands for, 1 where absent')),
  },
  'A finding about a capture (--events)',
);

export const connectionCounts = object<SummaryRecord['connections']>({ kafka: count(), tls: count(), other: count() });
export const exchangeCounts = object<SummaryRecord['exchanges']>({ complete: count(), partial: count(), unanswered: count() });
export const losses = partialRecord(
  codes,
  object<{ readonly count: number; readonly bytes: number }>({ count: count(), bytes: count() }),
  'Everything skipped, cut or missing, by diagnostic code',
);

export const summarySchema: Schema<SummaryRecord> = object<SummaryRecord>(
  {
    type: constant('summary'),
    packets: count(),
    bytes: count('Of the captures, decompressed'),
    firstTime: nullable(time()),
    lastTime: nullable(time()),
    connections: connectionCounts,
    frames: object<SummaryRecord['frames']>({ requests: count(), responses: count() }),
    exchanges: exchangeCounts,
    filteredOut: optional(count('Exchanges that filters kept back')),
    lost: losses,
  },
  'What a run read, found and lost (--events, last line)',
);
