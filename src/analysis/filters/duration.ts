import { FilterError } from '../../errors.ts';

const NANOS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  min: 60e9,
  h: 3_600e9,
  d: 86_400e9,
};

/** Reads `200ms`, `1.5s`, `1h30m` as nanoseconds; null where it is none of that. */
export function durationNanos(text: string): number | null {
  if (!/^(\d+(\.\d+)?[a-zµ]+)+$/.test(text)) return null;
  let nanos = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)([a-zµ]+)/g)) {
    const factor = NANOS[unit];
    if (factor === undefined) return null;
    nanos += Number(count) * factor;
  }
  return Math.round(nanos);
}

/** Reads an option's duration as nanoseconds. */
export function parseDuration(option: string, text: string): number {
  const nanos = durationNanos(text);
  if (nanos === null)
    throw new FilterError(`${option} takes a duration with its unit (ns, us, ms, s, m, h, d), as in 200ms or 1.5s, not ${text}`);
  return nanos;
}
