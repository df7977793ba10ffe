import test from 'ava';
import fc from 'fast-check';
import { ConfigSeries, type Observation } from '../../src/analysis/config-series.ts';
import type { PacketPosition } from '../../src/capture/packet.ts';

function at(second: number): PacketPosition {
  return { capture: 0, number: second + 1, seconds: second, nanos: 0, fine: false };
}

function seen(second: number, value: string, source = 1, client = 0): Observation {
  return { value, source, isSensitive: false, at: at(second), client };
}

function runsOf(series: ConfigSeries): string[] {
  return series.runs.map((run) => `${run.value}/${run.source} ${run.first.seconds}-${run.last.seconds} x${run.observations}`);
}

function seriesOf(...observations: readonly Observation[]): ConfigSeries {
  const series = new ConfigSeries();
  for (const observation of observations) series.observe(observation, true);
  return series;
}

test('answers that agree are one run', (t) => {
  t.deepEqual(runsOf(seriesOf(seen(1, 'a'), seen(2, 'a'), seen(5, 'a'))), ['a/1 1-5 x3']);
});

test('a change of source alone begins a run', (t) => {
  t.deepEqual(runsOf(seriesOf(seen(1, 'a', 1), seen(2, 'a', 5))), ['a/1 1-1 x1', 'a/5 2-2 x1']);
});

test('a value that comes back is a run of its own', (t) => {
  t.deepEqual(runsOf(seriesOf(seen(1, 'a'), seen(2, 'b'), seen(3, 'a'))), ['a/1 1-1 x1', 'b/1 2-2 x1', 'a/1 3-3 x1']);
});

test('a late answer is put where it belongs', (t) => {
  t.deepEqual(runsOf(seriesOf(seen(1, 'a'), seen(4, 'b'), seen(3, 'a'))), ['a/1 1-3 x2', 'b/1 4-4 x1']);
});

test('a late answer that agrees with the last run moves its beginning', (t) => {
  t.deepEqual(runsOf(seriesOf(seen(1, 'a'), seen(4, 'b'), seen(3, 'b'))), ['a/1 1-1 x1', 'b/1 3-4 x2']);
});

test('clients are counted over merges', (t) => {
  const series = seriesOf(seen(1, 'a', 1, 7), seen(2, 'a', 1, 8), seen(5, 'a', 1, 7));
  series.absorb(seriesOf(seen(3, 'a', 1, 8)));
  const [run] = series.runs;
  const counts = new Map<number, number>();
  for (let i = 0; i < (run?.clients.length ?? 0); i += 2) {
    const client = run?.clients[i] as number;
    counts.set(client, (counts.get(client) ?? 0) + (run?.clients[i + 1] as number));
  }
  t.is(series.runs.length, 1);
  t.deepEqual([counts.get(7), counts.get(8)], [2, 2]);
});

test('an answer that may not open a run is refused', (t) => {
  const series = seriesOf(seen(1, 'a'));
  t.is(series.observe(seen(2, 'b'), false), -1);
  t.is(series.observe(seen(3, 'a'), false), 0);
  t.deepEqual(runsOf(series), ['a/1 1-3 x2']);
});

test('runs are the answers in order of time, equal neighbours put together, even if one answer comes late', (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 30 }), fc.nat(), (values, pick) => {
      const observations = values.map((value, second) => seen(second, value));
      const late = pick % observations.length;
      const ordered = seriesOf(...observations);
      const delayed = observations.filter((_, index) => index !== late);
      const position = Math.min(late + 1, delayed.length);
      delayed.splice(position, 0, observations[late] as Observation);
      const { runs } = seriesOf(...delayed);
      t.deepEqual(
        runs.map(({ value, observations: count }) => [value, count]),
        ordered.runs.map(({ value, observations: count }) => [value, count]),
      );
      // A run that a late answer splits keeps its ends alone, so that a span may be told wider than it was.
      for (const [index, { first, last }] of runs.entries()) {
        const whole = ordered.runs[index];
        t.true(first.seconds >= (whole?.first.seconds as number) && last.seconds <= (whole?.last.seconds as number));
      }
    }),
  );
});

test('two series merged hold all answers, and changes only between answers that differ', (t) => {
  const observation = fc.record({ second: fc.nat(100), value: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(fc.array(observation), fc.array(observation), (one, other) => {
      const series = (list: typeof one) =>
        seriesOf(...list.sort((a, b) => a.second - b.second).map(({ second, value }) => seen(second, value)));
      const merged = series(one);
      merged.absorb(series(other));
      t.is(
        merged.runs.reduce((sum, run) => sum + run.observations, 0),
        one.length + other.length,
      );
      for (const [index, run] of merged.runs.entries()) {
        t.true(run.first.seconds <= run.last.seconds);
        const next = merged.runs[index + 1];
        if (next !== undefined) t.true(run.value !== next.value && run.last.seconds <= next.first.seconds);
      }
    }),
  );
});
