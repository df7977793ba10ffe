import type { PacketPosition } from '../capture/packet.ts';
import { SEEK_BYTES } from '../limits.ts';
import type { Reason } from './exchange.ts';
import type { FrameFinder } from './frame-finder.ts';
import { type FrameConsumer, FrameSplitter } from './frame-splitter.ts';
import { SeekBuffer } from './seek-buffer.ts';

/** Takes what a {@link Lane} finds. */
export interface LaneConsumer extends FrameConsumer {
  /** `length` bytes, ending at stream offset `until`, were passed over to find the next frame, or belong to no frame that was found. */
  skipped(length: number, until: number, position: PacketPosition): void;
}

/** One direction of a Kafka connection: split into frames while their borders are known, searched for the next frame where not. */
export class Lane {
  readonly splitter: FrameSplitter;
  readonly #consumer: LaneConsumer;
  readonly #finder: FrameFinder | null;
  /** Bytes of unknown borders; null while frames follow each other. */
  #seeking: SeekBuffer | null;
  #skippedBytes = 0;

  /** `inFrames`: the next byte begins a frame. Without a finder, bytes are only kept, for another lane to adopt. */
  constructor(consumer: LaneConsumer, inFrames: boolean, finder: FrameFinder | null = null) {
    this.splitter = new FrameSplitter(consumer);
    this.#consumer = consumer;
    this.#finder = finder;
    this.#seeking = inFrames ? null : new SeekBuffer();
  }

  /** Whether anybody looks at the next `length` bytes. */
  wants(length: number): boolean {
    return this.#seeking !== null || this.splitter.unwanted < length;
  }

  /** What is there while borders aren't known. */
  get unsorted(): SeekBuffer | null {
    return this.#seeking;
  }

  data(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    const at = this.#seeking === null ? this.splitter.data(bytes, start, end, position) : start;
    if (at < end) this.#seek(bytes, at, end, position);
  }

  /** Takes over what another lane has kept. */
  adopt(other: Lane): void {
    this.#seeking = other.#seeking;
    this.#skippedBytes = other.#skippedBytes;
    this.splitter.passed = other.splitter.passed;
    this.#find(false);
  }

  gap(length: number, cause: Reason, position: PacketPosition): void {
    if (this.#seeking === null) {
      if (this.splitter.gap(length, cause, position)) return;
      this.#seeking = new SeekBuffer();
      return;
    }
    this.#find(true);
    if (this.#seeking === null) {
      this.gap(length, cause, position);
      return;
    }
    this.#dropFront(this.#seeking.length);
    this.splitter.passed += length;
  }

  /** The direction ends. */
  end(cause: Reason, position: PacketPosition): void {
    if (this.#seeking !== null) this.#find(true);
    if (this.#seeking !== null) {
      this.#dropFront(this.#seeking.length);
      this.#reportSkipped(position);
    } else this.splitter.end(cause, position);
  }

  /** Gives the borders up: what comes next is searched. `bytes[start, end)` came before it. */
  lose(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    this.#seeking = new SeekBuffer();
    if (end > start) this.#seeking.append(bytes, start, end, position);
  }

  /** Forgets the oldest of what isn't sorted. */
  trim(keepBytes: number): void {
    if (this.#seeking !== null && this.#seeking.length > keepBytes) this.#dropFront(this.#seeking.length - keepBytes);
  }

  #seek(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    const buffer = this.#seeking ?? new SeekBuffer();
    this.#seeking = buffer;
    buffer.append(bytes, start, end, position);
    this.#find(false);
    if (this.#seeking === buffer && buffer.length > SEEK_BYTES) {
      this.#find(true);
      if (this.#seeking === buffer) this.#dropFront(buffer.length - SEEK_BYTES / 2);
    }
  }

  #find(final: boolean): void {
    const buffer = this.#seeking;
    if (buffer === null || this.#finder === null) return;
    const found = this.#finder.find(buffer, final);
    if (found < 0) return;
    this.#seeking = null;
    this.splitter.passed += found;
    this.#skippedBytes += found;
    let first = true;
    for (const { start, end, position } of buffer.pieces(found)) {
      if (first) this.#reportSkipped(position);
      first = false;
      this.data(buffer.bytes, start, end, position);
    }
  }

  #dropFront(count: number): void {
    this.#seeking?.drop(count);
    this.#skippedBytes += count;
    this.splitter.passed += count;
  }

  #reportSkipped(position: PacketPosition): void {
    if (this.#skippedBytes > 0) this.#consumer.skipped(this.#skippedBytes, this.splitter.passed, position);
    this.#skippedBytes = 0;
  }
}
