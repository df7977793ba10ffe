import test from 'ava';
import { isoTime, parseIsoTime } from '../../src/records/time.ts';

const cases: readonly (readonly [number, number, boolean, string | null])[] = [
  [1_795_971_900, 123_456_789, false, '2026-11-29T17:05:00.123456Z'],
  [1_795_971_900, 123_456_789, true, '2026-11-29T17:05:00.123456789Z'],
  [0, 0, false, '1970-01-01T00:00:00.000000Z'],
  [-1, 999_999_999, true, '1969-12-31T23:59:59.999999999Z'],
  [4_294_967_295, 1, true, '2106-02-07T06:28:15.000000001Z'],
  [8.64e12, 0, false, '+275760-09-13T00:00:00.000000Z'],
  [8.64e12 + 1, 0, false, null],
  [Number.NaN, 0, false, null],
];

for (const [seconds, nanos, fine, text] of cases) {
  test(`${seconds} s, ${nanos} ns${fine ? ', fine' : ''}: ${text}`, (t) => {
    t.is(isoTime({ seconds, nanos, fine }), text);
    if (text !== null) t.deepEqual(parseIsoTime(text), { seconds, nanos: fine ? nanos : nanos - (nanos % 1000), fine });
  });
}
