import test from 'ava';
import fc from 'fast-check';
import { GivenUpRanges } from '../../src/tcp/given-up-ranges.ts';

test('each byte that was given up is taken once, whatever is asked for around it, also where sequence numbers wrap', (t) => {
  const range = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 13 }), fc.constantFrom(0, -30, 0x7fffffff - 30), (takes, base) => {
      const ranges = new GivenUpRanges();
      const missing = new Set<number>();
      for (const [from, length] of [
        [0, 12],
        [20, 5],
        [40, 30],
      ] as const) {
        ranges.add((base + from) | 0, (base + from + length) | 0);
        for (let at = from; at < from + length; at++) missing.add(at);
      }
      for (const [from, length] of takes) {
        let expected = 0;
        for (let at = from; at < from + length; at++) if (missing.delete(at)) expected++;
        t.is(ranges.take((base + from) | 0, (base + from + length) | 0), expected);
      }
      t.is(ranges.take((base - 1) | 0, (base + 100) | 0), missing.size);
    }),
  );
});

test('the last sixteen ranges are remembered', (t) => {
  const ranges = new GivenUpRanges();
  for (let i = 0; i < 17; i++) ranges.add(10 * i, 10 * i + 1);
  t.is(ranges.take(0, 10), 0);
  t.is(ranges.take(0, 1000), 16);
});

test('of a range that late bytes riddle the last sixteen pieces are remembered', (t) => {
  const ranges = new GivenUpRanges();
  ranges.add(0, 100);
  for (let at = 1; at < 40; at += 2) t.is(ranges.take(at, at + 1), 1);
  t.is(ranges.take(0, 100), 15 + 60);
});
