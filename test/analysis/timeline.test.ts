import test from 'ava';
import { Filter } from '../../src/analysis/filters/filter.ts';
import type { FilterOptions } from '../../src/analysis/filters/filter-options.ts';
import { Timeline } from '../../src/analysis/timeline.ts';
import type { ChangeRow, TimelineRow, ValueRow } from '../../src/records/rows.ts';
import { alter, captureOf, describe, envelope, metadata, observe, replaceAll, type Talk, timeAt } from './lab.ts';

interface Options {
  readonly filter?: FilterOptions;
  readonly onlyChanges?: boolean;
  readonly onlySet?: boolean;
  readonly showSecrets?: boolean;
}

async function timelineOf(captures: readonly (string | Uint8Array)[], options: Options = {}): Promise<TimelineRow[]> {
  const { onlyChanges = false, onlySet = false, showSecrets = false } = options;
  const filter = options.filter === undefined ? null : new Filter(options.filter);
  const names = captures.map((_, index) => `lab-${index}.pcap`);
  const timeline = new Timeline({ captures: names, filter, onlyChanges, onlySet, showSecrets });
  await observe(captures, timeline, { exchange: (exchange) => timeline.described(exchange) }, filter);
  return [...timeline.rows()];
}

async function timelineOfTalks(...talks: readonly Talk[]): Promise<TimelineRow[]> {
  return timelineOf([captureOf(...talks)]);
}

function valuesOf(rows: readonly TimelineRow[]): string[] {
  return rows
    .filter((row): row is ValueRow => row.type === 'value')
    .map((row) => `${row.broker} ${row.key}=${row.value}/${row.source} x${row.observations}`);
}

function changesOf(rows: readonly TimelineRow[]): ChangeRow[] {
  return rows.filter((row): row is ChangeRow => row.type === 'change');
}

function retention(at: number, value: string, source = 1) {
  return describe(at, 'topic:orders', [{ key: 'retention.ms', value, source }]);
}

const incident = 'captures/incident-orders-retention.pcap.gz';

test('the incident: the life of retention.ms of topic orders, and who changed it', async (t) => {
  const rows = await timelineOf([incident], { filter: { resource: 'topic:orders', key: 'retention.ms' } });
  t.deepEqual(valuesOf(rows), [
    '1 retention.ms=604800000/1 x11',
    '1 retention.ms=3600000/1 x15',
    '1 retention.ms=86400000/1 x11',
    '1 retention.ms=604800000/5 x5',
  ]);
  t.deepEqual(
    changesOf(rows).map(({ by, notBefore, notAfter }) => [
      by.map(({ packet, principal, op, value }) => [packet, principal, op, value]),
      notBefore,
      notAfter,
    ]),
    [
      [[[2010, 'User:ops', 'SET', '3600000']], '2026-11-29T18:14:37.765207Z', '2026-11-29T18:14:47.720656Z'],
      [[[4635, 'User:alice', 'REPLACE_ALL', '86400000']], '2026-11-29T18:16:07.767899Z', '2026-11-29T18:16:09.409009Z'],
      [[[6358, 'User:ops', 'DELETE', null]], '2026-11-29T18:17:07.804359Z', '2026-11-29T18:17:09.640499Z'],
    ],
  );
});

test('the incident: 45 configs changed, 39 of them because all brokers were altered', async (t) => {
  const changes = changesOf(await timelineOf([incident], { onlyChanges: true }));
  t.is(new Set(changes.map(({ resourceName, key }) => `${resourceName} ${key}`)).size, 45);
  const inherited = changes.filter(({ by, inherited: causes }) => by.length === 0 && causes.length === 1);
  t.true(
    inherited.every(({ key, inherited: [cause] }) => /max/.test(key) && cause?.key === 'message.max.bytes' && cause.resourceName === ''),
  );
  t.is(new Set(inherited.map(({ resourceName }) => resourceName)).size, 41);
});

test('rows are in order of time, a change before the value that it led to', async (t) => {
  const rows = await timelineOf([incident], { onlyChanges: true });
  const times = rows.map((row) => (row.type === 'value' ? row.firstSeen : row.notAfter));
  t.deepEqual(times, [...times].sort());
  for (const [index, row] of rows.entries()) {
    if (row.type !== 'change') continue;
    const next = rows.findIndex(
      (other, at) => at > index && other.type === 'value' && other.key === row.key && other.resourceName === row.resourceName,
    );
    t.like(rows[next], { firstSeen: row.notAfter, value: row.to.value });
  }
});

test('what had one value alone is shown where it is asked for', async (t) => {
  const bytes = captureOf({ says: [retention(0, '1'), retention(5, '1')] });
  t.is((await timelineOf([bytes], { onlyChanges: true })).length, 0);
  t.deepEqual(valuesOf(await timelineOf([bytes])), ['10.0.0.1:9092 retention.ms=1/1 x2']);
});

test('two brokers that answer differently are not a change', async (t) => {
  const rows = await timelineOfTalks(
    { server: '10.0.0.1:9092', says: [retention(0, '1'), retention(2, '1')] },
    { server: '10.0.0.2:9092', client: '10.0.0.9:40001', says: [retention(1, '2'), retention(3, '2')] },
  );
  t.deepEqual(valuesOf(rows), ['10.0.0.1:9092 retention.ms=1/1 x2', '10.0.0.2:9092 retention.ms=2/1 x2']);
});

test('two listeners of a broker are one, even if Metadata tells so only later', async (t) => {
  const nodes = [[1, '10.0.0.1', 9092]] as const;
  const sasl = [[1, '10.0.0.1', 9094]] as const;
  const rows = await timelineOfTalks(
    { server: '10.0.0.1:9092', says: [retention(0, '1'), retention(4, '2'), metadata(5, nodes), retention(6, '2')] },
    {
      server: '10.0.0.1:9094',
      client: '10.0.0.9:40001',
      says: [retention(1, '1'), retention(3, '2'), metadata(4.5, sasl), retention(8, '3')],
    },
  );
  t.deepEqual(valuesOf(rows), ['1 retention.ms=1/1 x2', '1 retention.ms=2/1 x3', '1 retention.ms=3/1 x1']);
  t.deepEqual(
    changesOf(rows).map(({ notBefore, notAfter }) => [notBefore, notAfter]),
    [
      [timeAt(1.001), timeAt(3.001)],
      [timeAt(6.001), timeAt(8.001)],
    ],
  );
});

test('version 0 tells no source: it opens, extends and closes nothing', async (t) => {
  const old = (at: number, value: string) => describe(at, 'topic:orders', [{ key: 'retention.ms', value }], { version: 0 });
  const rows = await timelineOfTalks({ says: [old(0, '9'), retention(1, '1'), old(2, '9'), old(3, '1'), retention(4, '1'), old(5, '1')] });
  t.deepEqual(valuesOf(rows), ['10.0.0.1:9092 retention.ms=1/1 x2']);
});

test('a refused answer and an unanswered request tell nothing', async (t) => {
  const refused = describe(1, 'topic:orders', [{ key: 'retention.ms', value: '2' }], { errorCode: 29 });
  const rows = await timelineOfTalks({ says: [retention(0, '1'), refused, describe(2, 'topic:orders', [], { response: null })] });
  t.deepEqual(valuesOf(rows), ['10.0.0.1:9092 retention.ms=1/1 x1']);
});

test('a change has no causes but the successful requests on its config within its span', async (t) => {
  const says = [
    alter(0, 'topic:orders', [['retention.ms', 0, '0']]),
    retention(1, '1'),
    alter(2, 'topic:orders', [['retention.ms', 0, '2']], { errorCode: 29 }),
    alter(3, 'topic:orders', [['retention.ms', 0, '2']], { validateOnly: true }),
    alter(4, 'topic:other', [['retention.ms', 0, '2']]),
    alter(5, 'topic:orders', [['segment.ms', 0, '2']]),
    alter(6, 'topic:orders', [['retention.ms', 0, '2']], { response: null, correlationId: 1 }),
    alter(7, 'topic:orders', [['retention.ms', 0, '2']], { correlationId: 2 }),
    retention(8, '2'),
    alter(9, 'topic:orders', [['retention.ms', 0, '3']]),
  ];
  const [change] = changesOf(await timelineOfTalks({ says }));
  t.is(change?.by.length, 1);
  t.like(change?.by[0], {
    op: 'SET',
    value: '2',
    clientId: 'tool',
    client: '10.0.0.9:40000',
    principal: 'User:ANONYMOUS',
    apiName: 'IncrementalAlterConfigs',
  });
});

test('a request that was under way at either end of the span may be the cause', async (t) => {
  const rows = await timelineOfTalks(
    { says: [retention(1, '1'), retention(3, '2')] },
    { client: '10.0.0.9:40001', says: [alter(0.5, 'topic:orders', [['retention.ms', 0, '2']], { takes: 1 })] },
    { client: '10.0.0.9:40002', says: [alter(2.5, 'topic:orders', [['retention.ms', 0, '2']], { takes: 1 })] },
  );
  t.is(changesOf(rows)[0]?.by.length, 2);
});

test('AlterConfigs is a cause of what it does not name', async (t) => {
  const segment = (at: number, value: string, source: number) => describe(at, 'topic:orders', [{ key: 'segment.bytes', value, source }]);
  const rows = await timelineOfTalks({
    says: [segment(0, '5', 1), replaceAll(1, 'topic:orders', { 'retention.ms': '1' }), segment(2, '9', 5)],
  });
  t.like(changesOf(rows)[0]?.by[0], { apiName: 'AlterConfigs', op: 'REPLACE_ALL', value: null });
});

test('a topic falls back on its own broker and on all brokers, not on another one', async (t) => {
  const says = [
    metadata(0, [[1, '10.0.0.1', 9092]]),
    retention(1, '1', 4),
    alter(2, 'broker:1', [['log.retention.ms', 0, '2']]),
    alter(3, 'broker:2', [['log.retention.ms', 0, '2']]),
    alter(4, 'broker:', [['log.retention.ms', 0, '2']]),
    alter(5, 'broker:1', [['log.segment.bytes', 0, '2']]),
    retention(6, '2', 2),
  ];
  const [change] = changesOf(await timelineOfTalks({ says }));
  t.deepEqual(change?.by, []);
  t.deepEqual(
    change?.inherited.map(({ resourceName, key }) => [resourceName, key]),
    [
      ['1', 'log.retention.ms'],
      ['', 'log.retention.ms'],
    ],
  );
});

test('a broker without a known id falls back on what was altered as itself', async (t) => {
  const says = [retention(1, '1', 4), alter(2, 'broker:1', [['log.retention.ms', 0, '2']]), retention(6, '2', 2)];
  const elsewhere = { server: '10.0.0.2:9092', client: '10.0.0.9:40001', says: [alter(3, 'broker:2', [['log.retention.ms', 0, '2']])] };
  const [change] = changesOf(await timelineOfTalks({ says }, elsewhere));
  t.deepEqual(
    change?.inherited.map(({ resourceName }) => resourceName),
    ['1'],
  );
});

test("a broker's config falls back on that of all brokers, and theirs on nothing", async (t) => {
  const threads = (at: number, resource: string, value: string, source: number) =>
    describe(at, resource, [{ key: 'log.cleaner.threads', value, source }]);
  const says = [
    threads(0, 'broker:1', '1', 5),
    threads(1, 'broker:', '1', 3),
    alter(2, 'broker:', [['log.cleaner.threads', 0, '2']]),
    threads(3, 'broker:1', '2', 3),
    threads(4, 'broker:', '2', 3),
  ];
  t.deepEqual(
    changesOf(await timelineOfTalks({ says })).map(({ resourceName, by, inherited }) => [resourceName, by.length, inherited.length]),
    [
      ['1', 0, 1],
      ['', 1, 0],
    ],
  );
});

test('another cluster is no cause', async (t) => {
  const nodes = (server: string) => [[1, server, 9092]] as const;
  const rows = await timelineOfTalks(
    { server: '10.0.0.1:9092', says: [metadata(0, nodes('10.0.0.1'), 'a'), retention(1, '1'), retention(9, '2')] },
    {
      server: '10.0.0.2:9092',
      client: '10.0.0.9:40001',
      says: [metadata(0, nodes('10.0.0.2'), 'b'), alter(5, 'topic:orders', [['retention.ms', 0, '2']])],
    },
  );
  t.deepEqual(changesOf(rows)[0]?.by, []);
});

test('an alteration that only an Envelope shows is a cause', async (t) => {
  const inner = alter(0, 'topic:orders', [['retention.ms', 0, '2']], { clientId: 'laptop' });
  const rows = await timelineOfTalks(
    { says: [retention(0, '1'), retention(9, '2')] },
    { server: '10.0.0.3:9093', client: '10.0.0.1:50000', says: [envelope(5, inner, 'User:alice', [10, 0, 0, 77])] },
  );
  t.like(changesOf(rows)[0]?.by[0], { principal: 'User:alice', client: '10.0.0.77', clientId: 'laptop' });
});

test('sensitive values are compared, and shown only where asked', async (t) => {
  const secret = (at: number, value: string) => describe(at, 'broker:1', [{ key: 'my.key', value, source: 2, isSensitive: true }]);
  const bytes = captureOf({ says: [secret(0, 'aaaa'), alter(1, 'broker:1', [['ssl.key.password', 0, 'pass']]), secret(2, 'bbbb')] });
  const rows = await timelineOf([bytes]);
  t.is(changesOf(rows).length, 1);
  t.like(rows[0], { value: '<redacted, 4 bytes>', valueRedacted: true, isSensitive: true });
  t.notRegex(JSON.stringify(rows), /aaaa|bbbb|pass"/);
  t.regex(JSON.stringify(await timelineOf([bytes], { showSecrets: true })), /aaaa/);
});

test('only what somebody had set at some time, with all its values', async (t) => {
  const says = [retention(0, '1', 1), retention(1, '2', 5), describe(2, 'topic:orders', [{ key: 'segment.ms', value: '3' }])];
  t.deepEqual(valuesOf(await timelineOf([captureOf({ says })], { onlySet: true })), [
    '10.0.0.1:9092 retention.ms=1/1 x1',
    '10.0.0.1:9092 retention.ms=2/5 x1',
  ]);
});

test('observations are counted by client', async (t) => {
  const from = (at: number, clientId: string | null) => ({ ...retention(at, '1'), clientId });
  const [row] = await timelineOfTalks({ says: [from(0, 'a'), from(1, 'b'), from(2, 'a'), from(3, null), from(4, '__proto__')] });
  t.deepEqual(JSON.parse(JSON.stringify(row)).observations, 5);
  t.is(JSON.stringify((row as ValueRow).clients), '{"a":2,"b":1,"(null)":1,"__proto__":1}');
});

test('rows name the captures where several are read', async (t) => {
  const rows = await timelineOf([captureOf({ says: [retention(0, '1')] }), captureOf({ client: '10.0.0.8:1', says: [retention(5, '1')] })]);
  t.like(rows, [{ firstCapture: 'lab-0.pcap', lastCapture: 'lab-1.pcap', observations: 2 }]);
});
