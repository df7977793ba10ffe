import { copyPosition, nanosBetween, type PacketPosition } from '../capture/packet.ts';
import { WAIT_NANOS, WAIT_NANOS_ALONE, WAIT_PACKETS, WAIT_PACKETS_ALONE } from '../limits.ts';
import { Checksum, type Segment, TcpFlag } from '../net/segment.ts';
import { internetSum } from '../wire/checksum.ts';
import type { FlowKey } from './flow-table.ts';
import { HalfStream } from './half-stream.ts';
import { HeldSegment } from './held-segment.ts';
import type { CloseCause, Direction, StreamSink, StreamSinkFactory, TcpConnection } from './stream-sink.ts';

const CONTROL_FLAGS = TcpFlag.syn | TcpFlag.fin | TcpFlag.rst;

/**
 * Puts the segments of one connection in order: per direction by sequence number, between the directions by acknowledgment, so that
 * an answer never comes before what it answers, however the capture recorded them. What can't be passed on yet is held; what
 * it waits for is given up after a while (WAIT_… in limits.ts), when a buffer is full, or when the capture ends.
 */
export class Connection implements TcpConnection {
  readonly stream: number;
  readonly key: FlowKey;
  opener: Direction | null = null;
  /** Next connection of the flow table's bucket. */
  chained: Connection | null = null;
  /** Packets so far. */
  packets = 0;
  /** Ordinal of the last packet over all connections, for eviction. */
  lastUsed = 0;
  /** Capture that held the SYN. */
  synCapture = -1;
  closed = false;
  readonly halves: readonly [HalfStream, HalfStream] = [new HalfStream(), new HalfStream()];
  readonly #packetsFrom: [number, number] = [0, 0];
  readonly #sinks: StreamSinkFactory;
  #sink: StreamSink | null = null;
  /** The file's order is known to be that of time: a direction without SYN may begin where it was first seen. */
  #forward = false;
  /** The last packet that wasn't in order: where losses noticed at the end are said to be. */
  readonly #lastPosition: PacketPosition = { capture: 0, number: 0, seconds: Number.NaN, nanos: 0, fine: false };

  constructor(stream: number, key: FlowKey, sinks: StreamSinkFactory) {
    this.stream = stream;
    this.key = key;
    this.#sinks = sinks;
  }

  endpoint(direction: Direction): string {
    return this.key.endpoint(direction);
  }

  hasPackets(direction: Direction): boolean {
    return this.#packetsFrom[direction] > 0;
  }

  /** What the reassembler last counted of {@link heldBytes}. */
  countedBytes = 0;

  get mostHeldBytes(): number {
    return Math.max(this.halves[0].heldBytes, this.halves[1].heldBytes);
  }

  get heldBytes(): number {
    return this.halves[0].heldBytes + this.halves[1].heldBytes;
  }

  /** Something is held that waits for bytes which aren't there. */
  get waiting(): boolean {
    return this.halves[0].held.length > 0 || this.halves[1].held.length > 0;
  }

  /** Both directions ended, or a reset: a SYN after it opens a new connection whatever its number. */
  get over(): boolean {
    return this.closed || (this.halves[0].ended && this.halves[1].ended);
  }

  /** Takes a segment that belongs to this connection; a SYN has been through {@link accepts}. */
  segment(segment: Segment, direction: Direction): void {
    this.packets++;
    this.#packetsFrom[direction]++;
    const half = this.halves[direction];
    const other = this.halves[1 - direction] as HalfStream;
    const length = segment.payloadLength;
    const acks = (segment.flags & TcpFlag.ack) !== 0;
    if (this.closed || this.#sink?.ignoring === true) return;
    if (
      half.open &&
      length > 0 &&
      segment.seq === half.next &&
      (segment.flags & CONTROL_FLAGS) === 0 &&
      half.held.length === 0 &&
      segment.end - segment.start === length &&
      acks &&
      other.open &&
      ((segment.ack - other.next) | 0) <= 0 &&
      !half.learning
    ) {
      // In order and in cause: nearly every segment of a good capture. `npm run bench`, mix-1500.
      if (((segment.ack - other.acked) | 0) > 0) other.acked = segment.ack;
      half.lastSeq = segment.seq;
      half.lastAck = segment.ack;
      if (!this.#open().wants(direction, length) || !this.#isCorrupt(segment, half)) this.#passSegment(segment, direction);
      else this.#hold(segment, segment.seq, true, direction);
      if (other.held.length > 0) this.pump(segment.packet);
      return;
    }
    Object.assign(this.#lastPosition, copyPosition(segment.packet));
    this.#irregular(segment, direction);
  }

  #irregular(segment: Segment, direction: Direction): void {
    const half = this.halves[direction];
    const other = this.halves[1 - direction] as HalfStream;
    const syn = (segment.flags & TcpFlag.syn) !== 0;
    const seq = syn ? (segment.seq + 1) | 0 : segment.seq;
    const corrupt = this.#isCorruptOutsideStream(segment, half, other);
    if (corrupt && segment.payloadLength === 0) return;
    if (syn && !corrupt) this.#synchronise(segment, seq, direction);
    if ((segment.flags & TcpFlag.ack) !== 0 && !corrupt) this.#acknowledge(segment, other, half, seq);
    if (!corrupt) half.sawSeq(seq);
    if (segment.payloadLength > 0 || (segment.flags & (TcpFlag.fin | TcpFlag.rst)) !== 0) this.#place(segment, seq, corrupt, direction);
    if (this.waiting) this.pump(segment.packet);
  }

  /** A damaged segment must not move the connection's state; where checksums say nothing, none is damaged. */
  #isCorruptOutsideStream(segment: Segment, half: HalfStream, other: HalfStream): boolean {
    const plainAck = segment.payloadLength === 0 && (segment.flags & CONTROL_FLAGS) === 0;
    if (plainAck && !half.learning && (!other.open || ((segment.ack - other.next) | 0) <= 0)) return false;
    return this.#isCorrupt(segment, half);
  }

  #isCorrupt(segment: Segment, half: HalfStream): boolean {
    const checksum = segment.checksum();
    half.learn(checksum);
    return checksum === Checksum.wrong && half.checksumsMatter;
  }

  #synchronise(segment: Segment, first: number, direction: Direction): void {
    const half = this.halves[direction];
    if (half.synSeen) return;
    half.synSeen = true;
    this.opener = (segment.flags & TcpFlag.ack) !== 0 ? ((1 - direction) as Direction) : direction;
    if (this.synCapture < 0) this.synCapture = segment.packet.capture;
    if (!half.open) half.startAt(first);
  }

  /** Whether a SYN belongs to this connection, rather than opening the next one between the same endpoints. */
  accepts(segment: Segment, direction: Direction): boolean {
    const first = (segment.seq + 1) | 0;
    const half = this.halves[direction];
    const isAnswer = (segment.flags & TcpFlag.ack) !== 0;
    if (half.synSeen) {
      if (half.base !== first) return false;
      // The same SYN again is a copy, after the end too if it was captured before that: by another tap, or on another interface.
      return isAnswer || !this.over || segment.packet.capture !== this.synCapture || nanosBetween(segment.packet, this.#lastPosition) > 0;
    }
    if (half.seen) return half.lowestSeen === first || (half.open && half.base === first);
    const other = this.halves[1 - direction] as HalfStream;
    if (isAnswer) return !other.synSeen || other.base === segment.ack || ((other.next - segment.ack) | 0) >= 0;
    return !other.seen || !half.ackSeen || half.lowestAck === first;
  }

  #acknowledge(segment: Segment, acknowledged: HalfStream, half: HalfStream, seq: number): void {
    const ack = segment.ack;
    const lowestHeld = acknowledged.held[0];
    // Time runs forward where an acknowledgment comes after the data it covers, or data after the acknowledgment of all before it.
    if (lowestHeld !== undefined && ((ack - lowestHeld.seq) | 0) > 0) this.#forward = true;
    acknowledged.sawAck(ack, segment.packet, this.packets);
    if (segment.payloadLength === 0) return;
    if (half.ackSeen && ((half.acked - seq) | 0) <= 0) this.#forward = true;
    const alone = !acknowledged.seen;
    if (alone && half.dataSeen && ((seq - half.lastSeq) | 0) > 0 && ((ack - half.lastAck) | 0) > 0) this.#forward = true;
    half.lastSeq = seq;
    half.lastAck = ack;
    half.dataSeen = true;
  }

  /** Holds a segment with data, FIN or RST, unless all of it has been passed on. */
  #place(segment: Segment, seq: number, corrupt: boolean, direction: Direction): void {
    const half = this.halves[direction];
    const end = (seq + segment.payloadLength) | 0;
    const behind = half.open ? (end - half.next) | 0 : 1;
    if ((segment.flags & TcpFlag.rst) !== 0 && !corrupt && half.open && ((seq - half.next) | 0) <= 0) {
      this.flush('reset', segment.packet);
      return;
    }
    if (behind <= 0 && !(behind === 0 && (segment.flags & TcpFlag.fin) !== 0 && !half.ended)) {
      if (!corrupt && half.open && segment.payloadLength > 1) this.#compareWithPassed(segment, seq, direction);
      return;
    }
    this.#hold(segment, seq, corrupt, direction);
  }

  /** A retransmission: is it the same as what was passed on? */
  #compareWithPassed(segment: Segment, seq: number, direction: Direction): void {
    const sum = this.halves[direction].recall(seq, segment.payloadLength);
    if (sum < 0 || segment.end - segment.start !== segment.payloadLength) return;
    if (internetSum(segment.bytes, segment.start, segment.end) === sum) return;
    this.#open().suspect(direction, 'conflict', segment.payloadLength, segment.packet);
  }

  #hold(segment: Segment, seq: number, corrupt: boolean, direction: Direction): void {
    const held = new HeldSegment(segment, seq, corrupt, this.packets);
    if (this.halves[direction].hold(held) !== null) this.#open().suspect(direction, 'conflict', segment.payloadLength, segment.packet);
  }

  /** Passes on what can be, and gives up what was waited for long enough. */
  pump(now: PacketPosition): void {
    for (;;) {
      while (!this.closed && (this.#passHeld(0) || this.#passHeld(1)));
      if (this.closed || !this.waiting) return;
      const direction = this.#obstacle();
      if (!this.#waitedEnough(direction, now)) return;
      this.#giveUp(direction);
    }
  }

  /** Passes on all that is held, gaps and all, and closes. */
  flush(cause: CloseCause, position: PacketPosition = this.#lastPosition): void {
    if (this.closed) return;
    for (;;) {
      while (!this.closed && (this.#passHeld(0) || this.#passHeld(1)));
      if (this.closed || !this.waiting) break;
      this.#giveUp(this.#obstacle());
    }
    if (this.closed) return;
    this.#missingTail(0, position);
    this.#missingTail(1, position);
    this.#close(cause);
  }

  /** Gives up the oldest thing waited for, to make room. */
  makeRoom(): void {
    if (!this.waiting) return;
    this.#giveUp(this.#obstacle());
    while (!this.closed && (this.#passHeld(0) || this.#passHeld(1)));
  }

  #close(cause: CloseCause): void {
    this.closed = true;
    for (const half of this.halves) {
      half.held.length = 0;
      half.heldBytes = 0;
    }
    this.#sink?.close(cause);
    this.#sink = null;
  }

  /** Passes on the next held segment of a direction, if it can be. */
  #passHeld(direction: Direction): boolean {
    const half = this.halves[direction];
    if (half.held.length === 0) return false;
    if (!half.open && !this.#mayStart(half)) return false;
    const segment = half.take(false);
    if (segment === null || !this.#isCaused(segment.ack, direction)) return false;
    this.#pass(segment, direction, segment.end);
    return true;
  }

  #mayStart(half: HalfStream): boolean {
    const first = (half.held[0] as HeldSegment).seq;
    if (!this.#forward || (half.ackSeen && ((half.acked - first) | 0) < 0)) return false;
    half.startAt(first);
    return true;
  }

  /** All that the sender had received when it sent this was passed on. */
  #isCaused(ack: number, direction: Direction): boolean {
    const other = this.halves[1 - direction] as HalfStream;
    if (other.open) return ((ack - other.next) | 0) <= 0;
    const first = other.held[0];
    return first === undefined || ((ack - first.seq) | 0) <= 0;
  }

  #pass(segment: HeldSegment, direction: Direction, until: number): void {
    const half = this.halves[direction];
    const skip = (half.next - segment.seq) | 0;
    const captured = Math.min(segment.bytes.length, (until - segment.seq) | 0);
    const missing = ((until - segment.seq) | 0) - Math.max(captured, skip);
    if (captured > skip) this.#passBytes(direction, segment.bytes, skip, captured, segment.position, segment.seq);
    if (this.closed) return;
    if (missing > 0) {
      half.next = (half.next + missing) | 0;
      this.#open().gap(direction, missing, 'snaplen', segment.position);
    }
    if (half.next !== segment.end) return;
    half.discard(segment);
    if (segment.rst) this.flush('reset', segment.position);
    else if (segment.fin) this.#finish(direction);
  }

  #finish(direction: Direction): void {
    const half = this.halves[direction];
    if (half.ended) return;
    half.ended = true;
    half.next = (half.next + 1) | 0;
    this.#sink?.end(direction);
    if (this.halves[0].ended && this.halves[1].ended) this.#close('closed');
  }

  #passSegment(segment: Segment, direction: Direction): void {
    this.halves[direction].dataSeen = true;
    this.#passBytes(direction, segment.bytes, segment.start, segment.end, segment.packet, segment.seq);
  }

  #passBytes(direction: Direction, bytes: Uint8Array, start: number, end: number, position: PacketPosition, seq: number): void {
    const half = this.halves[direction];
    const sink = this.#open();
    const wanted = sink.wants(direction, end - start);
    half.next = (half.next + end - start) | 0;
    if (wanted && seq === ((half.next - (end - start)) | 0)) half.remember(seq, end - start, internetSum(bytes, start, end));
    sink.data(direction, bytes, start, end, position);
  }

  #open(): StreamSink {
    this.#sink ??= this.#sinks.open(this);
    return this.#sink;
  }

  /** The direction whose obstacle is to be given up first: one that doesn't wait for the other, else the one held longer. */
  #obstacle(): Direction {
    const [a, b] = [this.halves[0].held[0], this.halves[1].held[0]];
    if (a === undefined) return 1;
    if (b === undefined) return 0;
    const [aCaused, bCaused] = [this.#isCaused(a.ack, 0), this.#isCaused(b.ack, 1)];
    if (aCaused !== bCaused) return aCaused ? 0 : 1;
    return a.arrival <= b.arrival ? 0 : 1;
  }

  #waitedEnough(direction: Direction, now: PacketPosition): boolean {
    const half = this.halves[direction];
    const head = half.held[0] as HeldSegment;
    let since: PacketPosition = head.position;
    let arrival = head.arrival;
    if (half.open && half.take(false) === null) {
      const acked = half.ackSeen && ((half.acked - half.next) | 0) > 0;
      // What wasn't acknowledged will be sent again.
      if (!acked && (this.halves[1 - direction] as HalfStream).seen) return false;
      if (half.holeAcked !== null && half.holeAckedArrival > arrival) {
        since = half.holeAcked;
        arrival = half.holeAckedArrival;
      }
    }
    const packets = this.packets - arrival;
    const nanos = nanosBetween(since, now);
    return (packets >= WAIT_PACKETS && nanos >= WAIT_NANOS) || packets >= WAIT_PACKETS_ALONE || nanos >= WAIT_NANOS_ALONE;
  }

  #giveUp(direction: Direction): void {
    if (this.#giveUpMissing(direction)) return;
    // All it needs of its own direction is there: it waits for the other.
    const segment = this.halves[direction].take(false);
    if (segment === null) return;
    const otherDirection = (1 - direction) as Direction;
    const other = this.halves[otherDirection];
    if (other.held.length === 0) this.#skipTo(other, otherDirection, segment.ack, segment.position);
    else if (!this.#giveUpMissing(otherDirection)) this.#pass(segment, direction, segment.end);
  }

  /** Gives up what a direction lacks of its own: a beginning, the bytes of a hole, an intact copy. False where it lacks nothing. */
  #giveUpMissing(direction: Direction): boolean {
    const half = this.halves[direction];
    const head = half.held[0] as HeldSegment;
    const hole = (head.seq - half.next) | 0;
    if (!half.open) half.startAt(head.seq);
    else if (hole > 0) {
      half.next = head.seq;
      this.#open().gap(direction, hole, 'gap', head.position);
    } else if (half.take(false) === null) this.#passCorrupt(direction);
    else return false;
    return true;
  }

  #passCorrupt(direction: Direction): void {
    const half = this.halves[direction];
    const segment = half.take(true);
    if (segment === null) return;
    const until = half.intactFrom(segment.end);
    this.#open().suspect(direction, 'checksum', (until - half.next) | 0, segment.position);
    this.#pass(segment, direction, until);
  }

  /** Bytes that the other side acknowledged, and so received, were not captured. */
  #skipTo(half: HalfStream, direction: Direction, seq: number, position: PacketPosition): void {
    const missing = (seq - half.next) | 0;
    // One byte may be a FIN that wasn't captured.
    if (missing > 1) this.#open().gap(direction, missing, 'gap', position);
    half.next = seq;
  }

  /** Bytes at the end of a direction that the other acknowledged, but the capture doesn't hold. */
  #missingTail(direction: Direction, position: PacketPosition): void {
    const half = this.halves[direction];
    if (half.open && half.ackSeen && !half.ended && ((half.acked - half.next) | 0) > 0) this.#skipTo(half, direction, half.acked, position);
  }
}
