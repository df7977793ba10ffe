import type { PacketPosition } from '../capture/packet.ts';
import { SEEK_BYTES } from '../limits.ts';
import type { Reason } from './exchange.ts';
import type { FrameFinder } from './frame-finder.ts';
import { type FrameConsumer, FrameSplitter } from './frame-splitter.ts';
import type { Keeper, KeptBytes } from './kept-bytes.ts';
import { SeekBuffer } from './seek-buffer.ts';
import type { Unsorted } from './undecided.ts';

/** Takes what a {@link Lane} finds. */
export interface LaneConsumer extends FrameConsumer {
  /** `length` bytes from stream offset `from` on were passed over to find the next frame, or belong to no frame that was found. */
  skipped(length: number, from: number, position: PacketPosition): void;
}

/** One direction of a Kafka connection: split into frames while their borders are known, searched for the next frame where not. */
export class Lane implements Keeper {
  readonly splitter: FrameSplitter;
  readonly #consumer: LaneConsumer;
  readonly #finder: FrameFinder;
  readonly #kept: KeptBytes;
  /** What is kept of the frame at work, as it was last counted. */
  #frameBytes = 0;
  /** Bytes of unknown borders; null while frames follow each other. */
  #unsorted: SeekBuffer | null;
  #skippedBytes = 0;
  #skippedFrom = 0;
  /** The splitter lost its place while it took bytes from `#unsorted`, and of how many of them it had made a head. */
  #isLost = false;
  #lostHeadBytes = 0;

  /** `unsorted`: what came so far, to be searched by {@link search}; null if the direction's first byte comes next and begins a frame. */
  constructor(consumer: LaneConsumer, finder: FrameFinder, kept: KeptBytes, unsorted: Unsorted | null) {
    this.splitter = new FrameSplitter(consumer, kept.spare);
    this.#consumer = consumer;
    this.#finder = finder;
    this.#kept = kept;
    this.#unsorted = unsorted?.buffer ?? null;
    if (unsorted === null) return;
    this.splitter.passed = unsorted.passed;
    this.#skippedBytes = unsorted.skippedBytes;
    this.#skippedFrom = unsorted.skippedFrom;
  }

  /** Whether anybody looks at the next `length` bytes. */
  wants(length: number): boolean {
    return this.#unsorted !== null || this.splitter.unwanted < length;
  }

  get keptBytes(): number {
    return (this.#unsorted?.keptBytes ?? 0) + this.splitter.keptBytes;
  }

  data(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    const at = this.#unsorted === null ? this.splitter.data(bytes, start, end, position) : start;
    if (this.#unsorted === null) {
      if (this.splitter.keptBytes !== this.#frameBytes) this.#count();
      return;
    }
    if (at < end) this.#unsorted.append(bytes, at, end, position);
    this.search();
    if (this.#unsorted !== null && this.#unsorted.heldBytes > SEEK_BYTES) this.#makeRoom();
  }

  /** Looks for the next frame in what came so far. */
  search(): void {
    this.#search(false);
    this.#count();
  }

  gap(length: number, cause: Reason): void {
    this.#search(true);
    if (this.#unsorted === null) {
      if (!this.splitter.gap(length, cause)) this.#unsorted = new SeekBuffer(this.#kept.spare);
    } else {
      this.#forget();
      this.splitter.passed += length;
    }
    this.#count();
  }

  /** The direction ends. `position`: where it shows. */
  end(cause: Reason, position: PacketPosition): void {
    this.#search(true);
    if (this.#unsorted === null) this.splitter.cut(cause);
    else {
      this.#forget();
      this.#reportSkipped(position);
    }
    this.#count();
  }

  /** The splitter lost its place: what comes next is searched, after `bytes[start, end)` that it had taken already. */
  lose(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    this.#isLost = true;
    this.#lostHeadBytes = end - start;
    if (this.#unsorted !== null) return;
    this.#unsorted = new SeekBuffer(this.#kept.spare);
    if (end > start) this.#unsorted.append(bytes, start, end, position);
  }

  /** Gives up the frame at work, whose other bytes are counted down, and what isn't sorted. */
  giveUp(): void {
    this.#forget();
    this.splitter.giveUp();
  }

  #count(): void {
    this.#frameBytes = this.splitter.keptBytes;
    this.#kept.update(this);
  }

  /** Passes over all that isn't sorted. */
  #forget(): void {
    if (this.#unsorted === null) return;
    this.#skip(this.#unsorted.length);
    // Not released: whoever makes this lane give up may have been called while its frames were split.
    this.#unsorted = new SeekBuffer(this.#kept.spare);
  }

  /** Too much isn't sorted: what begins a frame that can't be told yet is believed, else the older half is passed over. */
  #makeRoom(): void {
    this.#search(true);
    const { length = 0, heldBytes = 0 } = this.#unsorted ?? {};
    if (heldBytes > SEEK_BYTES) this.#skip(Math.ceil(length / 2));
    this.#count();
  }

  /** `isFinal`: nothing more follows the bytes that are there. */
  #search(isFinal: boolean): void {
    while (this.#unsorted !== null) {
      const found = this.#finder.find(this.#unsorted, isFinal);
      if (found < 0) return;
      this.#skip(found - this.#unsorted.start);
      this.#split(this.#unsorted);
    }
  }

  /** Has the splitter take what isn't sorted, up to where it loses its place. */
  #split(buffer: SeekBuffer): void {
    this.#isLost = false;
    const { start, end } = buffer;
    for (let i = 0; i < buffer.marks.length; i++) {
      const mark = buffer.marks[i] as (typeof buffer.marks)[number];
      const until = buffer.marks[i + 1]?.offset ?? end;
      this.#reportSkipped(mark.position);
      const at = this.splitter.data(buffer.bytes, Math.max(start, mark.offset), until, mark.position);
      if (!this.#isLost) continue;
      const used = at - this.#lostHeadBytes - start;
      if (used > 0) buffer.drop(used);
      else this.#skip(1);
      return;
    }
    this.#unsorted = null;
  }

  #skip(count: number): void {
    if (count === 0) return;
    if (this.#skippedBytes === 0) this.#skippedFrom = this.splitter.passed;
    this.#unsorted?.drop(count);
    this.#skippedBytes += count;
    this.splitter.passed += count;
  }

  #reportSkipped(position: PacketPosition): void {
    if (this.#skippedBytes > 0) this.#consumer.skipped(this.#skippedBytes, this.#skippedFrom, position);
    this.#skippedBytes = 0;
  }
}
