/** Segments remembered. */
const REMEMBERED = 16;

/** The last segments passed on, by their borders and a sum over their bytes: to notice a retransmission that differs. */
export class PassedSegments {
  /** A ring of (seq, length, sum), which grows as segments come: most connections of `npm run bench -- --only many` have few. */
  readonly #ring: number[] = [];
  #count = 0;

  remember(seq: number, length: number, sum: number): void {
    const at = 3 * (this.#count++ % REMEMBERED);
    this.#ring[at] = seq;
    this.#ring[at + 1] = length;
    this.#ring[at + 2] = sum;
  }

  /** The sum of the segment passed on with these borders; -1 where none is remembered. */
  recall(seq: number, length: number): number {
    const ring = this.#ring;
    for (let at = 0; at < ring.length; at += 3) if (ring[at] === seq && ring[at + 1] === length) return ring[at + 2] as number;
    return -1;
  }
}
