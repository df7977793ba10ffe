import test from 'ava';
import { run } from '../helpers/segment-table.ts';

const handshake = ['> 0 SYN', '< 0 SYN', '> 1'];

interface Row {
  title: string;
  segments: string[];
  /** What came out with which row, counted from 1; after the last row as `end`. */
  when: [event: string, row: number | 'end'][];
}

const live: Row[] = [
  {
    title: 'bytes in order come at once',
    segments: [...handshake, '> 1 abc', '< 1 xyz'],
    when: [
      ['>abc', 4],
      ['<xyz', 5],
    ],
  },
  {
    title: 'bytes from mid-connection come with the first acknowledgment',
    segments: ['> 100 abc ack=50', '< 50 xyz', '> 103 def'],
    when: [
      ['>abc', 2],
      ['<xyz', 2],
      ['>def', 3],
    ],
  },
  {
    title: 'a late segment lets those that waited for it go at once',
    segments: [...handshake, '< 1 xyz ack=4', '> 1 abc ack=1'],
    when: [
      ['>abc', 5],
      ['<xyz', 5],
    ],
  },
  {
    title: 'an acknowledged hole of a live connection is given up after 32 packets and a second',
    segments: [...handshake, '> 4 d', '< 1 ack=5 t=1', ...acks(31, 1.9), '> 5 e t=2.1'],
    when: [
      ['>gap 3', 37],
      ['>de', 37],
    ],
  },
  {
    title: 'an acknowledged hole of a silent connection is given up after four seconds',
    segments: [...handshake, '> 4 d', '< 1 ack=5 t=1', '> 5 e t=4.9', '> 6 f t=5.1'],
    when: [
      ['>gap 3', 7],
      ['>def', 7],
    ],
  },
];

for (const { title, segments, when } of live) {
  test(title, (t) => {
    const { events, eventsAfter } = run(segments);
    const found = events.slice(0, when.length).map((event, i) => {
      const row = eventsAfter.findIndex((count) => count > i);
      return [event, row < 0 ? 'end' : row + 1];
    });
    t.deepEqual(found, when);
  });
}

test('a hole is given up after four seconds of other connections', (t) => {
  const others = Array.from({ length: 1100 }, (_, i) => `> ${1 + i} x port=2 ack=1 t=6`);
  const { events, openAtEnd } = run([...handshake, '> 4 d', '< 1 ack=5 t=1', '> 0 SYN port=2', ...others]);
  t.true(events.slice(0, openAtEnd).includes('>gap 3'));
});

test('bytes have the packet that brought them, each gap the one that shows it', (t) => {
  const { events, packets } = run([...handshake, '> 7 ghi', '> 4 def', '< 1 xyz ack=4', '> 1 abc ack=1', '> 12 l', '< 4 ack=13']);
  t.deepEqual(
    events.map((event, i) => [event, packets[i]]),
    [
      ['>abcdefghi', 7],
      ['<xyz', 6],
      ['>gap 2', 8],
      ['>l', 8],
      ['capture-ended', 0],
    ],
  );
});

test('of two copies the first has the packet, where it is intact', (t) => {
  const { events, packets } = run([...handshake, '> 4 def', '> 4 def', '> 1 abc', '< 1 uv bad', '< 1 xy']);
  t.deepEqual([events[0], packets[0]], ['>abcdef', 6]);
  t.deepEqual([events[1], packets[1]], ['<xy', 8]);
});

function acks(count: number, t: number): string[] {
  return Array.from({ length: count }, () => `> 5 ack=1 t=${t}`);
}
