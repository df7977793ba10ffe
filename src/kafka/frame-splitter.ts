import { assignPosition, type PacketPosition } from '../capture/packet.ts';
import { int32 } from '../wire/bytes.ts';
import type { Reason } from './exchange.ts';
import type { SpareBuffers } from './spare-buffers.ts';

/** What to do with a frame whose head is there. */
export const FrameUse = { skip: 0, collect: 1 } as const;
export type FrameUse = (typeof FrameUse)[keyof typeof FrameUse];

/** The frame at work. */
export interface FrameFacts {
  /** Value of its size prefix; -1 while not all of that is there. */
  readonly size: number;
  /** Packet with its first byte. Borrowed. */
  readonly first: PacketPosition;
  /** Offset of its size prefix in its direction. */
  readonly offset: number;
  /** Bytes of the direction that came so far, missing ones included. */
  readonly passed: number;
  /** The bytes that come with it are a copy of its own, to be kept by whoever wants them; else they are borrowed. */
  readonly ownsBytes: boolean;
}

/** Takes the frames of one direction. Ranges are borrowed, but see {@link FrameFacts.ownsBytes}; `start` is that of the size prefix. */
export interface FrameConsumer {
  /** How many bytes of a frame of that size must be there before {@link head} can be called; -1 if no frame has that size. */
  headBytes(bytes: Uint8Array, start: number, available: number, size: number): number;
  /** The head is there. */
  head(bytes: Uint8Array, start: number, available: number, frame: FrameFacts): FrameUse;
  /** A frame ended; `bytes[start, end)` is all of it if it was collected, else empty. */
  whole(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, position: PacketPosition): void;
  /** Bytes of the frame at work are missing, whose head was there; `bytes[start, end)` is what came before, if it was collected. */
  damaged(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, cause: Reason): void;
  /** Bytes of a head are missing; `bytes[start, end)` is what came before. */
  headDamaged(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, cause: Reason): void;
  /** The size can't be one: the place is lost. `bytes[start, end)` is the piece of the head that was taken from earlier data. */
  lost(bytes: Uint8Array, start: number, end: number, frame: FrameFacts): void;
}

const NOTHING = new Uint8Array(0);
const FIRST_HEAD_BYTES = 64;
const FIRST_COLLECTED_BYTES = 512;

/**
 * Splits one direction into frames by their int32 size, over any segmentation. A frame nobody asked for is counted down and never
 * copied; one inside a single piece of data isn't copied either.
 */
export class FrameSplitter implements FrameFacts {
  size = -1;
  readonly first: PacketPosition = { capture: 0, number: 0, seconds: Number.NaN, nanos: 0, fine: false };
  offset = 0;
  passed = 0;
  ownsBytes = false;
  /** Bytes of the frame at work that are still to come, once its head is there. */
  #remaining = 0;
  #head = NOTHING;
  #headLength = 0;
  #isLost = false;
  #collected: Uint8Array | null = null;
  #collectedLength = 0;
  readonly #consumer: FrameConsumer;
  readonly #spare: SpareBuffers;

  constructor(consumer: FrameConsumer, spare: SpareBuffers) {
    this.#consumer = consumer;
    this.#spare = spare;
  }

  /** Bytes of the frame at work that will only be counted. */
  get unwanted(): number {
    return this.#collected === null ? this.#remaining : 0;
  }

  /** Memory that the frame at work takes. */
  get keptBytes(): number {
    return this.#head.length + (this.#collected === null ? 0 : this.#collected.length);
  }

  /** Gives up what came of the frame at work; its other bytes are counted down, if its size is known. */
  giveUp(): void {
    if (this.#collected !== null || this.#headLength >= 4) this.gap(0, 'evicted');
    if (this.#headLength === 0) this.#head = NOTHING;
  }

  /** Splits `bytes[start, end)`; returns where it stopped: `end`, or earlier where it lost its place. */
  data(bytes: Uint8Array, start: number, end: number, position: PacketPosition): number {
    let at = start;
    this.#isLost = false;
    while (at < end && !this.#isLost) {
      if (this.#remaining > 0) at = this.#continueFrame(bytes, at, end, position);
      else if (this.#headLength === 0) at = this.#beginFrame(bytes, at, end, position);
      else at = this.#continueHead(bytes, at, end, position);
    }
    return at;
  }

  /** Bytes of the frame at work pass unseen: {@link unwanted} ones. When it ended isn't known if they are its last. */
  skip(length: number): void {
    if (length === this.#remaining) this.gap(length, 'gap');
    else {
      this.#remaining -= length;
      this.passed += length;
    }
  }

  /** Bytes are missing. Returns whether the place of the next frame is still known. */
  gap(length: number, cause: Reason): boolean {
    const rest = this.#rest;
    this.cut(cause);
    this.passed += length;
    if (rest < length) return false;
    this.#remaining = rest - length;
    return true;
  }

  /** Bytes to come of the frame at work; -1 where none is, or its size isn't known. */
  get #rest(): number {
    if (this.#remaining > 0) return this.#remaining;
    return this.#headLength >= 4 ? 4 + int32(this.#head, 0) - this.#headLength : -1;
  }

  /** The frame at work, if there is one, ends here: with the stream, or by a gap. */
  cut(cause: Reason): void {
    const [remaining, headLength, collected, collectedLength] = [this.#remaining, this.#headLength, this.#collected, this.#collectedLength];
    this.#forgetFrame();
    if (remaining > 0) {
      this.#consumer.damaged(collected ?? NOTHING, 0, collectedLength, this, cause);
      if (collected !== null) this.#spare.give(collected);
    } else if (headLength > 0) {
      this.size = headLength < 4 ? -1 : int32(this.#head, 0);
      this.#consumer.headDamaged(this.#head, 0, headLength, this, cause);
    }
  }

  #forgetFrame(): void {
    this.#collected = null;
    this.#collectedLength = 0;
    this.#headLength = 0;
    this.#remaining = 0;
  }

  #continueFrame(bytes: Uint8Array, at: number, end: number, position: PacketPosition): number {
    const taken = Math.min(this.#remaining, end - at);
    if (this.#collected !== null) this.#collect(bytes, at, at + taken);
    this.#remaining -= taken;
    this.passed += taken;
    if (this.#remaining === 0) this.#finish(position);
    return at + taken;
  }

  #beginFrame(bytes: Uint8Array, at: number, end: number, position: PacketPosition): number {
    assignPosition(this.first, position);
    this.offset = this.passed;
    const available = end - at;
    if (available < 4) return this.#keepHead(bytes, at, end);
    const size = int32(bytes, at);
    const needed = this.#consumer.headBytes(bytes, at, available, size);
    if (needed < 0) return this.#lose(at);
    if (needed > available) return this.#keepHead(bytes, at, end);
    const frameEnd = at + 4 + size;
    this.size = size;
    const use = this.#consumer.head(bytes, at, available, this);
    const until = Math.min(end, frameEnd);
    this.passed += until - at;
    if (frameEnd <= end) {
      if (use === FrameUse.collect) this.#consumer.whole(bytes, at, frameEnd, this, position);
      else this.#consumer.whole(NOTHING, 0, 0, this, position);
      return frameEnd;
    }
    this.#remaining = frameEnd - end;
    if (use === FrameUse.collect) this.#startCollecting(bytes, at, until, size);
    return until;
  }

  /** Keeps the piece of a head that came so far. */
  #keepHead(bytes: Uint8Array, at: number, end: number): number {
    this.#growHead(end - at);
    this.#head.set(bytes.subarray(at, end), this.#headLength);
    this.#headLength += end - at;
    this.passed += end - at;
    return end;
  }

  #continueHead(bytes: Uint8Array, start: number, end: number, position: PacketPosition): number {
    let at = start;
    for (;;) {
      const length = this.#headLength;
      const needed = length < 4 ? 4 : this.#consumer.headBytes(this.#head, 0, length, int32(this.#head, 0));
      if (needed < 0) return this.#lose(at);
      if (length >= 4 && needed <= length) return this.#headDone(at, position);
      if (at === end) return at;
      const until = Math.min(end, at + needed - length);
      this.#keepHead(bytes, at, until);
      at = until;
    }
  }

  #headDone(at: number, position: PacketPosition): number {
    const length = this.#headLength;
    const size = int32(this.#head, 0);
    this.size = size;
    this.#headLength = 0;
    const use = this.#consumer.head(this.#head, 0, length, this);
    this.#remaining = 4 + size - length;
    if (use === FrameUse.collect) this.#startCollecting(this.#head, 0, length, size);
    if (this.#head.length > FIRST_HEAD_BYTES) this.#head = NOTHING;
    if (this.#remaining === 0) this.#finish(position);
    return at;
  }

  #startCollecting(bytes: Uint8Array, start: number, end: number, size: number): void {
    this.#collected = new Uint8Array(Math.min(4 + size, Math.max(FIRST_COLLECTED_BYTES, end - start)));
    this.#collectedLength = 0;
    this.#collect(bytes, start, end);
  }

  /** Grows with the bytes that come, never by what the size claims. */
  #collect(bytes: Uint8Array, start: number, end: number): void {
    let collected = this.#collected as Uint8Array;
    const needed = this.#collectedLength + end - start;
    if (needed > collected.length) {
      const all = 4 + this.size;
      const length = Math.max(needed, 2 * collected.length);
      // What holds all of the frame, and no more, becomes the frame's own.
      const grown = length < all ? this.#spare.take(length) : new Uint8Array(all);
      grown.set(collected.subarray(0, this.#collectedLength));
      this.#spare.give(collected);
      collected = grown;
      this.#collected = grown;
    }
    collected.set(bytes.subarray(start, end), this.#collectedLength);
    this.#collectedLength = needed;
  }

  #finish(position: PacketPosition): void {
    const collected = this.#collected;
    const length = this.#collectedLength;
    this.#collected = null;
    this.#collectedLength = 0;
    this.ownsBytes = collected !== null && collected.length === length;
    this.#consumer.whole(collected ?? NOTHING, 0, length, this, position);
    if (collected !== null && !this.ownsBytes) this.#spare.give(collected);
    this.ownsBytes = false;
  }

  #lose(at: number): number {
    const length = this.#headLength;
    this.#headLength = 0;
    this.#isLost = true;
    this.passed -= length;
    this.#consumer.lost(this.#head, 0, length, this);
    return at;
  }

  #growHead(more: number): void {
    if (this.#headLength + more <= this.#head.length) return;
    const grown = new Uint8Array(Math.max(FIRST_HEAD_BYTES, 2 * (this.#headLength + more)));
    grown.set(this.#head.subarray(0, this.#headLength));
    this.#head = grown;
  }
}
