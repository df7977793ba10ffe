import type { RowTimes } from './row-times.ts';
import type { Cell } from './table.ts';
import type { Style, Theme } from './theme.ts';

/** From these many bytes on a larger unit reads better. */
const KILO = 10_000;

/** Makes cells in the styles of a theme, and shows times in one way. Texts may hold bytes from the wire: the table escapes them. */
export class Cells {
  readonly theme: Theme;
  readonly times: RowTimes;

  constructor(theme: Theme, times: RowTimes) {
    this.theme = theme;
    this.times = times;
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

  clock(time: string | null): Cell {
    return this.muted(this.times.clock(time));
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
