import type { PacketPosition } from '../capture/packet.ts';

const MICROS_PER_SECOND = 1e6;

/** The most events within any span of a given length, of events that come nearly in order. */
export class BusiestWindow {
  readonly #spanMicros: number;
  readonly #limit: number;
  /** Times within the span before the latest, in order, from `#from` on. */
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
    const oldest = (times.at(-1) as number) - this.#spanMicros;
    while ((times[this.#from] as number) <= oldest || times.length - this.#from > this.#limit) this.#from++;
    this.#most = Math.max(this.#most, times.length - this.#from);
    if (this.#from > 1024 && this.#from * 2 > times.length) this.#compact();
  }

  /** Null where no event had a time. */
  get most(): number | null {
    return this.#most === 0 ? null : this.#most;
  }

  #compact(): void {
    this.#times = this.#times.slice(this.#from);
    this.#from = 0;
  }
}
