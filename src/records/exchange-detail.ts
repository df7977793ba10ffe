import type { PacketPosition } from '../capture/packet.ts';
import type { Exchange } from '../kafka/exchange.ts';

/** A packet that carries bytes of a frame. */
export interface FramePacketRecord {
  readonly packet: number;
  /** Where several captures are read. */
  readonly capture?: string;
  readonly time: string | null;
  /** Bytes of the frame in it. */
  readonly bytes: number;
  /** All of them stood in packets before it. */
  readonly isRepeat: boolean;
}

/** What `show` knows of an exchange beside its record: when its bytes passed, in which packets, and how Wireshark finds it. */
export interface ExchangeDetailRecord {
  readonly type: 'exchange-detail';
  readonly number: number;
  /** UTC, of the packets with the first and the last byte of the two frames; null for what isn't in the capture. */
  readonly times: {
    readonly requestFirst: string | null;
    readonly requestLast: string | null;
    readonly responseFirst: string | null;
    readonly responseLast: string | null;
  };
  /** What lies between them; null where that isn't known. */
  readonly requestMs: number | null;
  readonly brokerMs: number | null;
  readonly responseMs: number | null;
  readonly latencyMs: number | null;
  readonly throttleMs: number | null;
  /** In the order of the capture; null where they weren't looked for (standard input is read once) or not found for sure. */
  readonly requestPackets: readonly FramePacketRecord[] | null;
  readonly responsePackets: readonly FramePacketRecord[] | null;
  /** Display filters of Wireshark, and what tells it that the port speaks Kafka. */
  readonly wireshark: { readonly displayFilter: string; readonly frameFilter: string; readonly decodeAs: string };
}

/** The four instants of an exchange, as they were captured, and what lies between. Null for what isn't known. */
export interface ExchangeTiming {
  readonly requestFirst: PacketPosition;
  readonly requestLast: PacketPosition | null;
  readonly responseFirst: PacketPosition | null;
  readonly responseLast: PacketPosition | null;
  /** From the request's first byte to its last. */
  readonly requestMs: number | null;
  /** From the request's last byte to the response's first: the broker's, and the network's between it and where packets were captured. */
  readonly brokerMs: number | null;
  /** From the response's first byte to its last. */
  readonly responseMs: number | null;
  /** From the request's last byte to the response's last. */
  readonly latencyMs: number | null;
  /** How long the broker says that it throttles the client. */
  readonly throttleMs: number | null;
}

/** A packet that carries bytes of a frame. */
export interface FramePacket {
  readonly at: PacketPosition;
  /** Bytes of the frame in it, on the wire. */
  readonly bytes: number;
  /** All of them stood in packets before it: sent again, or recorded twice. */
  readonly isRepeat: boolean;
}

/** What the record is made of. */
export interface ExchangeDetail {
  readonly number: number;
  readonly exchange: Exchange;
  readonly timing: ExchangeTiming;
  readonly requestPackets: readonly FramePacket[] | null;
  readonly responsePackets: readonly FramePacket[] | null;
  /** Names of the captures, by index. */
  readonly captures: readonly string[];
}
