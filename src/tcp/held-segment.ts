import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import { type Segment, TcpFlag } from '../net/segment.ts';

/** A segment that can't be passed on yet: the only bytes that this stage copies. FIN and RST are held like a byte of their own. */
export class HeldSegment {
  readonly seq: number;
  /** Sequence number behind its last byte on the wire; more than was captured where the snapshot length cut it. */
  readonly end: number;
  /** Acknowledgment number it carries: what it answers lies before that. Null where it acknowledges nothing. */
  readonly ack: number | null;
  readonly bytes: Uint8Array;
  /** Their Internet sum. */
  readonly sum: number;
  readonly fin: boolean;
  readonly rst: boolean;
  /** Its checksum is wrong where the direction's others are right: used only where no other copy comes. */
  readonly damaged: boolean;
  /** Bytes of it were passed on although it is damaged. */
  isUsed = false;
  readonly position: PacketPosition;
  /** Packets of its connection before it. */
  readonly arrival: number;

  /** `bytes`: its own copy of the segment's. */
  constructor(segment: Segment, seq: number, bytes: Uint8Array, damaged: boolean, arrival: number) {
    this.seq = seq;
    this.end = (seq + segment.payloadLength) | 0;
    this.ack = (segment.flags & TcpFlag.ack) === 0 || damaged ? null : segment.ack;
    this.bytes = bytes;
    this.sum = segment.payloadSum();
    this.fin = !damaged && (segment.flags & TcpFlag.fin) !== 0;
    this.rst = !damaged && (segment.flags & TcpFlag.rst) !== 0;
    this.damaged = damaged;
    this.position = copyPosition(segment.packet);
    this.arrival = arrival;
  }

  /** Its end marks the end of the stream. */
  get isLast(): boolean {
    return this.fin || this.rst;
  }

  /** It has the byte with that sequence number. */
  holds(seq: number): boolean {
    const at = (seq - this.seq) | 0;
    return at >= 0 && at < this.bytes.length;
  }

  /** All that the other one could bring is in this one. */
  covers(other: HeldSegment): boolean {
    const from = (other.seq - this.seq) | 0;
    return from >= 0 && from + other.bytes.length <= this.bytes.length && ((other.end - this.end) | 0) <= 0 && !other.isLast;
  }

  /** The two have different bytes where they overlap. */
  differs(other: HeldSegment): boolean {
    const shift = (other.seq - this.seq) | 0;
    const until = Math.min(this.bytes.length, shift + other.bytes.length);
    for (let i = Math.max(0, shift); i < until; i++) if (this.bytes[i] !== other.bytes[i - shift]) return true;
    return false;
  }
}
