/** Ranges remembered, whole or what late bytes left of them; beyond it the oldest is forgotten. */
const REMEMBERED = 16;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The last ranges of sequence numbers given up as missing: to notice what comes too late. */
export class GivenUpRanges {
  #ranges: Range[] = [];

  add(from: number, to: number): void {
    this.#ranges.push({ from, to });
    if (this.#ranges.length > REMEMBERED) this.#ranges.shift();
  }

  /** Takes out what lies in `[from, to)`; returns how many bytes that was. */
  take(from: number, to: number): number {
    let taken = 0;
    const left: Range[] = [];
    for (const range of this.#ranges) {
      const start = ((from - range.from) | 0) > 0 ? from : range.from;
      const end = ((to - range.to) | 0) < 0 ? to : range.to;
      if (((end - start) | 0) <= 0) {
        left.push(range);
        continue;
      }
      taken += (end - start) | 0;
      if (start !== range.from) left.push({ from: range.from, to: start });
      if (end !== range.to) left.push({ from: end, to: range.to });
    }
    if (taken > 0) this.#ranges = left.slice(-REMEMBERED);
    return taken;
  }
}
