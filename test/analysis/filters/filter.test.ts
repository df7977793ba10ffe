import test from 'ava';
import type { FilterOptions } from '../../../src/analysis/filters/filter-options.ts';
import { FilterError } from '../../../src/errors.ts';
import { dissect } from '../../../src/exchange-stream.ts';
import type { ExchangeRecord, SummaryRecord } from '../../../src/records/records.ts';

const INCIDENT = 'captures/incident-orders-retention.pcap.gz';

// The records are looked at as a script would that reads them: the slow twin of the filters.
interface Config {
  readonly name: string;
  readonly configSource?: number;
  readonly isDefault?: boolean;
}
interface Result {
  readonly errorCode: number;
  readonly resourceType: number;
  readonly resourceName: string;
  readonly configs: readonly Config[] | null;
}
interface Body {
  readonly resources?: readonly {
    readonly resourceType: number;
    readonly resourceName: string;
    readonly configurationKeys: readonly string[] | null;
  }[];
  readonly results?: readonly Result[];
}

const all = records({});

async function records(filter: FilterOptions): Promise<ExchangeRecord[]> {
  const found: ExchangeRecord[] = [];
  for await (const record of dissect(INCIDENT, { filter })) found.push(record);
  return found;
}

function results({ response }: ExchangeRecord): readonly Result[] {
  return (response as unknown as Body | null)?.results ?? [];
}

function namesResource(record: ExchangeRecord, test: (type: number, name: string) => boolean): boolean {
  const asked = (record.request as unknown as Body | null)?.resources ?? [];
  return [...asked, ...results(record)].some(({ resourceType, resourceName }) => test(resourceType, resourceName));
}

const FIRST_PACKET = Date.parse('2026-11-29T18:13:47.685Z');
const TOPIC = 2;

const selections: readonly (readonly [string, FilterOptions, (record: ExchangeRecord) => boolean])[] = [
  ['a client id', { clientId: 'kminion' }, ({ clientId }) => clientId === 'kminion'],
  ['client ids by a glob', { clientId: 'k*' }, ({ clientId }) => clientId?.startsWith('k') === true],
  ['a client address', { client: '127.0.0.41' }, ({ client }) => client.startsWith('127.0.0.41:')],
  ['a client network', { client: '127.0.0.32/27' }, ({ client }) => Number(/\.(\d+):/.exec(client)?.[1]) >> 5 === 1],
  ['a server port', { server: '18094' }, ({ server }) => server.endsWith(':18094')],
  ['a stream', { stream: '11' }, ({ stream }) => stream === 11],
  ['versions', { apiVersion: '0-1,4' }, ({ apiVersion }) => [0, 1, 4].includes(apiVersion)],
  ['a status', { status: 'unanswered,partial' }, ({ status }) => status !== 'complete'],
  ['what was slow', { slowerThan: '20ms' }, ({ latencyMs }) => latencyMs !== null && latencyMs > 20],
  [
    'a span by the clock',
    { since: '2026-11-29T18:15:00Z', until: '2026-11-29T18:15:30Z' },
    ({ time }) => time !== null && time >= '2026-11-29T18:15:00' && time < '2026-11-29T18:15:30',
  ],
  [
    'a span from the first packet',
    { since: '+1m', until: '90.5s' },
    ({ time }) => (Date.parse(time ?? '') - FIRST_PACKET) / 1000 >= 60 && (Date.parse(time ?? '') - FIRST_PACKET) / 1000 < 90.5,
  ],
  ['a resource', { resource: 'topic:orders' }, (record) => namesResource(record, (type, name) => type === TOPIC && name === 'orders')],
  ['resources of any type', { resource: 'orders*' }, (record) => namesResource(record, (_, name) => name.startsWith('orders'))],
  ['any error', { error: '' }, (record) => results(record).some(({ errorCode }) => errorCode !== 0)],
  ['an error by name', { error: 'CLUSTER_AUTHORIZATION_FAILED' }, (record) => results(record).some(({ errorCode }) => errorCode === 31)],
  [
    'an error of a resource',
    { error: 'any', resource: 'topic:*' },
    (record) => results(record).some(({ errorCode, resourceType }) => errorCode !== 0 && resourceType === TOPIC),
  ],
  [
    'several things at once',
    { clientId: 'billing-report', error: '29' },
    (record) => record.clientId === 'billing-report' && results(record).some(({ errorCode }) => errorCode === 29),
  ],
];

for (const [title, filter, isAsked] of selections) {
  test(`${title}: exactly the exchanges that meet it are given, as they are without filters`, async (t) => {
    const expected = (await all).filter(isAsked);
    t.true(expected.length > 0 && expected.length < (await all).length, `${expected.length} expected`);
    t.deepEqual(await records(filter), expected);
  });
}

test('only the configs asked for are given, and the others counted', async (t) => {
  const given = await records({ key: 'retention.*', resource: 'topic:orders' });
  const whole = new Map((await all).map((record) => [record.number, record]));
  t.true(given.length > 0);
  for (const record of given) {
    const before = whole.get(record.number) as ExchangeRecord;
    const count = (from: ExchangeRecord) => results(from).flatMap(({ configs }) => configs ?? []).length;
    t.is(count(record) + (record.configsLeftOut ?? 0), count(before));
    for (const { resourceName, configs } of results(record)) {
      const expected = results(before).find((result) => result.resourceName === resourceName)?.configs ?? [];
      t.deepEqual(configs, resourceName === 'orders' ? expected.filter(({ name }) => name.startsWith('retention.')) : []);
    }
    t.deepEqual({ ...record, response: null, configsLeftOut: 0 }, { ...before, response: null, configsLeftOut: 0 });
  }
});

test('an exchange without a config that is asked for is given only if it asks for one by name', async (t) => {
  for (const record of await records({ key: 'retention.ms' })) {
    const configs = results(record).flatMap(({ configs }) => configs ?? []);
    const asked = (record.request as unknown as Body).resources ?? [];
    const isNamed = asked.some(({ configurationKeys }) => configurationKeys?.includes('retention.ms'));
    t.true(configs.length > 0 || isNamed || record.response === null, `exchange ${record.number}`);
  }
});

test('only what somebody set', async (t) => {
  const given = await records({ nonDefault: true });
  t.true(given.length > 0);
  for (const record of given) {
    const configs = results(record).flatMap(({ configs }) => configs ?? []);
    t.true(configs.length > 0);
    for (const { configSource, isDefault } of configs) t.true(configSource === undefined ? isDefault === false : configSource !== 5);
  }
});

test('the summary says how many exchanges were kept back', async (t) => {
  let summary: SummaryRecord | null = null;
  const settings = {
    filter: { clientId: 'kminion' },
    onSummary: (record: SummaryRecord) => {
      summary = record;
    },
  };
  let given = 0;
  for await (const _ of dissect(INCIDENT, settings)) given++;
  const { exchanges, filteredOut } = summary as unknown as SummaryRecord;
  t.is(exchanges.complete + exchanges.partial + exchanges.unanswered, given);
  t.is(given + (filteredOut ?? 0), (await all).length);
});

const impossible: readonly (readonly [FilterOptions, RegExp])[] = [
  [{ since: '2m', until: '1m' }, /--until must be later than --since/],
  [{ since: '2026-11-29T18:15:00Z', until: '2026-11-29T18:15:00Z' }, /--until must be later/],
  [{ status: 'broken' }, /--status takes complete, partial, unanswered/],
  [{ key: '' }, /--key takes a config's name/],
  [{ slowerThan: '200' }, /--slower-than takes a duration with its unit/],
];

for (const [filter, message] of impossible) {
  test(`${JSON.stringify(filter)} is refused before anything is read`, (t) => {
    t.throws(() => dissect('no-such-file', { filter }), { instanceOf: FilterError, message });
  });
}

test('a span whose emptiness only the capture tells is refused as well', async (t) => {
  await t.throwsAsync(() => records({ since: '2026-11-29T18:17:00Z', until: '+10s' }), { instanceOf: FilterError });
  await t.throwsAsync(() => records({ since: '+10m', until: '2026-11-29T18:15:00Z' }), { instanceOf: FilterError });
  t.true((await records({ since: '+1m', until: '2026-11-29T18:15:00Z' })).length > 0);
});
