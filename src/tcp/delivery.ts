import { copyPosition, nanosBetween, type PacketPosition } from '../capture/packet.ts';
import { MAX_SKIPPED_HOLES, WAIT_NANOS, WAIT_NANOS_ALONE, WAIT_PACKETS, WAIT_PACKETS_ALONE } from '../limits.ts';
import { internetSum } from '../wire/checksum.ts';
import { GivenUpRanges } from './given-up-ranges.ts';
import { HalfStream } from './half-stream.ts';
import type { HeldSegment } from './held-segment.ts';
import { PassedSegments } from './passed-segments.ts';
import { SkippedHoles } from './skipped-holes.ts';
import type { CloseCause, Direction, GapCause, StreamSink, StreamSinkFactory, TcpConnection } from './stream-sink.ts';

/** Acknowledgments that make one before them, which is higher, unlikely: reordering alone gives fewer. */
const LOWER_ACKS_TO_DOUBT = 16;

/**
 * Passes the two directions of a connection on: each in order of sequence, and between them in order of cause, so that an answer never
 * comes before what it answers. What can't be passed on yet is held; what it waits for is given up after a while (WAIT_… in
 * limits.ts), when a buffer is full, or at the end.
 */
export class Delivery {
  readonly halves: readonly [HalfStream, HalfStream] = [new HalfStream(), new HalfStream()];
  closed = false;
  /** Once closed: somebody had looked at it to the end. */
  mattered = false;
  /** The file's order is known to be that of time: a direction without SYN may begin where it was first seen. */
  isForward = false;
  /** Null until the first byte or gap is passed on, and once closed. */
  sink: StreamSink | null = null;
  readonly #connection: TcpConnection;
  readonly #sinks: StreamSinkFactory;

  constructor(connection: TcpConnection, sinks: StreamSinkFactory) {
    this.#connection = connection;
    this.#sinks = sinks;
  }

  openSink(): StreamSink {
    if (this.sink !== null) return this.sink;
    const sink = this.#sinks.open(this.#connection);
    this.sink = sink;
    // A side that says nothing may have ended before.
    if (this.halves[0].ended) sink.end(0);
    if (this.halves[1].ended) sink.end(1);
    return sink;
  }

  /** Something is held that waits for bytes which aren't there. */
  get waiting(): boolean {
    return this.halves[0].held.length > 0 || this.halves[1].held.length > 0;
  }

  /** Passes on what can be, and gives up what was waited for long enough. `arrival` counts the connection's packets so far. */
  pump(now: PacketPosition, arrival: number): void {
    this.#passAll();
    while (this.waiting) {
      const first = this.#obstacle();
      const second = (1 - first) as Direction;
      if (this.#waitedEnough(first, now, arrival)) this.#giveUp(first, false);
      else if (this.#waitedEnough(second, now, arrival)) this.#giveUp(second, false);
      else return;
      this.#passAll();
    }
  }

  /** Gives up the oldest thing waited for, to make room. */
  makeRoom(): void {
    if (!this.waiting) return;
    this.#giveUp(this.#obstacle(), true);
    this.#passAll();
  }

  /** Passes on all that is held, gaps and all, and closes. `position`: where it shows that bytes at the end are missing. */
  flush(cause: CloseCause, position: PacketPosition): void {
    this.#passAll();
    while (this.waiting) this.makeRoom();
    if (this.closed) return;
    this.#missingTail(0, position);
    this.#missingTail(1, position);
    this.close(cause);
  }

  close(cause: CloseCause): void {
    this.#settle(0, null, 0);
    this.#settle(1, null, 0);
    this.closed = true;
    for (const half of this.halves) half.dropAll();
    this.mattered = this.sink !== null && !this.sink.ignoring;
    this.sink?.close(cause);
    this.sink = null;
  }

  /** Something was skipped that may still come. */
  get hasSkipped(): boolean {
    return hasSkipped(this.halves[0]) || hasSkipped(this.halves[1]);
  }

  /**
   * Nobody looks at the next `bytes` bytes of a direction. Where a frame ends with them, they must have been acknowledged besides: its end would
   * be known if they came, so they had better be lost.
   */
  canSkip(direction: Direction, bytes: number): boolean {
    const { sink } = this;
    if (sink === null || sink.wants(direction, bytes)) return false;
    const half = this.halves[direction];
    return !sink.wants(direction, bytes + 1) || (half.ackSeen && ((half.acked - half.next - bytes) | 0) >= 0);
  }

  /** Passes over the next `bytes` bytes, which aren't there. See {@link canSkip}. */
  skip(direction: Direction, bytes: number, position: PacketPosition, arrival: number): void {
    const half = this.halves[direction];
    half.skipped ??= new SkippedHoles();
    this.#settle(direction, position, arrival);
    if (half.skipped.count === MAX_SKIPPED_HOLES) this.#giveUpSkipped(direction, half.skipped);
    const from = half.next;
    half.next = (from + bytes) | 0;
    half.holeAcked = null;
    half.skipped.add({ from, to: half.next, position: copyPosition(position), arrival });
    this.openSink().skip(direction, bytes);
  }

  /** Says what of the skipped bytes was waited for long enough. */
  settle(now: PacketPosition, arrival: number): void {
    this.#settle(0, now, arrival);
    this.#settle(1, now, arrival);
  }

  /** `now` is null at the end: nothing more comes. */
  #settle(direction: Direction, now: PacketPosition | null, arrival: number): void {
    const half = this.halves[direction];
    const { skipped } = half;
    if (skipped === null) return;
    for (let hole = skipped.oldest; hole !== null; hole = skipped.oldest) {
      if (now !== null) {
        // As with a hole that is waited for: what wasn't acknowledged will be sent again.
        const isAcked = half.ackSeen && ((half.acked - hole.to) | 0) >= 0;
        if ((!isAcked && this.#maySendAgain(direction)) || !isLong(hole.position, hole.arrival, now, arrival)) return;
      }
      this.#giveUpSkipped(direction, skipped);
    }
  }

  #giveUpSkipped(direction: Direction, skipped: SkippedHoles): void {
    const half = this.halves[direction];
    const hole = skipped.oldest;
    if (hole === null) return;
    skipped.dropOldest();
    half.givenUp ??= new GivenUpRanges();
    half.givenUp.add(hole.from, hole.to);
    this.openSink().missing(direction, (hole.to - hole.from) | 0, (half.next - hole.from) | 0, hole.position);
  }

  /** Passes bytes on that the sink wants, and remembers them by their sum. */
  passWanted(direction: Direction, bytes: Uint8Array, start: number, end: number, position: PacketPosition, sum: number): void {
    const half = this.halves[direction];
    half.passed ??= new PassedSegments();
    half.passed.remember(half.next, end - start, sum);
    this.passUnwanted(direction, bytes, start, end, position);
  }

  /** Passes bytes on without remembering them. */
  passUnwanted(direction: Direction, bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    const half = this.halves[direction];
    half.next = (half.next + end - start) | 0;
    this.openSink().data(direction, bytes, start, end, position);
  }

  #passAll(): void {
    while (!this.closed && (this.#passHeld(0) || this.#passHeld(1)));
  }

  /** Passes on the next held segment of a direction, if it can be. */
  #passHeld(direction: Direction): boolean {
    const half = this.halves[direction];
    if (half.held.length === 0 || (!half.open && !this.#start(half))) return false;
    this.#dropOver(direction);
    const segment = half.take(false);
    if (segment === null) return this.#skipHeld(half, direction);
    if (!this.#isCaused(segment, direction)) return false;
    this.#pass(segment, direction, segment.end);
    return true;
  }

  /** Passes over a hole between held segments, if it can be. */
  #skipHeld(half: HalfStream, direction: Direction): boolean {
    const ahead = half.firstIntactAhead;
    if (ahead === null) return false;
    const bytes = (ahead.seq - half.next) | 0;
    if (!this.canSkip(direction, bytes)) return false;
    this.skip(direction, bytes, ahead.position, ahead.arrival);
    return true;
  }

  #dropOver(direction: Direction): void {
    const half = this.halves[direction];
    for (let over = half.dropOver(); over !== null; over = half.dropOver()) {
      if (over.damaged && !over.isUsed) this.openSink().suspect(direction, 'damaged-copy', over.bytes.length, over.position);
    }
  }

  /** Begins a direction without SYN, where evidence says that nothing comes before. */
  #start(half: HalfStream): boolean {
    const first = firstIntact(half);
    if (first === null) return false;
    if (!this.#beginsAcknowledged(half)) {
      if (!this.isForward || (half.ackSeen && ((half.acked - first.seq) | 0) < 0)) return false;
    }
    this.#startAt(half, first.seq);
    return true;
  }

  /** Where the handshake is in the capture, a direction begins at the latest where the other side acknowledged first. */
  #beginsAcknowledged(half: HalfStream): boolean {
    return this.#connection.opener !== null && half.ackSeen;
  }

  #startAt(half: HalfStream, first: number): void {
    half.startAt(this.#beginOf(half, first), false);
  }

  /** Where a direction begins: at `first`, or where the handshake or an earlier packet shows that there was more. */
  #beginOf(half: HalfStream, first: number): number {
    let begin = first;
    if (this.#beginsAcknowledged(half) && ((half.lowestAck - begin) | 0) < 0) begin = half.lowestAck;
    // One byte before is a keep-alive's.
    return half.seen && ((half.lowestSeen - begin) | 0) < -1 ? half.lowestSeen : begin;
  }

  /** All that the sender had received when it sent this was passed on. */
  #isCaused({ ack }: HeldSegment, direction: Direction): boolean {
    const other = this.halves[1 - direction] as HalfStream;
    if (ack === null || other.isBeyond(ack)) return true;
    const next = other.open ? other.next : this.#beginOf(other, firstIntact(other)?.seq ?? ack);
    return ((ack - next) | 0) <= 0;
  }

  /** Passes on what a held segment has behind `next`, up to `until`. */
  #pass(segment: HeldSegment, direction: Direction, until: number): void {
    const half = this.halves[direction];
    const skip = (half.next - segment.seq) | 0;
    const captured = Math.min(segment.bytes.length, (until - segment.seq) | 0);
    if (captured > skip) this.#passPart(segment, direction, skip, captured);
    if (this.closed) return;
    if (half.next !== until && !this.#hasCopy(half)) {
      const ahead = half.firstIntactAhead;
      const cut = ahead !== null && ((ahead.seq - until) | 0) < 0 ? ahead.seq : until;
      this.#passGap(direction, cut, 'snaplen', segment.position);
    }
    if (half.next !== segment.end) return;
    half.discard(segment);
    if (segment.rst) this.flush('reset', segment.position);
    else if (segment.fin) this.#finish(direction);
  }

  #passPart({ bytes, position, sum }: HeldSegment, direction: Direction, start: number, end: number): void {
    if (!this.openSink().wants(direction, end - start)) this.passUnwanted(direction, bytes, start, end, position);
    else {
      const isWhole = start === 0 && end === bytes.length;
      this.passWanted(direction, bytes, start, end, position, isWhole ? sum : internetSum(bytes, start, end));
    }
  }

  #hasCopy(half: HalfStream): boolean {
    return half.take(false)?.holds(half.next) === true;
  }

  /** The bytes before `until` are missing. */
  #passGap(direction: Direction, until: number, cause: GapCause, position: PacketPosition): void {
    const half = this.halves[direction];
    const from = half.next;
    half.next = until;
    half.holeAcked = null;
    half.givenUp ??= new GivenUpRanges();
    half.givenUp.add(from, until);
    this.openSink().gap(direction, (until - from) | 0, cause, position);
  }

  #finish(direction: Direction): void {
    const half = this.halves[direction];
    if (half.ended) return;
    half.ended = true;
    half.next = (half.next + 1) | 0;
    this.sink?.end(direction);
    if (this.halves[0].ended && this.halves[1].ended) this.close('closed');
  }

  /** The direction whose obstacle is to be given up first: one that doesn't wait for the other, else the one held longer. */
  #obstacle(): Direction {
    const [a, b] = [this.halves[0].held[0], this.halves[1].held[0]];
    if (a === undefined) return 1;
    if (b === undefined) return 0;
    const [aCaused, bCaused] = [this.#isCaused(a, 0), this.#isCaused(b, 1)];
    if (aCaused !== bCaused) return aCaused ? 0 : 1;
    return a.arrival <= b.arrival ? 0 : 1;
  }

  #waitedEnough(direction: Direction, now: PacketPosition, arrival: number): boolean {
    const half = this.halves[direction];
    const head = half.held[0];
    if (head === undefined) return false;
    let since: PacketPosition = head.position;
    let sinceArrival = head.arrival;
    if (half.open && half.take(false) === null) {
      if (!half.isAcked && !head.damaged && this.#maySendAgain(direction)) return false;
      if (half.holeAcked !== null && half.holeAckedArrival > sinceArrival) {
        since = half.holeAcked;
        sinceArrival = half.holeAckedArrival;
      }
    }
    return isLong(since, sinceArrival, now, arrival);
  }

  /** What wasn't acknowledged will be sent again; not after a reset, nor where acknowledgments aren't in the capture. */
  #maySendAgain(direction: Direction): boolean {
    const other = this.halves[1 - direction] as HalfStream;
    return other.seen && this.halves[direction].held.at(-1)?.rst !== true;
  }

  /** Gives up what a direction waits for. `isForced`: also what would still come. */
  #giveUp(direction: Direction, isForced: boolean): void {
    if (this.#giveUpMissing(direction, isForced)) return;
    // All it needs of its own direction is there: it waits for the other.
    const segment = this.halves[direction].take(false);
    if (segment === null) return;
    const otherDirection = (1 - direction) as Direction;
    const other = this.halves[otherDirection];
    if (other.held.length > 0 && this.#giveUpMissing(otherDirection, isForced)) return;
    if (other.held.length === 0 && segment.ack !== null) this.#skipTo(otherDirection, segment.ack, segment.position);
    this.#pass(segment, direction, segment.end);
  }

  /** Gives up what a direction lacks of its own: a beginning, the bytes of a hole, an intact copy. False where it lacks nothing. */
  #giveUpMissing(direction: Direction, isForced: boolean): boolean {
    const half = this.halves[direction];
    if (!half.open) {
      this.#startAt(half, (firstIntact(half) ?? (half.held[0] as HeldSegment)).seq);
      return true;
    }
    this.#dropOver(direction);
    if (half.held.length === 0) return true;
    if (half.take(false) !== null) return false;
    const damaged = half.take(true);
    if (damaged === null) this.#giveUpHole(direction, isForced);
    else this.#passDamaged(damaged, direction);
    return true;
  }

  #giveUpHole(direction: Direction, isForced: boolean): void {
    const half = this.halves[direction];
    const head = half.held[0] as HeldSegment;
    const proven = this.#missingUntil(half, isForced || !this.#maySendAgain(direction));
    const until = this.#upToCause(direction, head.damaged && ((head.seq - proven) | 0) < 0 ? head.seq : proven);
    if (until !== half.next) this.#passGap(direction, until, 'gap', head.position);
    else {
      half.discard(head);
      this.openSink().suspect(direction, head.damaged ? 'damaged-copy' : 'stray', head.bytes.length, head.position);
    }
  }

  /**
   * As far as the other direction's next segment acknowledged, if that is less: what lies behind was sent after it, and may hold its answer.
   */
  #upToCause(direction: Direction, until: number): number {
    const half = this.halves[direction];
    const ack = this.halves[1 - direction]?.take(false)?.ack ?? null;
    if (ack === null) return until;
    return ((ack - half.next) | 0) > 0 && ((ack - until) | 0) < 0 ? ack : until;
  }

  /**
   * How far a hole goes: to an intact segment behind it, or to what was acknowledged; a damaged segment proves nothing, it may have any
   * sequence number. What wasn't acknowledged may still come, unless `isForced`.
   */
  #missingUntil(half: HalfStream, isForced: boolean): number {
    const ahead = half.firstIntactAhead;
    const acked = half.isAcked ? half.acked : half.next;
    if (ahead === null) return acked;
    return isForced || ((ahead.seq - acked) | 0) < 0 ? ahead.seq : acked;
  }

  #passDamaged(segment: HeldSegment, direction: Direction): void {
    const half = this.halves[direction];
    const ahead = half.firstIntactAhead;
    const until = ahead !== null && ((ahead.seq - segment.end) | 0) < 0 ? ahead.seq : segment.end;
    segment.isUsed = true;
    this.openSink().suspect(direction, 'damaged', (until - half.next) | 0, segment.position);
    this.#pass(segment, direction, until);
  }

  /** Bytes that the other side acknowledged, and so received, were not captured; unless its later packets say otherwise. */
  #skipTo(direction: Direction, ack: number, position: PacketPosition): void {
    const half = this.halves[direction];
    if (!half.open) this.#startAt(half, ack);
    const believed = this.#believedAck(half);
    this.#missing(direction, ((ack - believed) | 0) < 0 ? ack : believed, position);
  }

  /** The highest acknowledgment; not where it stands alone, those after it being lower and the file's order that of time. */
  #believedAck(half: HalfStream): number {
    return this.isForward && half.lowerAcks >= LOWER_ACKS_TO_DOUBT ? half.ackedBefore : half.acked;
  }

  /** Bytes at the end of a direction that the other acknowledged, but the capture doesn't hold. */
  #missingTail(direction: Direction, position: PacketPosition): void {
    const half = this.halves[direction];
    if (!half.open && half.ackSeen) this.#startAt(half, half.acked);
    if (half.open && half.ackSeen && !half.ended) this.#missing(direction, this.#believedAck(half), position);
  }

  #missing(direction: Direction, until: number, position: PacketPosition): void {
    const half = this.halves[direction];
    const missing = (until - half.next) | 0;
    // One byte may be a FIN that wasn't captured.
    if (missing > 1) this.#passGap(direction, until, 'gap', position);
    else if (missing === 1) half.next = until;
  }
}

/** A wait that is over, in packets of the connection and capture time. */
function isLong(since: PacketPosition, sinceArrival: number, now: PacketPosition, arrival: number): boolean {
  const packets = arrival - sinceArrival;
  const nanos = nanosBetween(since, now);
  return (packets >= WAIT_PACKETS && nanos >= WAIT_NANOS) || packets >= WAIT_PACKETS_ALONE || nanos >= WAIT_NANOS_ALONE;
}

function hasSkipped(half: HalfStream): boolean {
  return half.skipped !== null && half.skipped.count > 0;
}

function firstIntact(half: HalfStream): HeldSegment | null {
  return half.held.find((segment) => !segment.damaged) ?? null;
}
