import { parseIsoTime } from '../records/time.ts';
import { type TimeStyle, timeText } from './time.ts';

const DAY_LENGTH = '2026-11-29'.length;
/** Decimals beyond milliseconds. */
const FINER = /(?<=\.\d{3})\d+/;
const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;

/** Shows the times of rows, which are UTC, in the style asked for. */
export class RowTimes {
  readonly #style: TimeStyle;
  readonly #start: string | null;

  /** `start` is the time of the first packet, which relative times count from; null where there is none. */
  constructor(style: TimeStyle, start: string | null) {
    this.#style = style;
    this.#start = start;
  }

  /** In full, by the calendar: relative times need one to begin at. */
  whole(time: string): string {
    return (this.#style === 'local' && this.#text(time)) || time;
  }

  /** The time of day, or the seconds from the first packet on, to the millisecond. */
  clock(time: string | null): string {
    const text = this.#text(time);
    if (text === null) return '?';
    const short = text.replace(FINER, '');
    return this.#style === 'relative' ? short : short.slice(DAY_LENGTH + 1).replace(ZONE, '');
  }

  /** What the clocks of some times don't say: the day or days and the zone, or when the first packet was. */
  days(times: readonly (string | null)[]): string {
    if (this.#style === 'relative') return `seconds from ${this.#start?.replace(FINER, '') ?? 'the first packet'} on`;
    const texts = times.flatMap((time) => this.#text(time) ?? []).sort();
    const [first, last] = [texts[0], texts.at(-1)];
    if (first === undefined || last === undefined) return 'no times';
    const days = [...new Set([first, last].map((text) => text.slice(0, DAY_LENGTH)))];
    const zones = [...new Set(texts.map((text) => ZONE.exec(text)?.[0].replace('Z', '') ?? ''))];
    return `${days.join(' to ')} UTC${zones.join(' and ')}`;
  }

  /** Null where it can't be told. */
  #text(time: string | null): string | null {
    if (time === null || this.#style === 'utc') return time;
    return timeText(this.#style, parseIsoTime(time), this.#start === null ? null : parseIsoTime(this.#start));
  }
}
