const NO_BYTES = new Uint8Array();
/** Largest piece of memory taken at once. */
const MOST_PIECE_BYTES = 1 << 16;

/**
 * Copies of what a direction holds, in pieces of memory of doubling size: a sixth of the time of one allocation a segment (`npm run bench --
 * --only lossy`), and at most twice the memory. A piece is freed when nothing in it is held any more.
 */
export class HeldBytes {
  #piece = NO_BYTES;
  #used = 0;

  /** A copy of `bytes[start, end)`. */
  copy(bytes: Uint8Array, start: number, end: number): Uint8Array {
    const length = end - start;
    if (length === 0) return NO_BYTES;
    if (this.#used + length > this.#piece.length) {
      this.#piece = new Uint8Array(Math.max(length, Math.min(MOST_PIECE_BYTES, 2 * this.#piece.length)));
      this.#used = 0;
    }
    const copy = this.#piece.subarray(this.#used, this.#used + length);
    copy.set(bytes.subarray(start, end));
    this.#used += length;
    return copy;
  }

  /** Nothing is held any more: begins small again. */
  clear(): void {
    this.#piece = NO_BYTES;
    this.#used = 0;
  }
}
