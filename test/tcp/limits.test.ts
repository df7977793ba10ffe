import test from 'ava';
import { run } from '../helpers/segment-table.ts';

const handshake = ['> 0 SYN', '< 0 SYN', '> 1'];
/** What a held segment of one byte counts as. */
const HELD = 385;

const heldPerDirection = [
  { limit: 2 * HELD + 1, gaps: [] },
  { limit: 2 * HELD, gaps: [] },
  { limit: 2 * HELD - 1, gaps: ['>gap 2'] },
  { limit: 0, gaps: ['>gap 2', '>gap 1'] },
];
for (const { limit, gaps } of heldPerDirection) {
  test(`two segments held with room for ${limit} bytes in their direction give up ${gaps.join(', ') || 'nothing'}`, (t) => {
    const { events, openAtEnd } = run([...handshake, '> 3 c', '> 5 e', '> 1 a'], { limits: { heldBytes: limit } });
    t.deepEqual(
      events.slice(0, openAtEnd).filter((event) => event.includes('gap')),
      gaps,
    );
  });
}

const heldSegments = [
  { limit: 3, gaps: [] },
  { limit: 2, gaps: [] },
  { limit: 1, gaps: ['>gap 2'] },
];
for (const { limit, gaps } of heldSegments) {
  test(`two segments held where ${limit} may be give up ${gaps.join(', ') || 'nothing'}`, (t) => {
    const { events, openAtEnd } = run([...handshake, '> 3 c', '> 5 e', '> 1 a'], { limits: { heldSegments: limit } });
    t.deepEqual(
      events.slice(0, openAtEnd).filter((event) => event.includes('gap')),
      gaps,
    );
  });
}

const heldInAll = [
  { limit: 2 * HELD + 1, gaps: [] },
  { limit: 2 * HELD, gaps: [] },
  { limit: 2 * HELD - 1, gaps: ['>gap 2'] },
];
for (const { limit, gaps } of heldInAll) {
  test(`two connections that hold a segment each with room for ${limit} bytes in all give up ${gaps.join(', ') || 'nothing'}`, (t) => {
    const second = [...handshake, '> 9 c'].map((row) => `${row} port=2`);
    const { events, openAtEnd } = run([...handshake, '> 3 c', ...second], { limits: { heldBytesTotal: limit } });
    t.deepEqual(
      events.slice(0, openAtEnd).filter((event) => event.includes('gap')),
      gaps,
    );
  });
}

const connections = [
  { limit: 3, evicted: [] },
  { limit: 2, evicted: ['192'] },
];
for (const { limit, evicted } of connections) {
  test(`of two connections that speak, ${evicted.length} are given up for a third where ${limit} may be open`, (t) => {
    const { diagnostics, events } = run(
      ['> 0 SYN', '> 1 a', '> 0 SYN port=2 isn=9', '> 1 b port=2', '> 2 c isn=1000', '> 0 SYN port=3 isn=70', '> 1 d port=3'],
      { limits: { connections: limit } },
    );
    t.deepEqual(
      diagnostics.map(({ code, stream, connection }) => ({ code, stream, connection })),
      evicted.map(() => ({ code: 'connection-evicted' as const, stream: 1, connection: '0.0.0.1:2 → 0.0.0.2:9092' })),
    );
    t.is(events.includes('#1 evicted'), evicted.length > 0);
  });
}

test('connections that said nothing are given up without a word', (t) => {
  const rows = Array.from({ length: 50 }, (_, i) => `> 0 SYN port=${i + 1}`);
  const { diagnostics, reassembler } = run(rows, { limits: { connections: 4 } });
  t.deepEqual(diagnostics, []);
  t.is(reassembler.connections, 50);
});

test('a connection that nobody looks at is given up without a word, and makes room once it ended', (t) => {
  const other = ['> 0 SYN port=2 isn=9', '> 1 b port=2'];
  const evicted = run(['> 0 SYN', '> 1 tls', ...other], { limits: { connections: 1 }, ignoreAfter: 'tls' });
  t.deepEqual(evicted.diagnostics, []);
  const ended = run(['> 0 SYN', '> 1 tls', '> 4 FIN', '< 7 FIN', ...other, '> 0 SYN port=3', '> 1 x port=3'], {
    limits: { connections: 2 },
    ignoreAfter: 'tls',
  });
  t.deepEqual(ended.diagnostics, []);
});

const ended = [
  { limit: 2, late: [] },
  { limit: 1, late: ['#2 >abc', '#2 capture-ended'] },
];
for (const { limit, late } of ended) {
  test(`a late copy of the older of two ended connections opens ${late.length > 0 ? 'a' : 'no'} new one where ${limit} are remembered`, (t) => {
    const one = ['> 0 SYN', '> 1 abc', '> 4 RST'];
    const two = one.map((row) => `${row} port=2`);
    const { events } = run([...one, ...two, '> 1 abc ack=1'], { limits: { endedConnections: limit } });
    t.deepEqual(events, ['>abc', 'reset', '#1 >abc', '#1 reset', ...late]);
  });
}

test('of thousands of ended connections those that ended last are remembered, however many were before them', (t) => {
  const rows = Array.from({ length: 3000 }, (_, i) => ['> 0 SYN', '> 1 abc', '> 4 RST'].map((row) => `${row} port=${i + 1}`)).flat();
  const late = [3000, 2999, 2998].map((port) => `> 1 abc ack=1 port=${port}`);
  const { events } = run([...rows, ...late], { limits: { endedConnections: 2 } });
  t.deepEqual(events.slice(6000), ['#3000 >abc', '#3000 capture-ended']);
});

test('bytes that a reset crossed are counted', (t) => {
  const { diagnostics } = run(['> 0 SYN', '< 0 SYN', '> 1 abc', '> 4 RST', '< 1 xyz ack=1', '< 1 xyz ack=1', '< 4 uv ack=1']);
  t.deepEqual(
    diagnostics.map(({ code, bytes, packet, connection }) => ({ code, bytes, packet, connection })),
    [5, 7].map((packet, i) => ({ code: 'tcp-dropped' as const, bytes: [3, 2][i], packet, connection: '0.0.0.2:9092 → 0.0.0.1:51234' })),
  );
});

test('many limits hit at once leave no connection behind', (t) => {
  const rows = Array.from({ length: 400 }, (_, i) => [
    `> 0 SYN port=${i + 1} isn=0`,
    `> 3 c port=${i + 1}`,
    `> 4 RST port=${i + 1}`,
  ]).flat();
  const { events, openAtEnd } = run(rows, { limits: { connections: 8, endedConnections: 4, heldBytesTotal: 2 * HELD } });
  t.is(events.filter((event) => event.endsWith('reset') || event.endsWith('evicted') || event.endsWith('capture-ended')).length, 400);
  t.true(events.length - openAtEnd < 40);
});

const shapes = [
  { title: 'one-byte segments in reverse', row: (i: number, count: number) => `> ${count - i} x` },
  { title: 'copies of one segment behind a hole', row: () => '> 9 abcdefgh*100' },
  { title: 'segments behind a hole, each a byte further', row: (i: number) => `> ${9 + i} abcdefgh*100` },
  { title: 'segments behind a hole, each a byte earlier', row: (i: number, count: number) => `> ${9 + count - i} abcdefgh*100` },
  { title: 'damaged copies of one segment', row: () => '> 1 abcdefgh*100 bad' },
  { title: 'one-byte segments after a stray one', row: (i: number) => (i === 0 ? '> 500000000 zz' : `> ${i} x`) },
];
for (const { title, row } of shapes) {
  test(`twenty thousand ${title} take little time`, (t) => {
    const count = 20_000;
    const rows = Array.from({ length: count }, (_, i) => row(i, count));
    const before = performance.now();
    run([...handshake, ...rows]);
    const milliseconds = performance.now() - before;
    t.true(milliseconds < 30_000, `${milliseconds} ms`);
  });
}
