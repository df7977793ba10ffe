import type { PacketPosition } from '../capture/packet.ts';
import { Checksum } from '../net/segment.ts';
import type { GivenUpRanges } from './given-up-ranges.ts';
import { HeldBytes } from './held-bytes.ts';
import type { HeldSegment } from './held-segment.ts';
import type { PassedSegments } from './passed-segments.ts';
import type { SkippedHoles } from './skipped-holes.ts';

/** Checksums looked at before a direction's are believed to say something, or nothing. */
const CHECKSUMS_TO_LEARN = 8;
/** What a held segment costs beside its bytes, measured on Node 20, so that many small ones count as what they are. */
const HELD_OVERHEAD_BYTES = 384;
/** Held segments on either side of a new one that are searched for an overlap. */
const NEIGHBOURS_COMPARED = 4;
/** Largest window of TCP (RFC 7323, section 2.3): numbers further ahead belong to another connection, or to none. */
const MAX_WINDOW_BYTES = 1 << 30;

/**
 * One direction of a connection: where its stream stands, what is held because bytes before it are missing, and what the other side
 * acknowledged of it. Sequence numbers are int32, compared by their difference (RFC 9293, section 3.4).
 */
export class HalfStream {
  /** `next` is known: from a SYN, or because evidence said where the capture joined the stream. */
  open = false;
  /** Sequence number of the next byte to pass on, once open. */
  next = 0;
  /** Sequence number of the first byte, once open. */
  base = 0;
  /** `base` is where the stream begins, not only where the capture joined it. */
  beginsWhole = false;
  /** A SYN was seen, and the sequence number behind it. */
  synSeen = false;
  synNext = 0;
  /** Something of this direction was seen, its lowest sequence number being `lowestSeen`. */
  seen = false;
  lowestSeen = 0;
  /** Highest and lowest acknowledgment of this direction by the other, the second highest, and how many lower ones came after the highest. */
  ackSeen = false;
  acked = 0;
  ackedBefore = 0;
  lowestAck = 0;
  lowerAcks = 0;
  /** FIN was passed on. */
  ended = false;
  /** Sequence and acknowledgment number of the last segment with data. */
  lastSeq = 0;
  lastAck = 0;
  dataSeen = false;
  /** Held segments by sequence number, then arrival. */
  readonly held: HeldSegment[] = [];
  heldBytes = 0;
  /** Where their bytes are. */
  readonly heldContent = new HeldBytes();
  /** Since when the hole before the held segments is acknowledged: packets of the connection, and the packet; null while it isn't. */
  holeAckedArrival = 0;
  holeAcked: PacketPosition | null = null;
  /** Null until something was passed on, or given up. */
  passed: PassedSegments | null = null;
  givenUp: GivenUpRanges | null = null;
  skipped: SkippedHoles | null = null;
  #checksumsSeen = 0;
  #checksumsRight = 0;
  #checksumsWrong = 0;

  /** Notes that a packet of this direction with that sequence number was seen. */
  sawSeq(seq: number): void {
    if (!this.seen || ((seq - this.lowestSeen) | 0) < 0) this.lowestSeen = seq;
    this.seen = true;
  }

  /** Takes an acknowledgment of this direction; one of bytes that can't have been sent is passed over. */
  sawAck(ack: number, packet: PacketPosition, arrival: number): void {
    if (this.isBeyond(ack)) return;
    if (!this.ackSeen) {
      this.ackSeen = true;
      this.acked = ack;
      this.ackedBefore = ack;
      this.lowestAck = ack;
    } else if (((ack - this.acked) | 0) > 0) {
      this.ackedBefore = this.acked;
      this.acked = ack;
      this.lowerAcks = 0;
    } else {
      if (((ack - this.ackedBefore) | 0) > 0) this.ackedBefore = ack;
      if (ack !== this.acked) this.lowerAcks++;
      if (((ack - this.lowestAck) | 0) < 0) this.lowestAck = ack;
    }
    if (this.held.length > 0 && this.holeAcked === null && this.open && this.isAcked) {
      this.holeAcked = { ...packet };
      this.holeAckedArrival = arrival;
    }
  }

  /** A sequence number that no window reaches. */
  isBeyond(seq: number): boolean {
    return this.open && ((seq - this.next) | 0) > MAX_WINDOW_BYTES;
  }

  /** The next byte was acknowledged, and so received. */
  get isAcked(): boolean {
    return this.ackSeen && ((this.acked - this.next) | 0) > 0;
  }

  startAt(seq: number, beginsWhole: boolean): void {
    this.open = true;
    this.base = seq;
    this.next = seq;
    this.beginsWhole = beginsWhole;
  }

  /** Whether a checksum should be looked at to learn what they are worth here. */
  get learning(): boolean {
    return this.#checksumsSeen < CHECKSUMS_TO_LEARN;
  }

  learn(checksum: Checksum): void {
    this.#checksumsSeen++;
    if (checksum === Checksum.right) this.#checksumsRight++;
    else if (checksum === Checksum.wrong) this.#checksumsWrong++;
  }

  /** Most checksums seen are right, so that a wrong one means damage; on loopback and with offloading all are wrong. */
  get checksumsMatter(): boolean {
    return this.#checksumsRight > 0 && this.#checksumsRight >= this.#checksumsWrong;
  }

  /** Keeps a segment, unless an intact one that is held covers it. Returns whether it differs from an intact one. */
  hold(segment: HeldSegment): boolean {
    const at = this.#placeFor(segment.seq);
    let conflicts = false;
    for (let i = Math.max(0, at - NEIGHBOURS_COMPARED); i < Math.min(this.held.length, at + NEIGHBOURS_COMPARED); i++) {
      const other = this.held[i] as HeldSegment;
      if (other.damaged || segment.damaged) continue;
      conflicts ||= other.differs(segment);
      if (other.covers(segment)) return conflicts;
    }
    this.held.splice(at, 0, segment);
    this.heldBytes += segment.bytes.length + HELD_OVERHEAD_BYTES;
    return conflicts;
  }

  /** Behind the held segments that begin there or before. */
  #placeFor(seq: number): number {
    let low = 0;
    let high = this.held.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((((this.held[middle] as HeldSegment).seq - seq) | 0) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The copy to pass on next: an intact one, else a damaged one if allowed; with the next byte rather than without, the first to come. */
  take(damagedToo: boolean): HeldSegment | null {
    let best: HeldSegment | null = null;
    for (const segment of this.held) {
      if (((segment.seq - this.next) | 0) > 0) break;
      if (this.isOver(segment) || (segment.damaged && !damagedToo)) continue;
      if (best === null || this.#isBetter(segment, best)) best = segment;
    }
    return best;
  }

  #isBetter(segment: HeldSegment, best: HeldSegment): boolean {
    if (segment.damaged !== best.damaged) return best.damaged;
    const holds = segment.holds(this.next);
    return holds === best.holds(this.next) ? segment.arrival < best.arrival : holds;
  }

  /** Nothing of it is left to pass on. */
  isOver(segment: HeldSegment): boolean {
    const left = (segment.end - this.next) | 0;
    return left < 0 || (left === 0 && !segment.rst && (!segment.fin || this.ended));
  }

  /** Takes out a segment of which nothing is left to pass on; null where there is none. */
  dropOver(): HeldSegment | null {
    for (let i = 0; i < this.held.length; i++) {
      const segment = this.held[i] as HeldSegment;
      if (((segment.seq - this.next) | 0) > 0) return null;
      if (this.isOver(segment)) return this.#dropAt(i);
    }
    return null;
  }

  discard(segment: HeldSegment): void {
    const index = this.held.indexOf(segment);
    if (index >= 0) this.#dropAt(index);
  }

  #dropAt(index: number): HeldSegment {
    const segment = this.held[index] as HeldSegment;
    this.held.splice(index, 1);
    this.heldBytes -= segment.bytes.length + HELD_OVERHEAD_BYTES;
    if (this.held.length === 0) this.#nothingHeld();
    return segment;
  }

  dropAll(): void {
    this.held.length = 0;
    this.heldBytes = 0;
    this.#nothingHeld();
  }

  #nothingHeld(): void {
    this.holeAcked = null;
    this.heldContent.clear();
  }

  /** The first intact segment held behind `next`; null where there is none. */
  get firstIntactAhead(): HeldSegment | null {
    for (const segment of this.held) if (!segment.damaged && ((segment.seq - this.next) | 0) > 0) return segment;
    return null;
  }
}
