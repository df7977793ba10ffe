import type { ForeignProtocol } from '../../kafka/foreign-protocol.ts';
import type { ExchangeDetailRecord, FramePacketRecord } from '../../records/exchange-detail.ts';
import type {
  AlterationRow,
  ApiRow,
  BelowKafka4Row,
  CaptureRow,
  CauseMembers,
  ChangeMembers,
  ChangeRow,
  ClientRow,
  CreatedRow,
  DifferenceRow,
  ExposureRow,
  NotKafkaRow,
  PacketRef,
  Percentiles,
  RefusalRow,
  ResourceMembers,
  SideValue,
  Software,
  SourcedValue,
  SummaryRow,
  TimelineRow,
  UnsupportedRow,
  ValueRow,
} from '../../records/rows.ts';
import { connectionCounts, exchangeCounts, losses } from './exchange-schema.ts';
import {
  array,
  boolean,
  constant,
  count,
  integer,
  type Members,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pattern,
  record,
  type Schema,
  text,
  time,
} from './json-schema.ts';

const packetRef: Members<PacketRef> = {
  packet: count('Number from 1, as Wireshark counts'),
  capture: optional(text('Where several captures are read')),
};
const packet = object<PacketRef>(packetRef);
const redactable = {
  value: nullable(text('<redacted, 24 bytes> for a secret')),
  valueRedacted: optional(constant(true)),
};
const resource: Members<ResourceMembers> = {
  resourceType: integer("A code of Kafka's ConfigResource.Type"),
  resourceTypeName: text(),
  resourceName: text('Empty for what all brokers share'),
};
const clientId = nullable(text());
const principal = nullable(text('As brokers write it: User:bob; null where it is not known'));
const percentiles = (description: string) =>
  nullable(object<Percentiles>({ p50: number(), p95: number(), p99: number(), max: number() }, description));
const operation = pattern<ChangeMembers['op']>('^(SET|DELETE|APPEND|SUBTRACT|REPLACE_ALL|UNKNOWN\\(-?[0-9]+\\))$');
const changeMembers: Members<ChangeMembers> = { key: text(), op: operation, ...redactable };
const error = { errorCode: nullable(integer()), errorName: nullable(text()) };
const millis = (description: string) => nullable(number(description));

const capture = object<CaptureRow>({
  type: constant('capture'),
  packets: count(),
  bytes: count(),
  firstTime: nullable(time()),
  lastTime: nullable(time()),
  seconds: nullable(number('From the first to the last packet')),
  connections: connectionCounts,
  exchanges: exchangeCounts,
  lost: losses,
  clusters: array(text(), 'Cluster ids that Metadata told'),
  withoutBeginning: count("Kafka connections whose beginning isn't in the capture"),
});

const api = object<ApiRow>({
  type: constant('api'),
  apiKey: integer(),
  apiName: text(),
  requests: count(),
  answered: count(),
  errors: nullable(count("Responses with an error; null for an API whose bodies aren't decoded")),
  requestBytes: count('Without size prefixes'),
  responseBytes: count(),
  latencyMs: percentiles("From the request's last byte to the response's last"),
  brokerMs: percentiles("From the request's last byte to the response's first"),
  transferMs: percentiles("From the response's first byte to its last"),
  throttled: nullable(object<NonNullable<ApiRow['throttled']>>({ responses: count(), maxMs: number() })),
});

const client = object<ClientRow>({
  type: constant('client'),
  clientId,
  software: nullable(array(object<Software>({ name: text(), version: text() }))),
  addresses: array(text()),
  principals: array(principal),
  connections: count(),
  requests: count(),
  answered: count(),
  versions: record(count(), 'Requests by version'),
  requestsPerMinute: nullable(number()),
  mostIn60Seconds: nullable(count()),
  resourcesPerRequest: nullable(number()),
  allKeysShare: nullable(number('Share of the resources that were asked for all their keys')),
  requestBytes: count(),
  responseBytes: count(),
  storm: boolean('100 or more requests in some 60 seconds, and an all-keys share of 0.9 or more'),
});

const refusal = object<RefusalRow>({
  type: constant('refusal'),
  clientId,
  address: text(),
  principal,
  ...resource,
  errorCode: integer(),
  errorName: text(),
  count: count(),
  firstTime: nullable(time()),
  lastTime: nullable(time()),
  missingAcl: nullable(text('DESCRIBE_CONFIGS on TOPIC orders')),
  hint: nullable(text()),
});

const alteration = object<AlterationRow>({
  type: constant('alteration'),
  ...packetRef,
  ...resource,
  time: nullable(time()),
  apiKey: integer(),
  apiName: text(),
  apiVersion: integer(),
  clientId,
  client: text('Without port where only the copy in an Envelope was seen'),
  server: text(),
  principal,
  changes: array(object<ChangeMembers>(changeMembers)),
  validateOnly: boolean(),
  ...error,
  forwardedIn: nullable(packet),
});

const created = object<CreatedRow>({
  type: constant('created'),
  ...packetRef,
  time: nullable(time()),
  topic: text(),
  configs: record(nullable(text())),
  validateOnly: boolean(),
  ...error,
  apiVersion: integer(),
  clientId,
  client: text(),
  server: text(),
  principal,
  forwardedIn: nullable(packet),
});

const unsupported = object<UnsupportedRow>({
  type: constant('unsupported'),
  ...packetRef,
  clientId,
  client: text(),
  apiKey: integer(),
  apiName: text(),
  apiVersion: integer(),
  outcome: oneOf(['closed', 'error-35']),
});

const belowKafka4 = object<BelowKafka4Row>({
  type: constant('belowKafka4'),
  clientId,
  apiKey: integer(),
  apiName: text(),
  apiVersion: integer(),
  minimum: nullable(integer('Lowest version that Kafka 4 takes; null where it dropped the API')),
  requests: count(),
});

const notKafka = object<NotKafkaRow>({
  type: constant('notKafka'),
  ...packetRef,
  client: text(),
  server: text(),
  protocol: oneOf<ForeignProtocol['name']>(['TLS', 'HTTP', 'SSH', 'ZooKeeper', 'unknown']),
});

const exposure = object<ExposureRow>({
  type: constant('exposure'),
  ...packetRef,
  apiName: text(),
  field: text('Path in the body: resources[0].configs[2].value'),
  clientId,
  principal,
  key: nullable(text('The config whose value it is')),
});

const configMembers = { ...resource, broker: text('Node id where Metadata tells it, else the address of the server'), key: text() };
const sourced: Members<SourcedValue> = { ...redactable, source: integer(), sourceName: text() };

const value = object<ValueRow>({
  type: constant('value'),
  ...configMembers,
  ...sourced,
  isSensitive: boolean(),
  firstSeen: nullable(time()),
  firstPacket: count(),
  lastSeen: nullable(time()),
  lastPacket: count(),
  observations: count(),
  clients: record(count(), 'Observations by client id'),
  firstCapture: optional(text()),
  lastCapture: optional(text()),
});

const cause: Members<CauseMembers> = { ...packetRef, ...redactable, apiName: text(), clientId, client: text(), principal, op: operation };

const change = object<ChangeRow>({
  type: constant('change'),
  ...configMembers,
  from: object<SourcedValue>(sourced),
  to: object<SourcedValue>(sourced),
  notBefore: nullable(time()),
  notAfter: nullable(time()),
  by: array(object<CauseMembers>(cause)),
  inherited: array(object<ChangeRow['inherited'][number]>({ ...cause, ...resource, key: text() })),
});

const sideValue = object<SideValue>({ ...redactable, source: nullable(integer()), sourceName: nullable(text()), time: nullable(time()) });

const difference = object<DifferenceRow>({
  type: constant('difference'),
  ...resource,
  key: text(),
  left: nullable(sideValue),
  right: nullable(sideValue),
});

const framePackets = nullable(
  array(
    object<FramePacketRecord>({
      ...packetRef,
      time: nullable(time()),
      bytes: count('Bytes of the frame in it'),
      isRepeat: boolean('All of them stood in packets before it'),
    }),
    'Null where they were not looked for, or not found for sure',
  ),
);

const exchangeDetail = object<ExchangeDetailRecord>({
  type: constant('exchange-detail'),
  number: count(),
  times: object<ExchangeDetailRecord['times']>({
    requestFirst: nullable(time()),
    requestLast: nullable(time()),
    responseFirst: nullable(time()),
    responseLast: nullable(time()),
  }),
  requestMs: millis("From the request's first byte to its last"),
  brokerMs: millis("From the request's last byte to the response's first"),
  responseMs: millis("From the response's first byte to its last"),
  latencyMs: millis("From the request's last byte to the response's last"),
  throttleMs: millis('How long the broker says that it throttles the client'),
  requestPackets: framePackets,
  responsePackets: framePackets,
  wireshark: object<ExchangeDetailRecord['wireshark']>({ displayFilter: text(), frameFilter: text(), decodeAs: text() }),
});

/** The rows of summary, timeline and diff, and what show adds to its exchange, by their type. */
type AnswerRow = SummaryRow | TimelineRow | DifferenceRow | ExchangeDetailRecord;

export const answerSchemas: { readonly [Type in AnswerRow['type']]: Schema<Extract<AnswerRow, { readonly type: Type }>> } = {
  capture,
  api,
  client,
  refusal,
  alteration,
  created,
  unsupported,
  belowKafka4,
  notKafka,
  exposure,
  value,
  change,
  difference,
  'exchange-detail': exchangeDetail,
};
