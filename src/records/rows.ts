import type { DiagnosticCode } from '../diagnostics.ts';
import type { ForeignProtocol } from '../kafka/foreign-protocol.ts';

// The rows that summary, timeline and diff print, one a line of NDJSON, with the members in this order. Packet numbers count from 1 as
// Wireshark does; beside each stands the name of its capture where several are read. Times are UTC, null where the capture has none.

/** A packet, and the capture that it is numbered in where several are read. */
export interface PacketRef {
  readonly packet: number;
  readonly capture?: string;
}

/** A secret is replaced by its length, and says so beside it. */
export interface Redactable {
  /** Null for null; `<redacted, 24 bytes>` for a secret. */
  readonly value: string | null;
  readonly valueRedacted?: true;
}

/** The resource that a row is about. */
export interface ResourceMembers {
  /** A code of Kafka's `ConfigResource.Type`. */
  readonly resourceType: number;
  readonly resourceTypeName: string;
  /** Empty for what all brokers share. */
  readonly resourceName: string;
}

/** Milliseconds, to the microsecond, at most 0.1 % too high (the maximum is exact). Null where nothing could be measured. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What was read: one row. */
export interface CaptureRow {
  readonly type: 'capture';
  readonly packets: number;
  readonly bytes: number;
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  /** From the first to the last packet. */
  readonly seconds: number | null;
  readonly connections: { readonly kafka: number; readonly tls: number; readonly other: number };
  /** Of DescribeConfigs. */
  readonly exchanges: { readonly complete: number; readonly partial: number; readonly unanswered: number };
  /** Everything skipped, cut or missing, by diagnostic code. */
  readonly lost: Readonly<Partial<Record<DiagnosticCode, { readonly count: number; readonly bytes: number }>>>;
  /** Cluster ids that Metadata told. */
  readonly clusters: readonly string[];
  /** Kafka connections whose beginning isn't in the capture, so that their principals may not be known. */
  readonly withoutBeginning: number;
}

/** The requests of one API. */
export interface ApiRow {
  readonly type: 'api';
  readonly apiKey: number;
  readonly apiName: string;
  readonly requests: number;
  readonly answered: number;
  /** Responses that hold an error code other than 0; null for an API whose bodies aren't decoded. */
  readonly errors: number | null;
  /** Without size prefixes. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** From the request's last byte to the response's last byte, as packets were captured: at the broker's host most of the network is left out. */
  readonly latencyMs: Percentiles | null;
  /** From the request's last byte to the response's first byte: what the broker took. */
  readonly brokerMs: Percentiles | null;
  /** From the response's first byte to its last. */
  readonly transferMs: Percentiles | null;
  /** Responses that say the client was throttled, and the longest time; null for an API whose bodies aren't decoded. */
  readonly throttled: { readonly responses: number; readonly maxMs: number } | null;
}

/** What a client says it is, in ApiVersions. */
export interface Software {
  readonly name: string;
  readonly version: string;
}

/** A client of DescribeConfigs. */
export interface ClientRow {
  readonly type: 'client';
  readonly clientId: string | null;
  /** From ApiVersions on the same connections; null where none told it. */
  readonly software: readonly Software[] | null;
  /** Without ports. */
  readonly addresses: readonly string[];
  /** As brokers write them; null among them where it isn't known. */
  readonly principals: readonly (string | null)[];
  readonly connections: number;
  readonly requests: number;
  readonly answered: number;
  /** Requests by version. */
  readonly versions: Readonly<Record<string, number>>;
  /** Over the capture; null where it has no length. */
  readonly requestsPerMinute: number | null;
  /** Most requests within any 60 seconds; null where there are no times. */
  readonly mostIn60Seconds: number | null;
  /** Null where no request could be decoded. */
  readonly resourcesPerRequest: number | null;
  /** Share of the resources that were asked for all their keys, 0 to 1. */
  readonly allKeysShare: number | null;
  /** Without size prefixes. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** 100 or more requests in some 60 seconds, and an all-keys share of 0.9 or more. */
  readonly storm: boolean;
}

/** Resources that a client was not told about. */
export interface RefusalRow extends ResourceMembers {
  readonly type: 'refusal';
  readonly clientId: string | null;
  readonly address: string;
  readonly principal: string | null;
  readonly errorCode: number;
  readonly errorName: string;
  readonly count: number;
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  /** `DESCRIBE_CONFIGS on TOPIC orders` */
  readonly missingAcl: string | null;
  readonly hint: string | null;
}

/** What is done to a config. */
export type Operation = 'SET' | 'DELETE' | 'APPEND' | 'SUBTRACT' | 'REPLACE_ALL';

/** A config that an alter request changes. */
export interface ChangeMembers extends Redactable {
  readonly key: string;
  /** `REPLACE_ALL` for AlterConfigs, which also takes away all keys that it doesn't name. `UNKNOWN(9)` for a code that isn't known. */
  readonly op: Operation | `UNKNOWN(${number})`;
}

/** One resource of an AlterConfigs or IncrementalAlterConfigs. */
export interface AlterationRow extends ResourceMembers, PacketRef {
  readonly type: 'alteration';
  readonly time: string | null;
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  readonly clientId: string | null;
  /** Without port where only the copy in an Envelope was seen. */
  readonly client: string;
  readonly server: string;
  readonly principal: string | null;
  readonly changes: readonly ChangeMembers[];
  readonly validateOnly: boolean;
  /** Null where the answer wasn't seen. */
  readonly errorCode: number | null;
  readonly errorName: string | null;
  /** The Envelope in which a broker forwarded it to the controller; null where none was seen. */
  readonly forwardedIn: PacketRef | null;
}

/** One topic of a CreateTopics. */
export interface CreatedRow extends PacketRef {
  readonly type: 'created';
  readonly time: string | null;
  readonly topic: string;
  /** A secret's value is `<redacted, 24 bytes>`. */
  readonly configs: Readonly<Record<string, string | null>>;
  readonly validateOnly: boolean;
  readonly errorCode: number | null;
  readonly errorName: string | null;
  readonly apiVersion: number;
  readonly clientId: string | null;
  readonly client: string;
  readonly server: string;
  readonly principal: string | null;
  readonly forwardedIn: PacketRef | null;
}

/** A request in a version that the broker doesn't know. */
export interface UnsupportedRow extends PacketRef {
  readonly type: 'unsupported';
  readonly clientId: string | null;
  readonly client: string;
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  /** The broker closed the connection, or answered with UNSUPPORTED_VERSION. */
  readonly outcome: 'closed' | 'error-35';
}

/** Requests that a broker of Kafka 4 would refuse. */
export interface BelowKafka4Row {
  readonly type: 'belowKafka4';
  readonly clientId: string | null;
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  /** Lowest version that Kafka 4 takes; null where it dropped the API. */
  readonly minimum: number | null;
  readonly requests: number;
}

/** A connection that doesn't speak Kafka in plain text. */
export interface NotKafkaRow extends PacketRef {
  readonly type: 'notKafka';
  readonly client: string;
  readonly server: string;
  readonly protocol: ForeignProtocol['name'];
}

/** A secret that crossed in plain text; never its value. */
export interface ExposureRow extends PacketRef {
  readonly type: 'exposure';
  readonly apiName: string;
  /** Path in the body: `resources[0].configs[2].value`. */
  readonly field: string;
  readonly clientId: string | null;
  readonly principal: string | null;
  /** The config whose value it is; null for what is no config. */
  readonly key: string | null;
}

/** A row of `kafka-dissect summary`. */
export type SummaryRow =
  | CaptureRow
  | ApiRow
  | ClientRow
  | RefusalRow
  | AlterationRow
  | CreatedRow
  | UnsupportedRow
  | BelowKafka4Row
  | NotKafkaRow
  | ExposureRow;

export interface ConfigMembers extends ResourceMembers {
  /** Node id as text where Metadata tells it, else the address of the server that answered. */
  readonly broker: string;
  readonly key: string;
}

/** A value and where the broker has it from. */
export interface SourcedValue extends Redactable {
  /** A code of Kafka's `DescribeConfigsResponse.ConfigSource`. */
  readonly source: number;
  readonly sourceName: string;
}

/** A time during which all answers agreed. Instants are those of the responses' last bytes. */
export interface ValueRow extends ConfigMembers, SourcedValue {
  readonly type: 'value';
  readonly isSensitive: boolean;
  readonly firstSeen: string | null;
  readonly firstPacket: number;
  readonly lastSeen: string | null;
  readonly lastPacket: number;
  readonly observations: number;
  /** Observations by client id; `(null)` for none. */
  readonly clients: Readonly<Record<string, number>>;
  /** Captures of the two packets, where several are read. */
  readonly firstCapture?: string;
  readonly lastCapture?: string;
}

/** A request that may have made a change. */
export interface CauseMembers extends PacketRef, Redactable {
  readonly apiName: string;
  readonly clientId: string | null;
  readonly client: string;
  readonly principal: string | null;
  readonly op: ChangeMembers['op'];
}

/** A change between two values: it came about after `notBefore` and before `notAfter`. */
export interface ChangeRow extends ConfigMembers {
  readonly type: 'change';
  readonly from: SourcedValue;
  readonly to: SourcedValue;
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  /** The successful requests that altered this config in that span. */
  readonly by: readonly CauseMembers[];
  /** Those that altered what this config falls back on. */
  readonly inherited: readonly (CauseMembers & ResourceMembers & { readonly key: string })[];
}

/** A row of `kafka-dissect timeline`. */
export type TimelineRow = ValueRow | ChangeRow;

/** The last value seen on one side of a comparison. */
export interface SideValue extends Redactable {
  /** Null where only answers of version 0 told the value. */
  readonly source: number | null;
  readonly sourceName: string | null;
  /** When it was last seen. */
  readonly time: string | null;
}

/** A config that differs between the two sides, in value or source. */
export interface DifferenceRow extends ResourceMembers {
  readonly type: 'difference';
  readonly key: string;
  /** Null where that side has no such config. */
  readonly left: SideValue | null;
  readonly right: SideValue | null;
}
