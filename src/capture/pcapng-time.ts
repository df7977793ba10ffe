/** Up to here the division by 16-bit digits below is exact: a digit and a remainder are less than 2⁵³. */
const MAX_EXACT_UNITS = 2 ** 36;

/**
 * Splits a 64-bit count of units into seconds and nanoseconds, without BigInt for every resolution in use. It divides by 16-bit digits as on
 * paper. Exact to the nanosecond, finer units cut off; resolutions that aren't a whole number of nanoseconds may be off by one of them.
 */
export class UnitSplitter {
  seconds = 0;
  nanos = 0;

  split(high: number, low: number, unitsPerSecond: number): void {
    if (unitsPerSecond > MAX_EXACT_UNITS) {
      this.#splitExactly(high, low, unitsPerSecond);
      return;
    }
    const highQuotient = Math.floor(high / unitsPerSecond);
    const middle = (high - highQuotient * unitsPerSecond) * 0x10000 + (low >>> 16);
    const middleQuotient = Math.floor(middle / unitsPerSecond);
    const rest = (middle - middleQuotient * unitsPerSecond) * 0x10000 + (low & 0xffff);
    const lowQuotient = Math.floor(rest / unitsPerSecond);
    this.seconds = highQuotient * 0x100000000 + middleQuotient * 0x10000 + lowQuotient;
    this.nanos = Math.floor((rest - lowQuotient * unitsPerSecond) * (1e9 / unitsPerSecond));
  }

  #splitExactly(high: number, low: number, unitsPerSecond: number): void {
    const units = (BigInt(high) << 32n) | BigInt(low);
    const divisor = BigInt(unitsPerSecond);
    this.seconds = Number(units / divisor);
    this.nanos = Number(((units % divisor) * 1_000_000_000n) / divisor);
  }
}
