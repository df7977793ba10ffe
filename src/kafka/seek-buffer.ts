import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import type { SpareBuffers } from './spare-buffers.ts';

/** Where a piece of data began. */
interface Mark {
  readonly offset: number;
  readonly position: PacketPosition;
}

const FIRST_BYTES = 256;
/** What a mark costs, measured on Node 20, so that many small segments count as what they are. */
const MARK_BYTES = 128;
const NOTHING = new Uint8Array(0);

/**
 * Bytes of a direction whose frame borders aren't known, with the places where segments began: `bytes[start, end)`. Offsets are those
 * in `bytes`; {@link append} may move them all.
 */
export class SeekBuffer {
  bytes: Uint8Array = NOTHING;
  start = 0;
  end = 0;
  /** Segment starts in order; the first may lie before `start`, where the front of its segment was forgotten. */
  marks: Mark[] = [];
  /** Marks, and offsets inside segments, before these were looked at in vain as frame starts. */
  marksTried = 0;
  scanned = 0;
  readonly #spare: SpareBuffers;

  constructor(spare: SpareBuffers) {
    this.#spare = spare;
  }

  get length(): number {
    return this.end - this.start;
  }

  /** Memory that it needs. */
  get heldBytes(): number {
    return this.length + MARK_BYTES * this.marks.length;
  }

  /** Memory that it takes. */
  get keptBytes(): number {
    return this.bytes.length + MARK_BYTES * this.marks.length;
  }

  append(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    this.#makeRoom(end - start);
    this.marks.push({ offset: this.end, position: copyPosition(position) });
    this.bytes.set(bytes.subarray(start, end), this.end);
    this.end += end - start;
  }

  #makeRoom(count: number): void {
    if (this.end + count <= this.bytes.length) return;
    const { start, length } = this;
    const needed = length + count;
    if (needed <= this.bytes.length / 2) this.bytes.copyWithin(0, start, this.end);
    else {
      const room = this.#spare.take(Math.max(FIRST_BYTES, needed, 2 * length));
      room.set(this.bytes.subarray(start, this.end));
      this.#spare.give(this.bytes);
      this.bytes = room;
    }
    this.start = 0;
    this.end = length;
    this.scanned = Math.max(0, this.scanned - start);
    this.marks = this.marks.map(({ offset, position }) => ({ offset: offset - start, position }));
  }

  /** Nobody reads it any more. */
  release(): void {
    this.#spare.give(this.bytes);
    this.bytes = NOTHING;
  }

  /** Whether a segment begins there, or may yet. */
  isMark(offset: number): boolean {
    if (offset === this.end) return true;
    let low = 0;
    let high = this.marks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.marks[middle] as Mark).offset < offset) low = middle + 1;
      else high = middle;
    }
    return this.marks[low]?.offset === offset;
  }

  /** Lets another finder begin at the beginning. */
  searchAgain(): void {
    this.marksTried = this.#isFrontCut ? 1 : 0;
    this.scanned = this.start;
  }

  get #isFrontCut(): boolean {
    return (this.marks[0]?.offset ?? this.start) < this.start;
  }

  /** Forgets the first `count` bytes; what is left of a segment cut by that is no segment start any more, but keeps its position. */
  drop(count: number): void {
    this.start += count;
    let over = 0;
    while (over < this.marks.length && (this.marks[over + 1]?.offset ?? this.end) <= this.start) over++;
    this.marks.splice(0, over);
    this.marksTried = Math.max(this.#isFrontCut ? 1 : 0, this.marksTried - over);
    this.scanned = Math.max(this.scanned, this.start);
  }
}
