import type { PacketPosition } from '../capture/packet.ts';

/** A half of a connection: 0 is what the first endpoint sends, 1 what the second sends. */
export type Direction = 0 | 1;

/** A TCP connection as its stage sees it. */
export interface TcpConnection {
  /** Number from 0, as Wireshark counts `tcp.stream`. */
  readonly stream: number;
  /** The endpoint that sends direction 0 or 1: `192.0.2.1:51234`. */
  endpoint(direction: Direction): string;
  /** Direction of the endpoint that opened the connection, as SYN or SYN+ACK tell; null where the handshake is missing. */
  readonly opener: Direction | null;
  /** What is passed on first of a direction, bytes or a gap, is known to be its beginning. */
  beginsWhole(direction: Direction): boolean;
  /** The capture holds a packet that this endpoint sent. */
  hasPackets(direction: Direction): boolean;
}

/** Why bytes are missing: never captured, or cut away by the snapshot length. */
export type GapCause = 'gap' | 'snaplen';

/** How a connection came to its end: FIN from both sides, RST, the end of the capture, or room made for others. */
export type CloseCause = 'closed' | 'reset' | 'capture-ended' | 'evicted';

/** What is wrong with a segment. */
export type Finding =
  /** It differs from another copy of the same bytes. */
  | 'conflict'
  /** Its checksum is wrong though the direction's others are right; it is passed on, since no better copy came. */
  | 'damaged'
  /** Its checksum is wrong; it wasn't needed. */
  | 'damaged-copy'
  /** It came after its bytes were given up as missing, or after the direction was begun without them. */
  | 'late'
  /** It is a SYN that shows, late, that bytes before the first one passed on are missing. */
  | 'missing-beginning'
  /** Its sequence number lies beyond any window, or behind the FIN. */
  | 'stray';

/**
 * Takes the two byte streams of one connection, each in order and every byte once, as bytes or as part of a gap. Between the two
 * directions the order is that of cause: bytes come after those of the other direction that their sender had acknowledged.
 */
export interface StreamSink {
  /**
   * The next bytes of a direction: `bytes[start, end)`, borrowed until the call returns. Each call begins where a segment began, or
   * behind what an earlier segment had brought of it. `position` is borrowed as well.
   */
  data(direction: Direction, bytes: Uint8Array, start: number, end: number, position: PacketPosition): void;
  /** The next `length` bytes of a direction are missing. `position` is the packet that shows it. */
  gap(direction: Direction, length: number, cause: GapCause, position: PacketPosition): void;
  /** The next `length` bytes of a direction, which nobody wants, are passed over: they haven't come, but may still. */
  skip(direction: Direction, length: number): void;
  /** `length` bytes that were skipped, beginning `before` bytes before the next one, are missing. `position` is the packet that showed it. */
  missing(direction: Direction, length: number, before: number, position: PacketPosition): void;
  /** Something is wrong with `length` bytes of a segment. */
  suspect(direction: Direction, finding: Finding, length: number, position: PacketPosition): void;
  /** Whether anybody looks at the next `length` bytes of a direction; where not, their checksums needn't be verified. */
  wants(direction: Direction, length: number): boolean;
  /** A direction ended with FIN and all its bytes were passed on. */
  end(direction: Direction): void;
  /** Nothing more comes. Called once. */
  close(cause: CloseCause): void;
  /** Nothing of this connection is looked at any more: the reassembler may stop working on it. */
  readonly ignoring: boolean;
}

/** Makes the sink of a connection when its first byte or gap is passed on. */
export interface StreamSinkFactory {
  open(connection: TcpConnection): StreamSink;
}
