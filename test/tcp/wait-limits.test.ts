import test from 'ava';
import { MAX_SKIPPED_HOLES, WAIT_NANOS, WAIT_NANOS_ALONE, WAIT_PACKETS, WAIT_PACKETS_ALONE } from '../../src/limits.ts';
import { run } from '../helpers/segment-table.ts';

/** Three bytes are missing, and acknowledged at second 1. */
const hole = ['> 0 SYN', '< 0 SYN', '> 1', '> 4 d', '< 1 ack=5 t=1'];
const [SHORT, LONG] = [WAIT_NANOS / 1e9, WAIT_NANOS_ALONE / 1e9];

/** Whether the hole is given up once so many more packets of the connection came by that many seconds after. */
function isGivenUp(packets: number, seconds: number): boolean {
  const { events, openAtEnd } = run([...hole, ...new Array<string>(packets).fill(`< 1 ack=5 t=${1 + seconds}`)]);
  return events.slice(0, openAtEnd).includes('>gap 3');
}

for (const { packets, seconds, givenUp } of [
  { packets: WAIT_PACKETS, seconds: SHORT, givenUp: true },
  { packets: WAIT_PACKETS - 1, seconds: SHORT, givenUp: false },
  { packets: WAIT_PACKETS, seconds: SHORT - 0.001, givenUp: false },
  { packets: WAIT_PACKETS + 1, seconds: SHORT + 0.001, givenUp: true },
  { packets: 1, seconds: LONG, givenUp: true },
  { packets: 1, seconds: LONG - 0.001, givenUp: false },
  { packets: 1, seconds: LONG + 0.001, givenUp: true },
  { packets: WAIT_PACKETS_ALONE, seconds: SHORT / 2, givenUp: true },
  { packets: WAIT_PACKETS_ALONE - 1, seconds: SHORT / 2, givenUp: false },
]) {
  test(`after ${packets} packets and ${seconds} seconds an acknowledged hole is ${givenUp ? 'given up' : 'waited for'}`, (t) => {
    t.is(isGivenUp(packets, seconds), givenUp);
  });
}

for (const { holes, givenUp } of [
  { holes: MAX_SKIPPED_HOLES - 1, givenUp: 0 },
  { holes: MAX_SKIPPED_HOLES, givenUp: 0 },
  { holes: MAX_SKIPPED_HOLES + 1, givenUp: 1 },
]) {
  test(`of ${holes} holes in what nobody looks at ${givenUp} are given up`, (t) => {
    const rows = Array.from({ length: holes }, (_, i) => `> ${3 + 2 * i} x`);
    const { events, openAtEnd } = run(['> 0 SYN', '< 0 SYN', '> 1 x', ...rows], { wants: false });
    t.is(events.slice(0, openAtEnd).filter((event) => event.startsWith('>missing')).length, givenUp);
  });
}
