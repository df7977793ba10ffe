import { copyPosition, type PacketPosition } from '../capture/packet.ts';

/** Where a piece of data began. */
interface Mark {
  readonly offset: number;
  readonly position: PacketPosition;
}

const FIRST_BYTES = 4096;

/** Bytes of a direction whose frame borders aren't known, contiguous, with the places where segments began. */
export class SeekBuffer {
  bytes = new Uint8Array(FIRST_BYTES);
  length = 0;
  /** Segment starts in order; the first is at 0 unless it was dropped. */
  marks: Mark[] = [];
  /** Offsets before this were looked at in vain as frame starts inside segments. */
  scanned = 0;

  append(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    const needed = this.length + end - start;
    if (needed > this.bytes.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    this.marks.push({ offset: this.length, position: copyPosition(position) });
    this.bytes.set(bytes.subarray(start, end), this.length);
    this.length = needed;
  }

  isMark(offset: number): boolean {
    return offset === this.length || this.marks.some((mark) => mark.offset === offset);
  }

  /** Forgets the first `count` bytes; what is left of a segment cut by that is no segment start any more. */
  drop(count: number): void {
    this.bytes.copyWithin(0, count, this.length);
    this.length -= count;
    this.marks = this.marks.filter((mark) => mark.offset >= count).map(({ offset, position }) => ({ offset: offset - count, position }));
    this.scanned = Math.max(0, this.scanned - count);
  }

  /** The pieces from `offset` on, as they came. */
  *pieces(offset: number): Generator<{ start: number; end: number; position: PacketPosition }> {
    for (const [i, mark] of this.marks.entries()) {
      const end = this.marks[i + 1]?.offset ?? this.length;
      if (end > offset) yield { start: Math.max(offset, mark.offset), end, position: mark.position };
    }
  }
}
