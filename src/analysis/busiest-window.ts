import type { PacketPosition } from '../capture/packet.ts';

const MICROS_PER_SECOND = 1e6;
/** Events may come that much too late and still be counted in all their windows: longer than a hole in a connection is waited for. */
const LATE_SECONDS = 10;
/** From these many forgotten times on their room is given back. */
const COMPACT_FROM = 1024;

/** The most events within any span of a given length, of events that come nearly in order. */
export class BusiestWindow {
  readonly #spanMicros: number;
  readonly #limit: number;
  /** Times in order, from `#from` on: as far back as a late event's window may reach. */
  #times: number[] = [];
  #from = 0;
  #most = 0;

  /** Keeps at most `limit` times: busier spans count as that busy. */
  constructor(spanSeconds: number, limit: number) {
    this.#spanMicros = spanSeconds * MICROS_PER_SECOND;
    this.#limit = limit;
  }

  /** Events without a time aren't counted. */
  add({ seconds, nanos }: PacketPosition): void {
    if (Number.isNaN(seconds)) return;
    const times = this.#times;
    const time = seconds * MICROS_PER_SECOND + nanos / 1e3;
    let at = times.length;
    while (at > this.#from && (times[at - 1] as number) > time) at--;
    if (at === times.length) times.push(time);
    else times.splice(at, 0, time);
    for (let end = at; end < times.length; end++) this.#most = Math.max(this.#most, Math.min(this.#limit, this.#countUntil(end)));
    this.#forget();
  }

  /** Null where no event had a time. */
  get most(): number | null {
    return this.#most === 0 ? null : this.#most;
  }

  /** Events in the span that ends with the one at `end`. */
  #countUntil(end: number): number {
    const times = this.#times;
    const before = (times[end] as number) - this.#spanMicros;
    let low = this.#from;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((times[middle] as number) > before) high = middle;
      else low = middle + 1;
    }
    return end - low + 1;
  }

  #forget(): void {
    const times = this.#times;
    const oldest = (times.at(-1) as number) - this.#spanMicros - LATE_SECONDS * MICROS_PER_SECOND;
    while ((times[this.#from] as number) <= oldest || times.length - this.#from > this.#limit) this.#from++;
    if (this.#from < COMPACT_FROM || this.#from * 2 < times.length) return;
    this.#times = times.slice(this.#from);
    this.#from = 0;
  }
}
