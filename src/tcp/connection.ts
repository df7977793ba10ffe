import { assignPosition, nanosBetween, type PacketPosition } from '../capture/packet.ts';
import { Checksum, type Segment, TcpFlag } from '../net/segment.ts';
import { Delivery } from './delivery.ts';
import type { FlowKey } from './flow-table.ts';
import type { HalfStream } from './half-stream.ts';
import { HeldSegment } from './held-segment.ts';
import type { CloseCause, Direction, StreamSinkFactory, TcpConnection } from './stream-sink.ts';

const CONTROL_FLAGS = TcpFlag.syn | TcpFlag.fin | TcpFlag.rst;
const IN_ORDER_FLAGS = CONTROL_FLAGS | TcpFlag.ack;

/** One TCP connection: takes its segments in the order of the capture, learns from each what its numbers and flags say, and has their bytes delivered. */
export class Connection implements TcpConnection {
  readonly stream: number;
  readonly key: FlowKey;
  opener: Direction | null = null;
  /** Next connection of the flow table's bucket. */
  chained: Connection | null = null;
  /** Ended, and still to be found. */
  isRemembered = false;
  /** Ordinal of the last packet over all connections, for eviction. */
  lastUsed = 0;
  /** What the reassembler last counted of {@link heldBytes}. */
  countedBytes = 0;
  /** The reassembler looks at it now and then. */
  isWatched = false;
  /** Bytes that came after the end, and weren't looked at. The reassembler takes them out. */
  bytesAfterEnd = 0;
  readonly #delivery: Delivery;
  readonly #halves: readonly [HalfStream, HalfStream];
  /** Packets so far. */
  #packets = 0;
  readonly #packetsFrom: [number, number] = [0, 0];
  /** Capture that held the SYN. */
  #synCapture = -1;
  /** The last packet that wasn't in order: where losses noticed at the end are said to be. */
  readonly #lastPosition: PacketPosition = { capture: 0, number: 0, seconds: Number.NaN, nanos: 0, fine: false };

  constructor(stream: number, key: FlowKey, sinks: StreamSinkFactory) {
    this.stream = stream;
    this.key = key;
    this.#delivery = new Delivery(this, sinks);
    this.#halves = this.#delivery.halves;
  }

  endpoint(direction: Direction): string {
    return this.key.endpoint(direction);
  }

  beginsWhole(direction: Direction): boolean {
    return this.#halves[direction].beginsWhole;
  }

  hasPackets(direction: Direction): boolean {
    return this.#packetsFrom[direction] > 0;
  }

  get closed(): boolean {
    return this.#delivery.closed;
  }

  get mostHeldBytes(): number {
    return Math.max(this.#halves[0].heldBytes, this.#halves[1].heldBytes);
  }

  get mostHeldSegments(): number {
    return Math.max(this.#halves[0].held.length, this.#halves[1].held.length);
  }

  get heldBytes(): number {
    return this.#halves[0].heldBytes + this.#halves[1].heldBytes;
  }

  /** Something is held that waits for bytes which aren't there. */
  get waiting(): boolean {
    return this.#delivery.waiting;
  }

  /** Something is held, or was skipped and may still come. */
  get unsettled(): boolean {
    return this.#delivery.waiting || this.#delivery.hasSkipped;
  }

  /** Somebody looks at what it says: it isn't known to be something else than Kafka, and has said something. */
  get matters(): boolean {
    const { sink } = this.#delivery;
    return sink === null ? this.waiting : !sink.ignoring;
  }

  /** Both directions ended, or a reset: a SYN after it opens a new connection whatever its number. */
  get #over(): boolean {
    return this.closed || (this.#halves[0].ended && this.#halves[1].ended);
  }

  /** Takes a segment that belongs to this connection; a SYN has been through {@link accepts}. */
  segment(segment: Segment, direction: Direction): void {
    this.#packets++;
    this.#packetsFrom[direction]++;
    const delivery = this.#delivery;
    if (delivery.closed) {
      this.#afterEnd(segment, direction);
      return;
    }
    if (delivery.sink?.ignoring === true) {
      this.#watchEnd(segment, direction);
      return;
    }
    const half = this.#halves[direction];
    const other = this.#halves[1 - direction] as HalfStream;
    if (
      half.open &&
      !half.ended &&
      (segment.flags & IN_ORDER_FLAGS) === TcpFlag.ack &&
      half.held.length === 0 &&
      segment.end - segment.start === segment.payloadLength &&
      other.open &&
      ((segment.ack - other.next) | 0) <= 0 &&
      (segment.seq === half.next || this.#skipsTo(segment, half, direction))
    ) {
      this.#inOrder(segment, half, other, direction);
      return;
    }
    assignPosition(this.#lastPosition, segment.packet);
    this.#irregular(segment, direction);
  }

  /** What comes after the end isn't looked at any more: bytes that a reset crossed, or given up as missing before. */
  #afterEnd(segment: Segment, direction: Direction): void {
    const half = this.#halves[direction];
    if (!this.#delivery.mattered || !half.open || segment.end === segment.start) return;
    const end = (segment.seq + segment.payloadLength) | 0;
    this.bytesAfterEnd += half.givenUp === null ? 0 : half.givenUp.take(segment.seq, end);
    const beyond = (end - half.next) | 0;
    if (half.ended || half.isBeyond(segment.seq) || beyond <= 0) return;
    this.bytesAfterEnd += beyond;
    half.next = end;
  }

  /** The end of a connection that nobody looks at makes room for others. */
  #watchEnd(segment: Segment, direction: Direction): void {
    for (const half of this.#halves) half.dropAll();
    if ((segment.flags & TcpFlag.fin) !== 0) this.#halves[direction].ended = true;
    if ((segment.flags & TcpFlag.rst) !== 0) this.#delivery.close('reset');
    else if (this.#over) this.#delivery.close('closed');
  }

  /**
   * In order and in cause, as nearly every segment of a good capture is: the same as {@link #irregular} does, without holding what needn't
   * wait. `npm run bench -- --only mix-1500 small many`.
   */
  #inOrder(segment: Segment, half: HalfStream, other: HalfStream, direction: Direction): void {
    const delivery = this.#delivery;
    const length = segment.payloadLength;
    const isWanted = length > 0 && delivery.openSink().wants(direction, length);
    if ((isWanted || half.learning) && this.#isDamaged(segment, half)) {
      if (length > 0) this.#hold(segment, segment.seq, true, direction);
    } else {
      this.#acknowledge(segment, other, half, segment.seq);
      half.sawSeq(segment.seq);
      if (isWanted) delivery.passWanted(direction, segment.bytes, segment.start, segment.end, segment.packet, segment.payloadSum());
      else if (length > 0) delivery.passUnwanted(direction, segment.bytes, segment.start, segment.end, segment.packet);
    }
    if (delivery.waiting) delivery.pump(segment.packet, this.#packets);
  }

  /**
   * Passes over a hole before a segment, if it lies in a frame that nobody asked for: whether the bytes come late or never changes nothing but the
   * account of what is missing. Else a capture that lost one packet in a hundred would have most of the others held
   * and copied: `npm run bench -- --only lossy`.
   */
  #skipsTo(segment: Segment, half: HalfStream, direction: Direction): boolean {
    const delivery = this.#delivery;
    const bytes = (segment.seq - half.next) | 0;
    if (bytes <= 0 || segment.payloadLength === 0 || half.learning || !delivery.canSkip(direction, bytes)) return false;
    if (this.#isDamaged(segment, half)) return false;
    delivery.skip(direction, bytes, segment.packet, this.#packets);
    return true;
  }

  #irregular(segment: Segment, direction: Direction): void {
    const half = this.#halves[direction];
    const other = this.#halves[1 - direction] as HalfStream;
    const syn = (segment.flags & TcpFlag.syn) !== 0;
    const seq = syn ? (segment.seq + 1) | 0 : segment.seq;
    const damaged = !this.#isPlainAck(segment, half, other) && this.#isDamaged(segment, half);
    if (!damaged) {
      if (syn) this.#synchronise(segment, seq, direction);
      if ((segment.flags & TcpFlag.ack) !== 0) this.#acknowledge(segment, other, half, seq);
      if ((segment.flags & TcpFlag.rst) === 0) half.sawSeq(seq);
    }
    if (segment.payloadLength > 0 || (!damaged && (segment.flags & (TcpFlag.fin | TcpFlag.rst)) !== 0)) {
      this.#place(segment, seq, damaged, direction);
    }
    if (this.waiting) this.#delivery.pump(segment.packet, this.#packets);
  }

  /** An acknowledgment that can do no harm: its checksum needn't be looked at. */
  #isPlainAck(segment: Segment, half: HalfStream, other: HalfStream): boolean {
    if (segment.payloadLength > 0 || (segment.flags & CONTROL_FLAGS) !== 0 || half.learning) return false;
    return other.open && ((segment.ack - other.next) | 0) <= 0;
  }

  #isDamaged(segment: Segment, half: HalfStream): boolean {
    const checksum = segment.checksum();
    half.learn(checksum);
    return checksum === Checksum.wrong && half.checksumsMatter;
  }

  #synchronise(segment: Segment, first: number, direction: Direction): void {
    const half = this.#halves[direction];
    const isAnswer = (segment.flags & TcpFlag.ack) !== 0;
    if (isAnswer) this.#synchroniseOther(segment.ack, direction);
    if (half.synSeen) return;
    half.synSeen = true;
    half.synNext = first;
    this.opener = isAnswer ? ((1 - direction) as Direction) : direction;
    if (this.#synCapture < 0) this.#synCapture = segment.packet.capture;
    this.#beginAt(direction, first);
  }

  /** A handshake says where a direction begins. It may come after data, the first of which are missing. */
  #beginAt(direction: Direction, first: number): void {
    const half = this.#halves[direction];
    if (!half.open) half.startAt(first, true);
    else if (((half.base - first) | 0) > 0 && !half.beginsWhole) {
      half.beginsWhole = true;
      this.#delivery.openSink().suspect(direction, 'missing-beginning', (half.base - first) | 0, this.#lastPosition);
    }
  }

  /** SYN+ACK acknowledges the other side's SYN: it tells where that side begins, should its SYN be missing. */
  #synchroniseOther(ack: number, direction: Direction): void {
    const other = this.#halves[1 - direction] as HalfStream;
    if (!other.seen || ((other.lowestSeen - ack) | 0) >= 0) this.#beginAt((1 - direction) as Direction, ack);
  }

  /** Whether a SYN belongs to this connection, rather than opening the next one between the same endpoints. */
  accepts(segment: Segment, direction: Direction): boolean {
    const first = (segment.seq + 1) | 0;
    const half = this.#halves[direction];
    // A damaged one changes nothing, whatever its number.
    if (half.checksumsMatter && segment.checksum() === Checksum.wrong) return true;
    const isAnswer = (segment.flags & TcpFlag.ack) !== 0;
    if (half.synSeen) {
      if (half.synNext !== first) return false;
      // The same SYN again is a copy, after the end too if it was captured before that: by another tap, or on another interface.
      return isAnswer || !this.#over || segment.packet.capture !== this.#synCapture || nanosBetween(segment.packet, this.#lastPosition) > 0;
    }
    if (half.seen) return half.lowestSeen === first || (half.open && half.base === first) || (half.ackSeen && half.lowestAck === first);
    const other = this.#halves[1 - direction] as HalfStream;
    if (isAnswer) return !other.synSeen || other.synNext === segment.ack || ((other.next - segment.ack) | 0) >= 0;
    return !other.seen || !half.ackSeen || half.lowestAck === first;
  }

  #acknowledge(segment: Segment, acknowledged: HalfStream, half: HalfStream, seq: number): void {
    const { ack } = segment;
    const lowestHeld = acknowledged.held[0];
    // Time runs forward where an acknowledgment comes after the data it covers, or data after the acknowledgment of all before it.
    if (lowestHeld !== undefined && ((ack - lowestHeld.seq) | 0) > 0) this.#delivery.isForward = true;
    acknowledged.sawAck(ack, segment.packet, this.#packets);
    if (segment.payloadLength === 0) return;
    if (half.ackSeen && ((half.acked - seq) | 0) <= 0) this.#delivery.isForward = true;
    const alone = !acknowledged.seen;
    if (alone && half.dataSeen && ((seq - half.lastSeq) | 0) > 0 && ((ack - half.lastAck) | 0) > 0) this.#delivery.isForward = true;
    half.lastSeq = seq;
    half.lastAck = ack;
    half.dataSeen = true;
  }

  /** Holds a segment with data, FIN or RST, unless all of it has been passed on. */
  #place(segment: Segment, seq: number, damaged: boolean, direction: Direction): void {
    const half = this.#halves[direction];
    const length = segment.payloadLength;
    const isFin = (segment.flags & TcpFlag.fin) !== 0;
    const isRst = (segment.flags & TcpFlag.rst) !== 0;
    if (isRst && !damaged && this.#resetsAtOnce(segment, seq, direction)) return;
    const end = (seq + length) | 0;
    if (half.isBeyond(seq) || (half.ended && ((end - half.next) | 0) > 0)) {
      this.#delivery.openSink().suspect(direction, 'stray', length, segment.packet);
      return;
    }
    if (half.open && ((seq - half.next) | 0) < 0) this.#compareWithPassed(segment, seq, damaged, direction);
    const behind = half.open ? (end - half.next) | 0 : 1;
    if (behind > 0 || (behind === 0 && !damaged && (isRst || (isFin && !half.ended)))) this.#hold(segment, seq, damaged, direction);
  }

  /**
   * A reset that ends the connection now, or is a late copy of an earlier one (RFC 9293, section 3.10.7.4) and does nothing. One that
   * shows that bytes before it are missing waits for them.
   */
  #resetsAtOnce(segment: Segment, seq: number, direction: Direction): boolean {
    const half = this.#halves[direction];
    const other = this.#halves[1 - direction] as HalfStream;
    const acks = (segment.flags & TcpFlag.ack) !== 0;
    // The answer of an endpoint that refuses the connection.
    const refuses = !half.open && acks && other.synSeen && segment.ack === other.synNext;
    if (!refuses) {
      if (!half.open || ((seq - half.next) | 0) > 0) return false;
      if (half.ackSeen && ((seq - half.acked) | 0) < 0) return true;
      if (seq === half.next && acks && other.open && ((segment.ack - other.next) | 0) > 0) return false;
    }
    this.flush('reset', segment.packet);
    return true;
  }

  /** What a segment brings again, or too late. */
  #compareWithPassed(segment: Segment, seq: number, damaged: boolean, direction: Direction): void {
    const half = this.#halves[direction];
    const length = segment.payloadLength;
    const end = (seq + length) | 0;
    const captured = segment.end - segment.start;
    const until = ((seq + captured - half.next) | 0) < 0 ? (seq + captured) | 0 : half.next;
    const late = damaged ? 0 : this.#beforeBeginning(half, seq, until) + (half.givenUp === null ? 0 : half.givenUp.take(seq, until));
    if (late > 0) this.#delivery.openSink().suspect(direction, 'late', late, segment.packet);
    if (damaged && ((end - half.next) | 0) <= 0) this.#delivery.openSink().suspect(direction, 'damaged-copy', length, segment.packet);
    if (!damaged && half.skipped !== null) half.skipped.fill(seq, until);
    // One byte before the next one is a keep-alive's (RFC 9293, section 3.8.4), of any value.
    if (damaged || length === 1 || captured !== length || half.passed === null) return;
    const sum = half.passed.recall(seq, length);
    if (sum < 0 || segment.payloadSum() === sum) return;
    this.#delivery.openSink().suspect(direction, 'conflict', length, segment.packet);
  }

  /** How many bytes of a segment come before those that a direction was begun with. One byte is a keep-alive's. */
  #beforeBeginning(half: HalfStream, seq: number, until: number): number {
    const end = ((until - half.base) | 0) < 0 ? until : half.base;
    const bytes = (end - seq) | 0;
    if (half.beginsWhole || bytes <= 1) return 0;
    half.base = seq;
    return bytes;
  }

  #hold(segment: Segment, seq: number, damaged: boolean, direction: Direction): void {
    const half = this.#halves[direction];
    const bytes = half.heldContent.copy(segment.bytes, segment.start, segment.end);
    if (half.hold(new HeldSegment(segment, seq, bytes, damaged, this.#packets)))
      this.#delivery.openSink().suspect(direction, 'conflict', segment.payloadLength, segment.packet);
  }

  /** See {@link Delivery.pump} and {@link Delivery.settle}. */
  pump(now: PacketPosition): void {
    this.#delivery.pump(now, this.#packets);
    this.#delivery.settle(now, this.#packets);
  }

  /** See {@link Delivery.makeRoom}. */
  makeRoom(): void {
    this.#delivery.makeRoom();
  }

  /** See {@link Delivery.flush}. */
  flush(cause: CloseCause, position: PacketPosition = this.#lastPosition): void {
    if (!this.closed) this.#delivery.flush(cause, position);
  }
}
