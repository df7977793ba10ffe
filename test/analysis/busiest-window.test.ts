import test from 'ava';
import fc from 'fast-check';
import { BusiestWindow } from '../../src/analysis/busiest-window.ts';

function mostOf(times: readonly number[], limit = 1000): number | null {
  const window = new BusiestWindow(60, limit);
  for (const seconds of times)
    window.add({ capture: 0, number: 1, seconds: Math.floor(seconds), nanos: Math.round((seconds % 1) * 1e9), fine: false });
  return window.most;
}

test('nothing with a time is no window', (t) => {
  t.is(mostOf([]), null);
  t.is(mostOf([Number.NaN]), null);
});

test('a window is shorter than 60 seconds from its first event to its last', (t) => {
  t.is(mostOf([0, 30, 59.9]), 3);
  t.is(mostOf([0, 30, 60]), 2);
});

test('a busier window than can be kept counts as that busy', (t) => {
  t.is(mostOf(new Array(50).fill(5), 20), 20);
});

test('a burst is counted in full after thousands of events that are long past', (t) => {
  const everySecond = Array.from({ length: 5000 }, (_, second) => second);
  t.is(mostOf(everySecond), 60);
  t.is(mostOf([...everySecond, ...new Array(100).fill(5000), 4999.5]), 160);
});

test('the most of all windows, for events in order and a little out of it', (t) => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { minLength: 1, maxLength: 3000 }), fc.nat(), (times, pick) => {
      const sorted = [...times].sort((a, b) => a - b);
      const expected = Math.max(...sorted.map((end) => sorted.filter((time) => time > end - 60 && time <= end).length));
      t.is(mostOf(sorted, 5000), expected);
      const index = pick % sorted.length;
      const [late, next] = [sorted[index] as number, sorted[index + 1] ?? Number.POSITIVE_INFINITY];
      if (next - late >= 10) return;
      sorted.splice(index, 2, next, late);
      t.is(mostOf(sorted, 5000), expected);
    }),
    { numRuns: 30 },
  );
});
