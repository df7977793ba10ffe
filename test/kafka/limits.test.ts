import test from 'ava';
import { MAX_FRAME_BYTES, MAX_PENDING_REQUESTS } from '../../src/limits.ts';
import { client, describe, described, play, request, response, server } from '../helpers/kafka-script.ts';
import { bigEndian, concat } from '../helpers/packets.ts';

const METADATA = 3;

const pending = [
  { count: MAX_PENDING_REQUESTS - 1, dropped: 0 },
  { count: MAX_PENDING_REQUESTS, dropped: 0 },
  { count: MAX_PENDING_REQUESTS + 1, dropped: 1 },
];
for (const { count, dropped } of pending) {
  test(`of ${count} requests under way ${dropped} are given up`, (t) => {
    const ids = Array.from({ length: count }, (_, i) => i);
    const { exchanges, told } = play([...ids.map((id) => client(describe(id, 'a'))), ...ids.map((id) => server(described(id, 'a')))]);
    t.is(exchanges.filter((line) => line.includes('complete')).length, count - dropped);
    t.deepEqual(
      exchanges.filter((line) => line.includes('evicted')),
      dropped === 0 ? [] : ['0 unanswered evicted 1-1/'],
    );
    t.deepEqual(told, dropped === 0 ? [] : ['client pending-dropped 1', `server response-without-request ${count + 1} 41`]);
  });
}

test('requests nobody asked for are forgotten without a word', (t) => {
  const { told } = play(Array.from({ length: MAX_PENDING_REQUESTS + 10 }, (_, id) => client(request(METADATA, 1, id))));
  t.deepEqual(told, []);
});

test('requests that are never answered cost the answered ones little', (t) => {
  const never = Array.from({ length: 9_000 }, (_, id) => client(request(METADATA, 1, -1 - id)));
  const answered = Array.from({ length: 60_000 }, (_, id) => [client(request(METADATA, 1, id)), server(response(id))]).flat();
  const before = performance.now();
  const { counts } = play([...never, ...answered]);
  t.is(counts.responses, 60_000);
  t.true(performance.now() - before < 30_000);
});

test('ten thousand requests under way at all times cost little', (t) => {
  const ahead = 9_990;
  const ids = Array.from({ length: 60_000 }, (_, id) => id);
  const steps = ids.flatMap((id) => [client(request(METADATA, 1, id)), ...(id < ahead ? [] : [server(response(id - ahead))])]);
  const before = performance.now();
  const { counts, told } = play(steps);
  t.is(counts.responses, 60_000 - ahead);
  t.deepEqual(told, []);
  t.true(performance.now() - before < 30_000);
});

const sizes = [
  { side: 'an answer', max: 1000, value: 963, kept: true },
  { side: 'an answer', max: 1000, value: 964, kept: true },
  { side: 'an answer', max: 1000, value: 965, kept: false },
];
for (const { side, max, value, kept } of sizes) {
  const bytes = described(1, 'a', value).length - 4;
  test(`${side} of ${bytes} bytes is ${kept ? 'kept' : 'counted down'} where ${max} are allowed`, (t) => {
    const { exchanges, told } = play(
      [client(describe(1, 'a'), describe(2, 'b')), server(described(1, 'a', value)), server(described(2, 'b'))],
      { maxFrameBytes: max },
    );
    t.is(bytes <= max, kept);
    t.deepEqual(exchanges, [kept ? '1 complete 1-1/2-2' : '1 partial frame-too-large 1-1/2-', '2 complete 1-1/3-3']);
    t.deepEqual(told, kept ? [] : [`server frame-size-invalid 2 ${bytes + 4}`]);
  });
}

test('a request larger than allowed is counted down, and said so', (t) => {
  const topics = Array.from({ length: 200 }, (_, i) => `topic-${i}`);
  const { exchanges, told } = play(
    [client(describe(1, topics)), client(describe(2, 'b')), server(described(1, topics), described(2, 'b'))],
    { maxFrameBytes: 1000 },
  );
  t.deepEqual(exchanges, ['1 partial frame-too-large 1-/3-', '2 complete 2-2/3-3']);
  t.deepEqual(told, [
    `client frame-size-invalid 1 ${describe(1, topics).length}`,
    `server frame-size-invalid 3 ${described(1, topics).length}`,
  ]);
});

test('frames nobody asked for may be larger than allowed, unheard', (t) => {
  const body = new Array(5000).fill(0);
  const { exchanges, told } = play(
    [client(request(METADATA, 1, 1, body), describe(2, 'b')), server(response(1, body), described(2, 'b'))],
    { maxFrameBytes: 1000 },
  );
  t.deepEqual(exchanges, ['2 complete 1-1/2-2']);
  t.deepEqual(told, []);
});

const claims = [
  { title: 'the largest size of Kafka', size: MAX_FRAME_BYTES, told: ['client frame-incomplete 2 20'] },
  { title: 'a byte more', size: MAX_FRAME_BYTES + 1, told: ['client frame-size-invalid 2', 'client frames-skipped 2 20'] },
  { title: 'the largest int32', size: 0x7fffffff, told: ['client frame-size-invalid 2', 'client frames-skipped 2 20'] },
  { title: 'a negative size', size: -1, told: ['client frame-size-invalid 2', 'client frames-skipped 2 20'] },
  { title: 'no bytes', size: 0, told: ['client frame-size-invalid 2', 'client frames-skipped 2 20'] },
];
for (const { title, size, told } of claims) {
  test(`a request that claims ${title} takes no more memory than it has bytes`, (t) => {
    const before = process.memoryUsage().arrayBuffers;
    const played = play([
      client(describe(1, 'a')),
      client(concat(bigEndian(size, 4), [0, 32, 0, 1, 0, 0, 0, 9, 0, 3, 97, 100, 109, 0, 0, 0])),
    ]);
    t.true(process.memoryUsage().arrayBuffers - before < 10_000_000);
    t.deepEqual(played.told, told);
  });
}
