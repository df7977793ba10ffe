import test from 'ava';
import {
  client,
  clientEnd,
  clientGap,
  describe,
  described,
  play,
  request,
  response,
  type ScriptOptions,
  type Step,
  server,
  serverEnd,
  serverGap,
} from '../helpers/kafka-script.ts';

const [PRODUCE, FETCH, METADATA, API_VERSIONS] = [0, 1, 3, 18];
const produce = (id: number, acks: number) => request(PRODUCE, 3, id, [255, 255, (acks >> 8) & 255, acks & 255, 0, 0, 0, 9]);
/** Produce 9: flexible header and transactional id. */
const produceFlexible = (id: number, acks: number, transaction = 0) =>
  request(PRODUCE, 9, id, [0, ...(transaction === 0 ? [0] : [transaction + 1, ...new Array(transaction).fill(116)]), 0, acks, 0, 0, 0, 9]);

interface Row {
  title: string;
  steps: Step[];
  exchanges: string[];
  told?: string[];
  options?: ScriptOptions;
}

const rows: Row[] = [
  { title: 'a request and its answer', steps: [client(describe(1, 'a')), server(described(1, 'a'))], exchanges: ['1 complete 1-1/2-2'] },
  {
    title: 'several under way at once',
    steps: [
      client(describe(1, 'a'), describe(2, 'b')),
      client(request(METADATA, 1, 3)),
      server(described(1, 'a')),
      server(described(2, 'b'), response(3)),
    ],
    exchanges: ['1 complete 1-1/3-3', '2 complete 1-1/4-4'],
  },
  {
    title: 'the same id again and again',
    steps: [client(describe(7, 'a')), server(described(7, 'a')), client(describe(7, 'b')), server(described(7, 'b'))],
    exchanges: ['7 complete 1-1/2-2', '7 complete 3-3/4-4'],
  },
  {
    title: 'the same id several times at once, in order',
    steps: [
      client(describe(7, 'a'), describe(7, 'a')),
      client(describe(7, 'a')),
      server(described(7, 'a')),
      server(described(7, 'a')),
      server(described(7, 'a')),
    ],
    exchanges: ['7 complete 1-1/3-3', '7 complete 1-1/4-4', '7 complete 2-2/5-5'],
  },
  {
    title: 'answers out of order, and says so',
    steps: [
      client(describe(1, 'a'), describe(2, 'b'), describe(3, 'c')),
      server(described(3, 'c')),
      server(described(1, 'a')),
      server(described(2, 'b')),
    ],
    exchanges: ['3 complete 1-1/2-2', '1 complete 1-1/3-3', '2 complete 1-1/4-4'],
    told: ['server responses-reordered 3', 'server responses-reordered 4'],
  },
  {
    title: 'ids at the extremes',
    steps: [0, -1, 2147483647, -2147483648].flatMap((id) => [client(describe(id, 'a')), server(described(id, 'a'))]),
    exchanges: ['0 complete 1-1/2-2', '-1 complete 3-3/4-4', '2147483647 complete 5-5/6-6', '-2147483648 complete 7-7/8-8'],
  },
  {
    title: 'a Produce without acks, which is never answered',
    steps: [client(produce(1, 0), describe(1, 'a')), server(described(1, 'a'))],
    exchanges: ['1 complete 1-1/2-2'],
  },
  {
    title: 'a flexible Produce without acks, with a transactional id',
    steps: [client(produceFlexible(1, 0, 5), produceFlexible(2, 0), describe(2, 'a')), server(described(2, 'a'))],
    exchanges: ['2 complete 1-1/2-2'],
  },
  {
    title: 'a Produce with acks, which is answered',
    steps: [
      client(produce(1, 1), produce(2, -1), produceFlexible(3, 1), describe(3, 'a')),
      server(response(1), response(2), response(3)),
      server(described(3, 'a')),
    ],
    exchanges: ['3 complete 1-1/3-3'],
  },
  {
    title: 'requests of unknown APIs and versions',
    steps: [
      client(describe(1, 'a'), request(999, 3, 2), request(-5, 0, 3), request(FETCH, 99, 4)),
      server(described(1, 'a'), response(2), response(3), response(4)),
      client(describe(5, 'b')),
      server(described(5, 'b')),
    ],
    exchanges: ['1 complete 1-1/2-2', '5 complete 3-3/4-4'],
  },
  {
    title: 'an answer recorded before its request ended',
    steps: [client(describe(1, 'a').subarray(0, 20)), server(described(1, 'a')), client(describe(1, 'a').subarray(20))],
    exchanges: ['1 complete 1-3/2-2'],
  },
  {
    title: 'an answer without request',
    steps: [client(describe(1, 'a')), server(described(9, 'a')), server(described(1, 'a'))],
    exchanges: ['1 complete 1-1/3-3'],
    told: ['server response-without-request 2 41'],
  },
  {
    title: 'a version of ApiVersions that the broker refuses',
    steps: [
      client(request(API_VERSIONS, 4, 1)),
      server(response(1, [0, 35, 0, 0, 0, 0])),
      client(request(API_VERSIONS, 0, 2)),
      server(response(2, [0, 35, 0, 0, 0, 0])),
    ],
    exchanges: [],
    told: ['server api-versions-fallback 2'],
  },
  {
    title: 'a request left open by the end of the capture',
    steps: [client(describe(1, 'a'))],
    exchanges: ['1 unanswered capture-ended 1-1/'],
  },
  {
    title: 'a request left open by both FINs',
    steps: [client(describe(1, 'a'))],
    exchanges: ['1 unanswered connection-closed 1-1/'],
    options: { end: 'closed' },
  },
  {
    title: 'a request left open by a reset',
    steps: [client(describe(1, 'a'))],
    exchanges: ['1 unanswered connection-reset 1-1/'],
    options: { end: 'reset' },
  },
  {
    title: 'a request left open by eviction',
    steps: [client(describe(1, 'a'))],
    exchanges: ['1 unanswered evicted 1-1/'],
    options: { end: 'evicted' },
  },
  {
    title: 'a request to a server that is not in the capture',
    steps: [client(describe(1, 'a'))],
    exchanges: ['1 unanswered no-server-packets 1-1/'],
    options: { noServerPackets: true },
  },
  {
    title: 'a request passed over by its broker',
    steps: [client(describe(1, 'a'), describe(2, 'b')), server(described(2, 'b'))],
    exchanges: ['2 complete 1-1/2-2', '1 unanswered not-answered-in-order 1-1/'],
  },
  {
    title: 'a request when the server ends, at once',
    steps: [client(describe(1, 'a')), serverEnd],
    exchanges: ['1 unanswered connection-closed 1-1/'],
  },
  {
    title: 'a request that its client cut',
    steps: [client(describe(1, 'a').subarray(0, 24)), clientEnd],
    exchanges: ['1 partial connection-closed 1-/'],
    told: ['client frame-incomplete 1 24'],
  },
  {
    title: 'an answer that its server cut, at once',
    steps: [client(describe(1, 'a')), server(described(1, 'a').subarray(0, 30)), serverEnd],
    exchanges: ['1 partial connection-closed 1-1/2-'],
    told: ['server frame-incomplete 2 30'],
  },
  {
    title: 'an answer of which the first bytes alone came',
    steps: [client(describe(1, 'a')), server(described(1, 'a').subarray(0, 2))],
    exchanges: ['1 unanswered capture-ended 1-1/'],
    told: ['server frame-incomplete 2 2'],
  },
];

for (const { title, steps, exchanges, told = [], options } of rows) {
  test(`a conversation pairs or settles ${title}`, (t) => {
    const played = play(steps, options);
    t.deepEqual(played.exchanges, exchanges);
    t.deepEqual(played.told, told);
  });
}

const lost: Row[] = [
  {
    title: 'an answer after a gap goes to the request that asked for its resources',
    steps: [client(describe(7, 'a'), describe(7, 'b')), serverGap(48), server(described(7, 'b'))],
    exchanges: ['7 complete 1-1/3-3', '7 unanswered gap 1-1/'],
    told: ['server tcp-gap 2 48'],
  },
  {
    title: 'an answer after a gap goes to the last request of a client that waits for each answer',
    steps: [
      client(describe(7, 'a')),
      serverGap(48),
      client(describe(7, 'a')),
      server(described(7, 'a')),
      client(describe(7, 'a')),
      server(described(7, 'a')),
    ],
    exchanges: ['7 complete 3-3/4-4', '7 complete 5-5/6-6', '7 unanswered gap 1-1/'],
    told: ['server tcp-gap 2 48'],
  },
  {
    title: 'an answer after a gap that any of several requests may have goes to none',
    steps: [client(describe(7, 'a'), describe(7, 'a')), serverGap(48), server(described(7, 'a'))],
    exchanges: ['7 unanswered gap 1-1/', '7 unanswered gap 1-1/'],
    told: ['server tcp-gap 2 48', 'server response-without-request 3 41'],
  },
  {
    title: 'an answer to a lost request does not go to another with its id',
    steps: [
      client(describe(1, 'x')),
      server(described(1, 'x')),
      clientGap(33),
      client(describe(7, 'b')),
      server(described(7, 'a')),
      server(described(7, 'b')),
    ],
    exchanges: ['1 complete 1-1/2-2', '7 complete 4-4/6-6'],
    told: ['client tcp-gap 3 33', 'server response-without-request 5 41'],
  },
  {
    title: 'a malformed answer after a lost request goes to the request with its id',
    steps: [
      client(describe(1, 'x')),
      server(described(1, 'x')),
      clientGap(33),
      client(describe(7, 'b')),
      server(response(7, [0, 0, 0, 0, 9])),
    ],
    exchanges: ['1 complete 1-1/2-2', '7 partial malformed 4-4/5-5'],
    told: ['client tcp-gap 3 33', 'server body-malformed 5 13'],
  },
];

for (const { title, steps, exchanges, told = [] } of lost) {
  test(title, (t) => {
    const played = play(steps);
    t.deepEqual(played.exchanges, exchanges);
    t.deepEqual(played.told, told);
  });
}

test('each exchange comes with the step that completes or damages it', (t) => {
  const { after } = play([
    client(describe(1, 'a'), describe(2, 'b')),
    server(described(1, 'a', 100).subarray(0, 80)),
    serverGap(10),
    server(described(2, 'b')),
  ]);
  t.deepEqual(after, [0, 0, 1, 1]);
});

test('every request of any API is told once, answered or not', (t) => {
  const { calls, counts } = play([
    client(describe(1, 'a'), request(METADATA, 1, 2), produce(3, 0), request(FETCH, 4, 4)),
    server(described(1, 'a'), response(2)),
  ]);
  t.deepEqual(calls, [3, 1, 2, 4]);
  t.deepEqual(counts, { kafka: 1, tls: 0, requests: 4, responses: 2 });
});
