import type { DecodeError } from '../decode/decoded.ts';
import type { StructValue } from '../decode/values.ts';
import type { DiagnosticCode, Severity, Side } from '../diagnostics.ts';
import type { Reason, Status } from '../kafka/exchange.ts';

/** Version of the records' form; a major one of this package's may raise it. */
export const SCHEMA_VERSION = 1;

/** Where a frame stands in its capture. */
export interface FrameRecord {
  /** Number from 1, as Wireshark counts, of the packet with the first byte. */
  readonly packet: number;
  /** Packet that completed the frame; null if it never ended. */
  readonly lastPacket: number | null;
  /** UTC, of the packet with the first byte; null where the capture has no times. */
  readonly time: string | null;
  /** Without the size prefix. */
  readonly bytes: number;
  /** Offset of the size prefix in its direction, counted from the first byte seen. */
  readonly streamOffset: number;
  /** Capture of `packet`, where it isn't the record's. */
  readonly capture?: string;
  /** Capture of `lastPacket`, where it isn't that of `packet`. */
  readonly lastCapture?: string;
}

/** Why and where decoding stopped. */
export interface ErrorRecord {
  readonly side: 'request' | 'response';
  readonly code: DecodeError['code'];
  readonly message: string;
  /** In the frame, counted from its size prefix. */
  readonly offset: number;
  /** `results[0].configs[12].name` */
  readonly path: string;
}

/** A tagged field that this version of the message doesn't have. */
export interface UnknownTagRecord {
  readonly side: 'request' | 'response';
  /** Of the struct that holds it; empty for the body itself. */
  readonly path: string;
  readonly tag: number;
  readonly hex: string;
}

/** A request that one broker forwards to another in an Envelope, and its answer. */
export interface ForwardedRecord {
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  readonly correlationId: number;
  readonly clientId: string | null;
  /** `User:alice`; null where the envelope doesn't say. */
  readonly principal: string | null;
  /** Null where the envelope has none. */
  readonly clientAddress: string | null;
  /** Null where they aren't there, or have no schema. */
  readonly request: StructValue | null;
  readonly response: StructValue | null;
}

/** What may be told of an authentication. */
export interface SaslRecord {
  /** Null where the SaslHandshake isn't in the capture. */
  readonly mechanism: string | null;
  /** As PLAIN and SCRAM tell it in clear, else null. */
  readonly user: string | null;
}

/** One exchange. A line of NDJSON has the same members, in this order. */
export interface ExchangeRecord {
  readonly type: 'exchange';
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly status: Status;
  /** Present unless the exchange is complete. */
  readonly reason?: Reason;
  /** From 1, in the order of printing without filters. */
  readonly number: number;
  /** Path as given, `-` for standard input. */
  readonly capture: string;
  /** UTC, of the packet with the request's first byte; null where the capture has no times. */
  readonly time: string | null;
  /** From the request's last byte to the response's last byte; null if not known, negative where they were recorded in the wrong order. */
  readonly latencyMs: number | null;
  /** As Wireshark counts `tcp.stream`. */
  readonly stream: number;
  readonly client: string;
  readonly server: string;
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  readonly correlationId: number;
  readonly clientId: string | null;
  readonly requestFrame: FrameRecord;
  readonly responseFrame: FrameRecord | null;
  /** Kafka's own JSON for the message, with the names of coded members beside them. */
  readonly request: StructValue | null;
  readonly response: StructValue | null;
  /** What an Envelope forwards. */
  readonly forwarded?: ForwardedRecord;
  /** Of a SaslAuthenticate: who authenticates, and how. */
  readonly sasl?: SaslRecord;
  /** Configs that `--key` and `--non-default` kept back of this exchange, where there are any. */
  readonly configsLeftOut?: number;
  readonly error?: ErrorRecord;
  readonly unknownTags?: readonly UnknownTagRecord[];
}

/** One finding about a capture; members that aren't known are absent. */
export interface DiagnosticRecord {
  readonly type: 'diagnostic';
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly capture?: string;
  readonly packet?: number;
  readonly fileOffset?: number;
  readonly stream?: number;
  readonly side?: Side;
  readonly streamOffset?: number;
  readonly path?: string;
  readonly bytes?: number;
  readonly count?: number;
}

/** What a run read and found, and what it lost. */
export interface SummaryRecord {
  readonly type: 'summary';
  readonly packets: number;
  readonly bytes: number;
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly connections: { readonly kafka: number; readonly tls: number; readonly other: number };
  readonly frames: { readonly requests: number; readonly responses: number };
  readonly exchanges: { readonly complete: number; readonly partial: number; readonly unanswered: number };
  /** Exchanges that filters kept back, where there are any. */
  readonly filteredOut?: number;
  /** Everything skipped, cut or missing, by diagnostic code. */
  readonly lost: Readonly<Partial<Record<DiagnosticCode, { readonly count: number; readonly bytes: number }>>>;
}
