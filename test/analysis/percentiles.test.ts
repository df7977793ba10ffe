import test from 'ava';
import { TimeHistogram } from '../../src/analysis/percentiles.ts';

test('nothing measured has no percentiles', (t) => {
  const histogram = new TimeHistogram();
  histogram.record(Number.NaN);
  histogram.record(-5);
  t.is(histogram.percentiles(), null);
});

test('one time is all percentiles, to the microsecond', (t) => {
  const histogram = new TimeHistogram();
  histogram.record(1_234_567);
  t.deepEqual(histogram.percentiles(), { p50: 1.235, p95: 1.235, p99: 1.235, max: 1.235 });
});

test('percentiles are right to a thousandth, the maximum exactly', (t) => {
  const histogram = new TimeHistogram();
  for (let millis = 1; millis <= 1000; millis++) histogram.record(millis * 1e6);
  const { p50, p95, p99, max } = histogram.percentiles() ?? { p50: 0, p95: 0, p99: 0, max: 0 };
  for (const [got, wanted] of [
    [p50, 500],
    [p95, 950],
    [p99, 990],
  ] as const)
    t.true(got >= wanted && got <= wanted * 1.001, `${got}, not ${wanted}`);
  t.is(max, 1000);
});

test('a time beyond a day is the maximum all the same', (t) => {
  const histogram = new TimeHistogram();
  histogram.record(2 * 24 * 3600 * 1e9);
  t.is(histogram.percentiles()?.max, 2 * 24 * 3600 * 1e3);
});
