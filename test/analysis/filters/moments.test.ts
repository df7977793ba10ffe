import test from 'ava';
import { durationNanos, parseDuration } from '../../../src/analysis/filters/duration.ts';
import { momentSpan, nanosSince, parseMoment } from '../../../src/analysis/filters/moment.ts';
import { FilterError } from '../../../src/errors.ts';

const durations: readonly (readonly [string, number | null])[] = [
  ['200ms', 200e6],
  ['1.5s', 1.5e9],
  ['1h30m', 5400e9],
  ['2min', 120e9],
  ['7us', 7e3],
  ['7µs', 7e3],
  ['1ns', 1],
  ['1d', 86_400e9],
  ['0s', 0],
  ['200', null],
  ['-1s', null],
  ['1 s', null],
  ['1y', null],
  ['', null],
];

for (const [text, nanos] of durations) {
  test(`the duration "${text}" is ${nanos === null ? 'none' : `${nanos} ns`}`, (t) => {
    t.is(durationNanos(text), nanos);
    if (nanos === null)
      t.throws(() => parseDuration('--slower-than', text), { instanceOf: FilterError, message: /a duration with its unit/ });
  });
}

function at(iso: string, nanos = 0) {
  return { capture: 0, number: 1, seconds: Date.parse(iso) / 1000, nanos, fine: false };
}

const moments: readonly (readonly [string, string, number])[] = [
  ['2026-11-29T18:15:00Z', '2026-11-29T18:15:00Z', 0],
  ['2026-11-29T18:15:00.123456789Z', '2026-11-29T18:15:00Z', 123_456_789],
  ['2026-11-29 18:15:00.5', '2026-11-29T18:15:00Z', 500_000_000],
  ['2026-11-29T19:15+01:00', '2026-11-29T18:15:00Z', 0],
  ['2026-11-29T13:15:00-0500', '2026-11-29T18:15:00Z', 0],
  ['2026-11-29', '2026-11-29T00:00:00Z', 0],
];

for (const [text, iso, nanos] of moments) {
  test(`the time ${text} is exact`, (t) => {
    const moment = parseMoment('--since', text, false);
    t.is(nanosSince(moment, at(iso, nanos), null), 0);
    t.is(nanosSince(moment, at(iso, nanos + 1), null), 1);
  });
}

test('an offset counts from the first packet, and is not known without one', (t) => {
  for (const text of ['+90s', '90s', '1m30s', '+1m30s']) {
    const moment = parseMoment('--since', text, false);
    t.is(nanosSince(moment, at('2026-11-29T18:15:00Z'), at('2026-11-29T18:13:30Z')), 0);
    t.is(nanosSince(moment, at('2026-11-29T18:15:00Z'), null), Number.NaN);
  }
});

test('what lies between two moments is known where both are of a kind', (t) => {
  const moment = (text: string) => parseMoment('--since', text, false);
  t.is(momentSpan(moment('10s'), moment('1m')), 50e9);
  t.is(momentSpan(moment('2026-11-29T18:15:01Z'), moment('2026-11-29T18:15:00.5Z')), -0.5e9);
  t.is(momentSpan(moment('10s'), moment('2026-11-29')), null);
});

for (const text of ['yesterday', '2026-02-30', '2026-11-29T25:00:00Z', '18:15', '-30s', '']) {
  test(`"${text}" is no time`, (t) => {
    t.throws(() => parseMoment('--since', text, false), {
      instanceOf: FilterError,
      message: /--since takes a time, as in 2026-11-29T18:15:00Z, or an offset from the first packet, as in \+30s or 2m/,
    });
  });
}
