import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import { type Segment, TcpFlag } from '../net/segment.ts';

/** A segment that can't be passed on yet: the only bytes that this stage copies. FIN and RST are held like a byte of their own. */
export class HeldSegment {
  readonly seq: number;
  /** Sequence number behind its last byte on the wire; more than was captured where the snapshot length cut it. */
  readonly end: number;
  /** Acknowledgment number it carries: what it answers lies before that. */
  readonly ack: number;
  readonly bytes: Uint8Array;
  readonly fin: boolean;
  readonly rst: boolean;
  /** Its checksum is wrong where the direction's others are right: used only where no other copy comes. */
  readonly corrupt: boolean;
  readonly position: PacketPosition;
  /** Packets of its connection before it. */
  readonly arrival: number;

  constructor(segment: Segment, seq: number, corrupt: boolean, arrival: number) {
    this.seq = seq;
    this.end = (seq + segment.payloadLength) | 0;
    this.ack = segment.ack;
    this.bytes = new Uint8Array(segment.end - segment.start);
    if (this.bytes.length > 0) this.bytes.set(segment.bytes.subarray(segment.start, segment.end));
    this.fin = !corrupt && (segment.flags & TcpFlag.fin) !== 0;
    this.rst = !corrupt && (segment.flags & TcpFlag.rst) !== 0;
    this.corrupt = corrupt;
    this.position = copyPosition(segment.packet);
    this.arrival = arrival;
  }
}
