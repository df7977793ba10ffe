/** Smaller ones are soon made, and soon collected. */
const LEAST_BYTES = 4096;
const MOST_BYTES = 4 << 20;
const MOST_PIECES = 64;

/**
 * Memory that was given up, for use again. Left to the garbage collection, several times of what is in use lies about before it is
 * collected: `test/hostile/worst-captures.ts`, undecided-long and frames.
 */
export class SpareBuffers {
  readonly #spare: Uint8Array[] = [];
  #bytes = 0;

  /** Memory of `length` bytes, or up to twice as many, of any content. */
  take(length: number): Uint8Array {
    const at = length < LEAST_BYTES ? -1 : this.#spare.findIndex((spare) => spare.length >= length && spare.length <= 2 * length);
    const [found] = at < 0 ? [] : this.#spare.splice(at, 1);
    if (found === undefined) return new Uint8Array(length);
    this.#bytes -= found.length;
    return found;
  }

  /** Nobody reads or writes them any more. */
  give(buffer: Uint8Array): void {
    if (buffer.length < LEAST_BYTES || buffer.length > MOST_BYTES) return;
    this.#spare.push(buffer);
    this.#bytes += buffer.length;
    while (this.#bytes > MOST_BYTES || this.#spare.length > MOST_PIECES) this.#bytes -= this.#spare.shift()?.length ?? 0;
  }
}
