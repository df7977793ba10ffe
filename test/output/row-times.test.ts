import test from 'ava';
import { RowTimes } from '../../src/output/row-times.ts';

const START = '2026-11-29T23:59:59.900000Z';
const LATER = '2026-11-30T00:00:01.123456789Z';

test('UTC: the time of day to the millisecond, and the days beside it', (t) => {
  const times = new RowTimes('utc', START);
  t.is(times.clock(LATER), '00:00:01.123');
  t.is(times.clock(null), '?');
  t.is(times.days([LATER, null]), '2026-11-30 UTC');
  t.is(times.days([LATER, START, START]), '2026-11-29 to 2026-11-30 UTC');
  t.is(times.days([null]), 'no times');
  t.is(times.whole(LATER), LATER);
});

test('relative: seconds from the first packet, which stands beside them', (t) => {
  const times = new RowTimes('relative', START);
  t.is(times.clock(LATER), '+1.223s');
  t.is(times.clock(START), '+0.000s');
  t.is(times.days([LATER]), 'seconds from 2026-11-29T23:59:59.900Z on');
  t.is(times.whole(LATER), LATER);
});

test('relative, in a capture without times: not known', (t) => {
  const times = new RowTimes('relative', null);
  t.is(times.clock(LATER), '?');
  t.is(times.days([]), 'seconds from the first packet on');
});
