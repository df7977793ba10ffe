import { nanosBetween, type PacketPosition } from '../../capture/packet.ts';
import { FilterError } from '../../errors.ts';
import { durationNanos } from './duration.ts';

/** A point in time: by the clock, or counted from the first packet. */
export type Moment =
  | { readonly kind: 'clock'; readonly seconds: number; readonly nanos: number }
  | { readonly kind: 'offset'; readonly offsetNanos: number };

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Reads a moment: `2026-11-29T18:15:00Z` and the shorter forms of ISO 8601 (without a zone it is UTC, or `localZone` the local time), or an
 * offset from the first packet as in `+30s`, `2m`.
 */
export function parseMoment(option: string, text: string, localZone: boolean): Moment {
  const offsetNanos = durationNanos(text.replace(/^\+/, ''));
  if (offsetNanos !== null) return { kind: 'offset', offsetNanos };
  const [, date, minutes = '00:00', seconds = '00', decimals = '', zone = localZone ? '' : 'Z'] = ISO.exec(text) ?? [];
  const millis = date === undefined || !isDate(date) ? Number.NaN : Date.parse(`${date}T${minutes}:${seconds}${zone.toUpperCase()}`);
  if (Number.isNaN(millis)) {
    throw new FilterError(
      `${option} takes a time, as in 2026-11-29T18:15:00Z, or an offset from the first packet, as in +30s or 2m, not ${text}`,
    );
  }
  return { kind: 'clock', seconds: millis / 1000, nanos: Number(decimals.padEnd(9, '0')) };
}

/** How far a packet lies behind a moment, in nanoseconds, negative before it; NaN where times are missing. */
export function nanosSince(moment: Moment, at: PacketPosition, start: PacketPosition | null): number {
  if (moment.kind === 'clock') return (at.seconds - moment.seconds) * 1e9 + (at.nanos - moment.nanos);
  return start === null ? Number.NaN : nanosBetween(start, at) - moment.offsetNanos;
}

/** How far `end` lies behind `begin` in nanoseconds; null where only the capture can tell. */
export function momentSpan(begin: Moment, end: Moment): number | null {
  if (begin.kind === 'clock' && end.kind === 'clock') return (end.seconds - begin.seconds) * 1e9 + (end.nanos - begin.nanos);
  return begin.kind === 'offset' && end.kind === 'offset' ? end.offsetNanos - begin.offsetNanos : null;
}

/** JavaScript takes the 31st of November for the 1st of December. */
function isDate(date: string): boolean {
  const millis = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(date);
}
