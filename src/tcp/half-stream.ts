import type { PacketPosition } from '../capture/packet.ts';
import { Checksum } from '../net/segment.ts';
import type { HeldSegment } from './held-segment.ts';

/** Checksums looked at before a direction's are believed to say something, or nothing. */
const CHECKSUMS_TO_LEARN = 8;
/** Segments whose content is remembered, to notice a retransmission that differs. */
const REMEMBERED_SEGMENTS = 16;
/** What a held segment costs beside its bytes, so that many small ones count as what they are. */
const HELD_OVERHEAD_BYTES = 256;
/** Held segments before a new one that are searched for an overlap. */
const NEIGHBOURS_COMPARED = 4;

/**
 * One direction of a connection: where its stream stands, what is held because bytes before it are missing, and what the other side
 * acknowledged of it. Sequence numbers are int32, compared by their difference (RFC 9293, section 3.4).
 */
export class HalfStream {
  /** `next` is known: from a SYN, or because evidence said where the capture joined the stream. */
  open = false;
  /** Sequence number of the next byte to pass on, once open. */
  next = 0;
  /** Sequence number of the stream's first byte, once open. */
  base = 0;
  synSeen = false;
  /** Something of this direction was seen, its lowest sequence number being `lowestSeen`. */
  seen = false;
  lowestSeen = 0;
  /** Highest and lowest acknowledgment of this direction by the other. */
  ackSeen = false;
  acked = 0;
  lowestAck = 0;
  /** FIN was passed on. */
  ended = false;
  /** Sequence and acknowledgment number of the last segment with data. */
  lastSeq = 0;
  lastAck = 0;
  dataSeen = false;
  /** Held segments by sequence number. */
  readonly held: HeldSegment[] = [];
  heldBytes = 0;
  /** Since when the hole before the held segments is acknowledged: packets of the connection, and the packet; null while it isn't. */
  holeAckedArrival = 0;
  holeAcked: PacketPosition | null = null;
  #checksumsSeen = 0;
  #checksumsRight = 0;
  #checksumsWrong = 0;
  /** A ring of (seq, length, sum) of segments passed on. */
  #remembered: Int32Array | null = null;
  #rememberedCount = 0;

  /** Notes that a packet of this direction with that sequence number was seen. */
  sawSeq(seq: number): void {
    if (!this.seen || ((seq - this.lowestSeen) | 0) < 0) this.lowestSeen = seq;
    this.seen = true;
  }

  /** Takes an acknowledgment of this direction. */
  sawAck(ack: number, packet: PacketPosition, arrival: number): void {
    if (!this.ackSeen) {
      this.ackSeen = true;
      this.acked = ack;
      this.lowestAck = ack;
    } else if (((ack - this.acked) | 0) > 0) this.acked = ack;
    else if (((ack - this.lowestAck) | 0) < 0) this.lowestAck = ack;
    if (this.held.length > 0 && this.holeAcked === null && this.open && ((this.acked - this.next) | 0) > 0) {
      this.holeAcked = { ...packet };
      this.holeAckedArrival = arrival;
    }
  }

  startAt(seq: number): void {
    this.open = true;
    this.base = seq;
    this.next = seq;
  }

  /** Whether a checksum should be looked at to learn what they are worth here. */
  get learning(): boolean {
    return this.#checksumsSeen < CHECKSUMS_TO_LEARN;
  }

  /** Most checksums seen are right, so that a wrong one means damage; on loopback and with offloading all are wrong. */
  get checksumsMatter(): boolean {
    return this.#checksumsRight > 0 && this.#checksumsRight >= this.#checksumsWrong;
  }

  learn(checksum: Checksum): void {
    this.#checksumsSeen++;
    if (checksum === Checksum.right) this.#checksumsRight++;
    else if (checksum === Checksum.wrong) this.#checksumsWrong++;
  }

  /** Keeps a segment, by sequence number and then arrival. Returns a neighbour whose bytes differ where the two overlap. */
  hold(segment: HeldSegment): HeldSegment | null {
    let at = this.held.length;
    while (at > 0 && (((this.held[at - 1] as HeldSegment).seq - segment.seq) | 0) > 0) at--;
    this.held.splice(at, 0, segment);
    this.heldBytes += segment.bytes.length + HELD_OVERHEAD_BYTES;
    if (segment.corrupt) return null;
    for (let i = Math.max(0, at - NEIGHBOURS_COMPARED); i < this.held.length; i++) {
      const other = this.held[i] as HeldSegment;
      if (((other.seq - segment.end) | 0) >= 0) break;
      if (other !== segment && !other.corrupt && differ(other, segment)) return other;
    }
    return null;
  }

  /** The copy to pass on next: one that covers `next`, the first to arrive, a corrupt one only if allowed; null where none does. */
  take(corruptToo: boolean): HeldSegment | null {
    let best: HeldSegment | null = null;
    for (let i = 0; i < this.held.length; ) {
      const segment = this.held[i] as HeldSegment;
      if (((segment.seq - this.next) | 0) > 0) break;
      if (this.#isOver(segment)) {
        this.#drop(i);
        continue;
      }
      if (!segment.corrupt || corruptToo) {
        if (best === null || (best.corrupt && !segment.corrupt) || (best.corrupt === segment.corrupt && segment.arrival < best.arrival))
          best = segment;
      }
      i++;
    }
    return best;
  }

  /** Nothing of it is left to pass on. */
  #isOver(segment: HeldSegment): boolean {
    const left = (segment.end - this.next) | 0;
    return left < 0 || (left === 0 && (!(segment.fin || segment.rst) || this.ended));
  }

  discard(segment: HeldSegment): void {
    const index = this.held.indexOf(segment);
    if (index >= 0) this.#drop(index);
  }

  #drop(index: number): void {
    const [segment] = this.held.splice(index, 1);
    if (segment !== undefined) this.heldBytes -= segment.bytes.length + HELD_OVERHEAD_BYTES;
    if (this.held.length === 0) this.holeAcked = null;
  }

  /** Sequence number where the first intact held segment behind `next` begins, or `limit`. */
  intactFrom(limit: number): number {
    for (const segment of this.held) {
      if (((segment.seq - limit) | 0) >= 0) break;
      if (!segment.corrupt && ((segment.seq - this.next) | 0) > 0) return segment.seq;
    }
    return limit;
  }

  /** Remembers a segment that was passed on. */
  remember(seq: number, length: number, sum: number): void {
    this.#remembered ??= new Int32Array(3 * REMEMBERED_SEGMENTS);
    const at = 3 * (this.#rememberedCount++ % REMEMBERED_SEGMENTS);
    this.#remembered[at] = seq;
    this.#remembered[at + 1] = length;
    this.#remembered[at + 2] = sum;
  }

  /** The sum of the segment passed on with these borders; -1 where none is remembered. */
  recall(seq: number, length: number): number {
    const ring = this.#remembered;
    if (ring === null) return -1;
    for (let at = 0; at < ring.length; at += 3) if (ring[at] === seq && ring[at + 1] === length) return ring[at + 2] as number;
    return -1;
  }
}

/** Whether two segments have different bytes where they overlap. */
function differ(a: HeldSegment, b: HeldSegment): boolean {
  const shift = (b.seq - a.seq) | 0;
  const from = Math.max(0, shift);
  const to = Math.min(a.bytes.length, shift + b.bytes.length);
  for (let i = from; i < to; i++) if (a.bytes[i] !== b.bytes[i - shift]) return true;
  return false;
}
