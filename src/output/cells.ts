import type { Cell } from './table.ts';
import type { Style, Theme } from './theme.ts';

const MILLIS_LENGTH = '2026-11-29T17:05:00.123'.length;
const DAY_LENGTH = '2026-11-29'.length;
/** From these many bytes on a larger unit reads better. */
const KILO = 10_000;

/** Makes cells in the styles of a theme. Texts may hold bytes from the wire: the table escapes them. */
export class Cells {
  readonly theme: Theme;

  constructor(theme: Theme) {
    this.theme = theme;
  }

  plain(text: string | number): Cell {
    return { text: String(text), style: this.theme.name };
  }

  muted(text: string | number): Cell {
    return { text: String(text), style: this.theme.span };
  }

  value(text: string | null): Cell {
    return text === null ? this.muted('null') : { text: text === '' ? '""' : text, style: this.theme.value };
  }

  code(text: string | number): Cell {
    return { text: String(text), style: this.theme.code };
  }

  bad(text: string | number): Cell {
    return { text: String(text), style: this.theme.bad };
  }

  /** Bad where it is more than 0. */
  count(count: number | null): Cell {
    if (count === null) return this.muted('?');
    return count === 0 ? this.muted(0) : this.bad(count);
  }

  /** What may not be known. */
  known(text: string | null, style: Style = this.theme.name): Cell {
    return text === null ? this.muted('?') : { text, style };
  }

  /** The time of day, to the millisecond. */
  clock(time: string | null): Cell {
    return this.muted(time === null ? '?' : time.slice(DAY_LENGTH + 1, MILLIS_LENGTH));
  }
}

/** `1234 B`, `23.4 kB`. */
export function bytesText(bytes: number): string {
  if (bytes < KILO) return `${bytes} B`;
  return bytes < KILO * 1e3 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `topic orders`, `broker defaults`. */
export function resourceText(resourceTypeName: string, resourceName: string): string {
  if (resourceTypeName === 'BROKER' && resourceName === '') return 'broker defaults';
  return `${resourceTypeName.toLowerCase().replaceAll('_', ' ')} ${resourceName}`;
}

/** The day or days of some times, for the title of a table whose cells have times of day. */
export function daysText(times: readonly (string | null)[]): string {
  const days = [...new Set(times.filter((time) => time !== null).map((time) => time.slice(0, DAY_LENGTH)))].sort();
  if (days.length === 0) return 'no times';
  return days.length === 1 ? `${days[0]} UTC` : `${days[0]} to ${days.at(-1)} UTC`;
}
