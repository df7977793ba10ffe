import type { PacketPosition } from '../capture/packet.ts';

/** A TCP connection that speaks Kafka. */
export interface KafkaConnection {
  /** Number from 0, as Wireshark counts `tcp.stream`. */
  readonly stream: number;
  /** `192.0.2.1:51234`, `[2001:db8::1]:9092`. */
  readonly client: string;
  readonly server: string;
  /** The capture holds the connection's beginning (SYN). */
  readonly fromStart: boolean;
}

/** Why an exchange isn't complete. */
export type Reason =
  | 'connection-reset'
  | 'connection-closed'
  | 'capture-ended'
  | 'no-server-packets'
  | 'not-answered-in-order'
  | 'gap'
  | 'snaplen'
  | 'malformed'
  | 'version-unsupported'
  | 'evicted'
  /** A Produce with acks 0. */
  | 'no-answer-asked'
  | 'frame-too-large';

/** One Kafka frame of an asked-for API, with the bytes that the capture holds of it. */
export interface Frame {
  /** The frame's own copy, size prefix first; shorter than `size + 4` where bytes are missing: it ends at the first that is. */
  readonly bytes: Uint8Array;
  /** Value of the size prefix: bytes of the frame without it. */
  readonly size: number;
  /** Packet with the first byte. */
  readonly first: PacketPosition;
  /** Packet that completed the frame; null if it never ended. */
  readonly last: PacketPosition | null;
  /** Offset of the size prefix in its direction, counted from the first byte seen. */
  readonly streamOffset: number;
  /** Why bytes are missing; null if none are. */
  readonly damage: Reason | null;
}

/** Whether both bodies of an exchange were decoded whole, a side is cut short or malformed, or no response was seen. */
export type Status = 'complete' | 'partial' | 'unanswered';

/** A request and what became of it, undecoded. The correlator makes one for each request of an asked-for API. */
export interface Exchange {
  readonly connection: KafkaConnection;
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  /** Bytes of the client id, null for null. Not necessarily UTF-8. */
  readonly clientId: Uint8Array | null;
  readonly request: Frame;
  readonly response: Frame | null;
  /** Null where the pair is whole. */
  readonly reason: Reason | null;
}

/** Takes exchanges in the order in which they became complete, or were given up. */
export interface ExchangeSink {
  exchange(exchange: Exchange): void;
}

/** Header-level facts of a request of any API, and of its answer. */
export interface Call {
  readonly connection: KafkaConnection;
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  /** Null for a null client id, and where bytes of it are missing. */
  readonly clientId: Uint8Array | null;
  /** Bytes with the size prefix. */
  readonly requestBytes: number;
  readonly first: PacketPosition;
  /** Null if the request never ended. */
  readonly last: PacketPosition | null;
  /** Null where no answer was seen. */
  readonly response: { readonly bytes: number; readonly first: PacketPosition; readonly last: PacketPosition | null } | null;
  /** Why no answer was seen, or not all of it; null where all was, and where none was asked for (Produce with acks 0). */
  readonly reason: Reason | null;
}

/** Takes the requests of all APIs as they are answered or given up, and what isn't Kafka. */
export interface TrafficSink {
  /** A request begins. `clientId` may be kept, `first` is borrowed. */
  request(connection: KafkaConnection, apiKey: number, clientId: Uint8Array | null, first: PacketPosition): void;
  /** A request was answered or given up. Comes before the exchange of an API that was asked for. */
  call(call: Call): void;
  /** Bytes of a connection are missing: requests, tokens or answers may be among them. */
  gap(connection: KafkaConnection): void;
  /** Bytes of a SASL token that a client sent without a Kafka header (after SaslHandshake 0). Borrowed, like `first`; never to be printed. */
  token(connection: KafkaConnection, bytes: Uint8Array, start: number, end: number, first: PacketPosition): void;
  notKafka(connection: KafkaConnection, protocol: string, detail: string, position: PacketPosition): void;
}
