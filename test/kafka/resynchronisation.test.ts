import test from 'ava';
import {
  client,
  clientGap,
  describe,
  described,
  frame,
  play,
  request,
  response,
  type ScriptOptions,
  type Step,
  server,
  serverGap,
  string,
} from '../helpers/kafka-script.ts';
import { bigEndian, concat } from '../helpers/packets.ts';

const [METADATA, FETCH] = [3, 1];
const noise = (count: number) => new Uint8Array(count).fill(0xee);
/** One config whose value is what is given. */
const describedWith = (id: number, value: Uint8Array) =>
  response(id, [
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    255,
    255,
    2,
    ...string('a'),
    0,
    0,
    0,
    1,
    ...string('k'),
    ...bigEndian(value.length, 2),
    ...value,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
  ]);

interface Row {
  title: string;
  steps: Step[];
  exchanges: string[];
  told: string[];
  options?: ScriptOptions;
}

const rows: Row[] = [
  {
    title: 'a gap in the middle of an answer costs that one alone',
    steps: [
      client(describe(1, 'a'), describe(2, 'b')),
      server(described(1, 'a', 500).subarray(0, 100)),
      serverGap(300),
      server(described(1, 'a', 500).subarray(400), described(2, 'b')),
    ],
    exchanges: ['1 partial gap 1-1/2-', '2 complete 1-1/4-4'],
    told: ['server tcp-gap 3 300'],
  },
  {
    title: 'a gap at the end of an answer costs that one alone',
    steps: [
      client(describe(1, 'a'), describe(2, 'b')),
      server(described(1, 'a').subarray(0, 30)),
      serverGap(11),
      server(described(2, 'b')),
    ],
    exchanges: ['1 partial gap 1-1/2-', '2 complete 1-1/4-4'],
    told: ['server tcp-gap 3 11'],
  },
  {
    title: 'a gap from one answer into the next is followed by a search',
    steps: [
      client(describe(1, 'a'), describe(2, 'b'), describe(3, 'c')),
      server(described(1, 'a').subarray(0, 30)),
      serverGap(31),
      server(described(2, 'b').subarray(20), described(3, 'c')),
    ],
    exchanges: ['1 partial gap 1-1/2-', '3 complete 1-1/4-4', '2 unanswered gap 1-1/'],
    told: ['server tcp-gap 3 31', 'server frames-skipped 4 21'],
  },
  {
    title: 'a gap over whole answers is followed by the next one',
    steps: [client(describe(1, 'a'), describe(2, 'b')), serverGap(41), server(described(2, 'b'))],
    exchanges: ['2 complete 1-1/3-3', '1 unanswered gap 1-1/'],
    told: ['server tcp-gap 2 41'],
  },
  {
    title: 'a gap in a size prefix is followed by a search',
    steps: [
      client(describe(1, 'a'), describe(2, 'b')),
      server(described(1, 'a').subarray(0, 2)),
      serverGap(4),
      server(described(1, 'a').subarray(6)),
      server(described(2, 'b')),
    ],
    exchanges: ['2 complete 1-1/5-5', '1 unanswered gap 1-1/'],
    told: ['server tcp-gap 3 4', 'server frames-skipped 5 35'],
  },
  {
    title: 'a gap behind a whole size prefix costs that frame alone',
    steps: [
      client(describe(1, 'a'), describe(2, 'b')),
      server(described(1, 'a').subarray(0, 4)),
      serverGap(10),
      server(described(1, 'a').subarray(14), described(2, 'b')),
    ],
    exchanges: ['2 complete 1-1/4-4', '1 unanswered gap 1-1/'],
    told: ['server tcp-gap 3 10'],
  },
  {
    title: 'several gaps in one frame cost that one alone',
    steps: [
      client(describe(1, 'a'), describe(2, 'b')),
      server(described(1, 'a', 500).subarray(0, 100)),
      serverGap(100),
      server(noise(50)),
      serverGap(50),
      server(described(1, 'a', 500).subarray(300), described(2, 'b')),
    ],
    exchanges: ['1 partial gap 1-1/2-', '2 complete 1-1/6-6'],
    told: ['server tcp-gap 3 100', 'server tcp-gap 5 50'],
  },
  {
    title: 'after a gap in an answer, a frame inside its value is none',
    steps: [
      client(describe(1, 'a'), describe(2, 'b')),
      server(describedWith(1, concat(noise(200), described(2, 'b', 9), noise(200))).subarray(0, 60)),
      serverGap(100),
      server(describedWith(1, concat(noise(200), described(2, 'b', 9), noise(200))).subarray(160)),
      server(described(2, 'b')),
    ],
    exchanges: ['1 partial gap 1-1/2-', '2 complete 1-1/5-5'],
    told: ['server tcp-gap 3 100'],
  },
  {
    title: 'a gap in a request leaves what its head says',
    steps: [
      client(describe(1, 'a', 'client').subarray(0, 30)),
      clientGap(6, 'snaplen'),
      server(described(1, 'a')),
      client(describe(2, 'b')),
      server(described(2, 'b')),
    ],
    exchanges: ['1 partial snaplen 1-/3-3', '2 complete 4-4/5-5'],
    told: ['client tcp-snaplen 2 6'],
  },
  {
    title: 'a gap in the head of a request leaves its API and id',
    steps: [
      client(describe(1, 'a', 'client').subarray(0, 15)),
      clientGap(21),
      server(described(1, 'a')),
      client(describe(2, 'b')),
      server(described(2, 'b')),
    ],
    exchanges: ['1 partial gap 1-/3-3', '2 complete 4-4/5-5'],
    told: ['client tcp-gap 2 21'],
  },
  {
    title: 'a gap over the beginning of a request is followed by a search',
    steps: [
      client(describe(1, 'a')),
      server(described(1, 'a')),
      clientGap(40),
      client(noise(30)),
      client(describe(3, 'c')),
      server(described(3, 'c')),
    ],
    exchanges: ['1 complete 1-1/2-2', '3 complete 5-5/6-6'],
    told: ['client tcp-gap 3 40', 'client frames-skipped 5 30'],
  },
  {
    title: 'requests inside a segment are found by the client id before them',
    steps: [
      client(describe(1, 'a')),
      server(described(1, 'a')),
      clientGap(40),
      client(noise(30), describe(3, 'c'), request(METADATA, 1, 4)),
      server(described(3, 'c'), response(4)),
    ],
    exchanges: ['1 complete 1-1/2-2', '3 complete 4-4/5-5'],
    told: ['client tcp-gap 3 40', 'client frames-skipped 4 30'],
  },
  {
    title: 'a request inside a segment that ends in the next is found',
    steps: [
      client(describe(1, 'a')),
      server(described(1, 'a')),
      clientGap(40),
      client(noise(30), describe(3, 'c').subarray(0, 20)),
      client(describe(3, 'c').subarray(20)),
      server(described(3, 'c')),
    ],
    exchanges: ['1 complete 1-1/2-2', '3 complete 4-5/6-6'],
    told: ['client tcp-gap 3 40', 'client frames-skipped 4 30'],
  },
  {
    title: 'an answer without a schema is found by what follows it',
    steps: [
      client(describe(1, 'a'), request(FETCH, 4, 2), describe(3, 'c')),
      serverGap(60),
      server(noise(30), response(2, [1, 2, 3, 4]), described(3, 'c')),
    ],
    exchanges: ['3 complete 1-1/3-3', '1 unanswered gap 1-1/'],
    told: ['server tcp-gap 2 60', 'server frames-skipped 3 30'],
  },
  {
    title: 'a size that nobody sends is followed by a search',
    steps: [
      client(describe(1, 'a')),
      server(described(1, 'a')),
      client(Uint8Array.from([0x80, 0, 0, 0]), noise(20)),
      client(describe(2, 'b')),
      server(described(2, 'b')),
    ],
    exchanges: ['1 complete 1-1/2-2', '2 complete 4-4/5-5'],
    told: ['client frame-size-invalid 3', 'client frames-skipped 4 24'],
  },
  {
    title: 'a size that nobody sends, cut into segments, is followed by a search',
    steps: [
      client(describe(1, 'a'), Uint8Array.from([0x80])),
      client(Uint8Array.from([0, 0])),
      client(Uint8Array.from([0]), noise(20)),
      client(describe(2, 'b')),
      server(described(1, 'a'), described(2, 'b')),
    ],
    exchanges: ['1 complete 1-1/5-5', '2 complete 4-4/5-5'],
    told: ['client frame-size-invalid 1', 'client frames-skipped 4 24'],
  },
  {
    title: 'pairs of frames and rubbish by turns are told apart',
    steps: [
      client(
        describe(1, 'a'),
        ...Array.from({ length: 5 }, (_, i) => [
          Uint8Array.from([255, 255, 255, 255]),
          describe(2 * i + 2, 'a'),
          describe(2 * i + 3, 'a'),
        ]).flat(),
      ),
    ],
    exchanges: Array.from({ length: 11 }, (_, i) => `${i + 1} unanswered capture-ended 1-1/`),
    told: Array.from({ length: 5 }, () => ['client frame-size-invalid 1', 'client frames-skipped 1 4']).flat(),
  },
  {
    title: 'answers whose beginning is not known are found',
    steps: [client(describe(1, 'a')), server(noise(10), described(1, 'a'))],
    exchanges: ['1 complete 1-1/2-2'],
    told: ['server frames-skipped 2 10'],
    options: { serverJoined: true },
  },
];

for (const { title, steps, exchanges, told, options } of rows) {
  test(title, (t) => {
    const played = play(steps, options);
    t.deepEqual(played.exchanges, exchanges);
    t.deepEqual(played.told, told);
  });
}

const middles: Row[] = [
  { title: 'from a request', steps: [client(describe(1, 'a')), server(described(1, 'a'))], exchanges: ['1 complete 1-1/2-2'], told: [] },
  {
    title: 'from inside an answer',
    steps: [server(noise(1000)), client(describe(1, 'a')), server(described(1, 'a'))],
    exchanges: ['1 complete 2-2/3-3'],
    told: ['server frames-skipped 3 1000'],
  },
  {
    title: 'from inside frames of both sides',
    steps: [client(noise(100)), server(noise(1000)), client(describe(1, 'a')), server(described(1, 'a'))],
    exchanges: ['1 complete 3-3/4-4'],
    told: ['client frames-skipped 3 100', 'server frames-skipped 4 1000'],
  },
  {
    title: 'from requests without client id',
    steps: [client(describe(1, 'a', null)), server(described(1, 'a')), client(describe(2, 'b', null)), server(described(2, 'b'))],
    exchanges: ['1 complete 1-1/2-2', '2 complete 3-3/4-4'],
    told: [],
  },
  {
    title: 'from an answer that looks like a request',
    steps: [
      server(response(3, [0, 0, 0, 0, 0, 0, 0, 0])),
      client(request(METADATA, 1, 4)),
      server(response(4)),
      client(describe(5, 'a')),
      server(described(5, 'a')),
    ],
    exchanges: ['5 complete 4-4/5-5'],
    told: ['server frames-skipped 3 16'],
  },
  {
    title: 'with a gap before anything is known',
    steps: [server(noise(100)), serverGap(50), server(noise(100)), client(describe(1, 'a')), server(described(1, 'a'))],
    exchanges: ['1 complete 4-4/5-5'],
    told: ['both tcp-gap 2 50', 'server frames-skipped 5 200'],
  },
  {
    title: 'from one direction only',
    steps: [client(noise(20)), client(describe(1, 'a')), client(describe(2, 'b'))],
    exchanges: ['1 unanswered no-server-packets 2-2/', '2 unanswered no-server-packets 3-3/'],
    told: ['client frames-skipped 2 20'],
    options: { noServerPackets: true },
  },
];

for (const { title, steps, exchanges, told, options } of middles) {
  test(`a conversation is found in mid-connection ${title}`, (t) => {
    const played = play(steps, { ...options, opener: null });
    t.deepEqual(played.exchanges, exchanges);
    t.deepEqual(played.told, told);
  });
  test(`and whichever side is named first ${title}`, (t) => {
    const swapped = steps.map(
      (step): Step =>
        (sink, packet) =>
          step(
            {
              ...sink,
              data: (direction, ...rest) => sink.data((1 - direction) as 0 | 1, ...rest),
              gap: (direction, ...rest) => sink.gap((1 - direction) as 0 | 1, ...rest),
            },
            packet,
          ),
    );
    t.deepEqual(
      play(swapped, { opener: null }).exchanges.map((line) => line.replace('capture-ended', 'no-server-packets')),
      exchanges,
    );
  });
}

test('any segmentation gives the same exchanges after a gap', (t) => {
  const requests = concat(describe(1, 'a'), describe(2, 'b'), describe(3, 'c'));
  const answers = concat(noise(30), described(2, 'b', 3000), described(3, 'c'));
  for (let size = 1; size < 120; size += 7) {
    const pieces = Array.from({ length: Math.ceil(answers.length / size) }, (_, i) => server(answers.subarray(i * size, (i + 1) * size)));
    const { exchanges } = play([client(requests), serverGap(41), ...pieces]);
    t.deepEqual(
      exchanges.map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['2 complete', '3 complete', '1 unanswered'],
      `${size} bytes a segment`,
    );
  }
});

test('an empty frame and frames of every small size are told from each other', (t) => {
  for (let size = 0; size < 14; size++) {
    const { exchanges } = play([
      client(describe(1, 'a')),
      server(described(1, 'a')),
      client(frame(noise(size))),
      client(describe(2, 'b')),
      server(described(2, 'b')),
    ]);
    t.is(exchanges.length, 2, `${size}`);
  }
});

test('ten thousand turns of frames and rubbish in one segment take little time and no stack', (t) => {
  const pair = concat(Uint8Array.from([255, 255, 255, 255]), describe(2, 'a'), describe(3, 'a'));
  const turns = Buffer.concat(new Array(10_000).fill(pair));
  const before = performance.now();
  const { counts } = play([
    client(describe(1, 'a')),
    (sink) => sink.data(0, turns, 0, turns.length, { capture: 0, number: 2, seconds: 0, nanos: 0, fine: false }),
  ]);
  t.is(counts.requests, 20_001);
  t.true(performance.now() - before < 30_000);
});
