import { calendarTime, type Instant, isoTime, MAX_SECONDS } from '../records/time.ts';

const DAY_SECONDS = 86_400;
const NANOS_PER_SECOND = 1e9;

/** How terminals show times: UTC, local, or counted from the first packet. */
export type TimeStyle = 'utc' | 'local' | 'relative';

/** A packet's time in a style; `start` is what relative times count from. Null where it isn't known. */
export function timeText(style: TimeStyle, at: Instant, start: Instant | null): string | null {
  if (style === 'local') return localTime(at);
  if (style === 'relative') return start === null ? null : relativeTime(at, start);
  return isoTime(at);
}

/** The local time as ISO 8601 with its distance from UTC: `2026-11-29T18:05:00.123456+01:00`. Null as for {@link isoTime}. */
export function localTime(at: Instant): string | null {
  if (!(Math.abs(at.seconds) <= MAX_SECONDS - DAY_SECONDS)) return null;
  const minutes = -new Date(at.seconds * 1000).getTimezoneOffset();
  const distance = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${calendarTime(at.seconds + minutes * 60, at)}${minutes < 0 ? '-' : '+'}${distance}`;
}

/** Seconds since `start`: `+12.345678s`. Null where either has no time. */
export function relativeTime(at: Instant, start: Instant): string | null {
  const nanos = (at.seconds - start.seconds) * NANOS_PER_SECOND + (at.nanos - start.nanos);
  if (Number.isNaN(nanos)) return null;
  const distance = Math.abs(nanos);
  const decimals = String(distance % NANOS_PER_SECOND).padStart(9, '0');
  return `${nanos < 0 ? '-' : '+'}${Math.floor(distance / NANOS_PER_SECOND)}.${at.fine ? decimals : decimals.slice(0, 6)}s`;
}
