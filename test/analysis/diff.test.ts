import test from 'ava';
import { DiffObserver } from '../../src/analysis/diff.ts';
import { parseSide } from '../../src/analysis/diff-side.ts';
import { type Comparison, compare } from '../../src/analysis/differences.ts';
import { Filter } from '../../src/analysis/filters/filter.ts';
import type { FilterOptions } from '../../src/analysis/filters/filter-options.ts';
import { type Config, captureOf, describe, metadata, observe, type Talk, timeAt } from './lab.ts';

interface Options {
  readonly filter?: FilterOptions;
  readonly showSecrets?: boolean;
  readonly onlySet?: boolean;
}

async function picturesOf(sides: readonly string[], capture: Uint8Array, filterOptions?: FilterOptions) {
  const filter = filterOptions === undefined ? null : new Filter(filterOptions);
  const observer = new DiffObserver(
    sides.map((side) => parseSide('--left', side)),
    filter,
  );
  await observe([capture], observer, { exchange: (exchange) => observer.described(exchange) });
  return observer.pictures;
}

/** Compares two sides of one capture. */
async function diffOf(
  left: string,
  right: string,
  talks: readonly Talk[],
  { filter, showSecrets = false, onlySet = false }: Options = {},
): Promise<Comparison> {
  const [one, two] = await picturesOf([left, right], captureOf(...talks), filter);
  if (one === undefined || two === undefined) throw new Error('two pictures');
  return compare(one, two, { showSecrets, onlySet });
}

/** Compares two captures. */
async function diffOfCaptures(left: readonly Talk[], right: readonly Talk[]): Promise<Comparison> {
  const [one] = await picturesOf(['left.pcap'], captureOf(...left));
  const [two] = await picturesOf(['right.pcap'], captureOf(...right));
  if (one === undefined || two === undefined) throw new Error('two pictures');
  return compare(one, two, { showSecrets: false, onlySet: false });
}

function textsOf({ rows }: Comparison): string[] {
  const side = (value: (typeof rows)[number]['left']) => (value === null ? 'none' : `${value.value}/${value.source}`);
  return rows.map(({ resourceName, key, left, right }) => `${resourceName} ${key}: ${side(left)} ${side(right)}`);
}

function config(key: string, value: string | null, source = 5, isSensitive = false): Config {
  return { key, value, source, isSensitive };
}

const brokerPair: readonly Talk[] = [
  {
    server: '10.0.0.1:9092',
    says: [describe(0, 'broker:1', [config('threads', '1'), config('rack', 'a', 4), config('same', 'x'), config('only.here', 'y', 4)])],
  },
  {
    server: '10.0.0.2:9092',
    client: '10.0.0.9:40001',
    says: [describe(1, 'broker:2', [config('threads', '1', 2), config('rack', 'b', 4), config('same', 'x')])],
  },
];

test('two brokers differ in value, in source, and in what one has alone', async (t) => {
  const comparison = await diffOf('broker:1', 'broker:2', brokerPair);
  t.deepEqual(textsOf(comparison), ['1 only.here: y/4 none', '1 rack: a/4 b/4', '1 threads: 1/5 1/2']);
  t.like(comparison, { compared: 4, neverAsked: 0 });
  t.is(comparison.rows[1]?.left?.time, timeAt(0.001));
  t.is(comparison.rows[1]?.left?.sourceName, 'STATIC_BROKER_CONFIG');
});

test('what one side was never asked for is no difference', async (t) => {
  const asked = { ...(brokerPair[0] as Talk), says: [describe(0, 'broker:1', [config('rack', 'a', 4)], { keys: ['rack'] })] };
  const comparison = await diffOf('broker:1', 'broker:2', [asked, brokerPair[1] as Talk]);
  t.deepEqual(textsOf(comparison), ['1 rack: a/4 b/4']);
  t.is(comparison.neverAsked, 2);
});

test('servers are compared in the resources that both told of', async (t) => {
  const talks: readonly Talk[] = [
    { server: '10.0.0.1:9092', says: [describe(0, 'topic:a', [config('x', '1')]), describe(1, 'topic:left', [config('x', '1')])] },
    { server: '10.0.0.2:9092', client: '10.0.0.9:40001', says: [describe(2, 'topic:a', [config('x', '2')])] },
  ];
  const comparison = await diffOf('server:10.0.0.1:9092', 'server:10.0.0.2:9092', talks);
  t.deepEqual(textsOf(comparison), ['a x: 1/5 2/5']);
  t.like(comparison, { onlyLeft: 1, onlyRight: 0 });
});

const history: readonly Talk[] = [
  {
    says: [
      describe(0, 'topic:a', [config('x', '1', 1), config('gone', '1', 1)]),
      describe(10, 'topic:a', [config('x', '2', 1)]),
      describe(20, 'topic:a', [config('x', '3', 1)]),
    ],
  },
];

test('two times are compared in the last that was seen until then', async (t) => {
  t.deepEqual(textsOf(await diffOf('@+5s', '@+15s', history)), ['a gone: 1/1 none', 'a x: 1/1 2/1']);
  t.deepEqual(textsOf(await diffOf('@2023-11-14T22:13:35Z', '@2023-11-14T22:14:00Z', history)), ['a x: 2/1 3/1']);
  t.deepEqual(textsOf(await diffOf('@+21s', '@+30s', history)), []);
});

test('two captures: their last values', async (t) => {
  const left: readonly Talk[] = [{ says: [describe(0, 'topic:a', [config('x', '0')]), describe(1, 'topic:a', [config('x', '1')])] }];
  const right: readonly Talk[] = [{ says: [describe(0, 'topic:a', [config('x', '2')])] }];
  t.deepEqual(textsOf(await diffOfCaptures(left, right)), ['a x: 1/5 2/5']);
});

test('a broker that told on both sides is compared with itself', async (t) => {
  const told = (server: string, at: number, value: string, client: string): Talk => ({
    server,
    client,
    says: [describe(at, 'topic:a', [config('x', value)])],
  });
  const nodes: Talk = {
    client: '10.0.0.7:1',
    says: [
      metadata(0, [
        [1, '10.0.0.1', 9092],
        [2, '10.0.0.2', 9092],
      ]),
    ],
  };
  const left = [nodes, told('10.0.0.1:9092', 1, 'one', '10.0.0.9:1'), told('10.0.0.2:9092', 2, 'two', '10.0.0.9:2')];
  const right = [nodes, told('10.0.0.1:9092', 1, 'one', '10.0.0.9:1')];
  t.deepEqual(textsOf(await diffOfCaptures(left, right)), []);
  t.deepEqual(textsOf(await diffOfCaptures(left, [told('10.0.0.3:9092', 1, 'three', '10.0.0.9:3')])), ['a x: two/5 three/5']);
});

test('version 0 confirms a value without a source, and tells a new one', async (t) => {
  const old = (at: number, value: string) => describe(at, 'topic:a', [config('x', value)], { version: 0 });
  const talk = (...says: Talk['says']): readonly Talk[] => [{ says }];
  const now = describe(0, 'topic:a', [config('x', '1', 1)]);
  t.deepEqual(textsOf(await diffOfCaptures(talk(now, old(1, '1')), talk(now))), []);
  t.deepEqual(textsOf(await diffOfCaptures(talk(now, old(1, '2')), talk(now))), ['a x: 2/null 1/1']);
  t.deepEqual(textsOf(await diffOfCaptures(talk(old(1, '1')), talk(now))), []);
});

test('secrets are compared, and shown only where asked', async (t) => {
  const talks: readonly Talk[] = [
    { server: '10.0.0.1:9092', says: [describe(0, 'broker:1', [config('my.key', 'aaaa', 2, true)])] },
    { server: '10.0.0.2:9092', client: '10.0.0.9:40001', says: [describe(1, 'broker:2', [config('my.key', 'bbbb', 2, true)])] },
  ];
  t.deepEqual(textsOf(await diffOf('broker:1', 'broker:2', talks)), ['1 my.key: <redacted, 4 bytes>/2 <redacted, 4 bytes>/2']);
  t.deepEqual(textsOf(await diffOf('broker:1', 'broker:2', talks, { showSecrets: true })), ['1 my.key: aaaa/2 bbbb/2']);
});

test('filters choose what is compared', async (t) => {
  t.deepEqual(textsOf(await diffOf('broker:1', 'broker:2', brokerPair, { filter: { key: 'rack' } })), ['1 rack: a/4 b/4']);
  t.deepEqual(textsOf(await diffOf('broker:1', 'broker:2', brokerPair, { filter: { key: 'only.*' } })), ['1 only.here: y/4 none']);
});

test('what nobody set on either side can be left out', async (t) => {
  const talks: readonly Talk[] = [
    { server: '10.0.0.1:9092', says: [describe(0, 'broker:1', [config('port', '1'), config('rack', 'a')])] },
    { server: '10.0.0.2:9092', client: '10.0.0.9:40001', says: [describe(1, 'broker:2', [config('port', '2'), config('rack', 'b', 4)])] },
  ];
  t.deepEqual(textsOf(await diffOf('broker:1', 'broker:2', talks, { onlySet: true })), ['1 rack: a/5 b/4']);
});

const sides: readonly (readonly [text: string, kind: string])[] = [
  ['@2026-11-29T18:21:00Z', 'time'],
  ['@+30s', 'time'],
  ['broker:1', 'broker'],
  ['server:[::1]:9092', 'server'],
  ['before.pcap', 'capture'],
  ['./broker:1', 'capture'],
];

for (const [text, kind] of sides) {
  test(`${text} is a ${kind}`, (t) => {
    t.is(parseSide('--left', text).kind, kind as 'time');
  });
}

test('a time that is none is refused', (t) => {
  t.throws(() => parseSide('--left', '@yesterday'), { message: /--left/ });
});
