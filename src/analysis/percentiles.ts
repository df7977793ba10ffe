import { createHistogram } from 'node:perf_hooks';
import type { Percentiles } from '../records/rows.ts';

/** Times are told apart to this many significant digits: 0.1 %. */
const FIGURES = 3;
/** Below it they are told apart by the nanosecond no more. */
const LOWEST_NANOS = 1_000;
const HIGHEST_NANOS = 24 * 3600 * 1e9;
const NANOS_PER_MICRO = 1e3;

/** Percentiles of times in bounded memory (some 200 KB): Node's HDR histogram. */
export class TimeHistogram {
  #histogram: ReturnType<typeof createHistogram> | null = null;
  #max = Number.NEGATIVE_INFINITY;

  /** NaN, which is no time, and negative spans, which come of captures in the wrong order, aren't counted. */
  record(nanos: number): void {
    if (!(nanos >= 0)) return;
    this.#histogram ??= createHistogram({ lowest: LOWEST_NANOS, highest: HIGHEST_NANOS, figures: FIGURES });
    this.#histogram.record(Math.min(HIGHEST_NANOS, Math.max(1, Math.round(nanos))));
    if (nanos > this.#max) this.#max = nanos;
  }

  /** Null where nothing was recorded. */
  percentiles(): Percentiles | null {
    const histogram = this.#histogram;
    if (histogram === null) return null;
    const at = (percent: number) => millis(Math.min(histogram.percentile(percent), this.#max));
    return { p50: at(50), p95: at(95), p99: at(99), max: millis(this.#max) };
  }
}

function millis(nanos: number): number {
  return Math.round(nanos / NANOS_PER_MICRO) / 1e3;
}
