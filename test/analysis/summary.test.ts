import test from 'ava';
import { Filter } from '../../src/analysis/filters/filter.ts';
import type { FilterOptions } from '../../src/analysis/filters/filter-options.ts';
import { Summary } from '../../src/analysis/summary.ts';
import { summaryRecord } from '../../src/output/summary.ts';
import type { SummaryRow } from '../../src/records/rows.ts';
import {
  alter,
  apiVersions,
  bareToken,
  captureOf,
  describe,
  envelope,
  metadata,
  observe,
  replaceAll,
  saslAuthenticate,
  saslHandshake,
  type Talk,
  timeAt,
} from './lab.ts';

type RowOf<Type extends SummaryRow['type']> = Extract<SummaryRow, { type: Type }>;

interface Options {
  readonly filter?: FilterOptions;
  readonly showSecrets?: boolean;
}

async function summarise(captures: readonly (string | Uint8Array)[], { filter, showSecrets = false }: Options = {}): Promise<SummaryRow[]> {
  const names = captures.map((capture, index) => (typeof capture === 'string' ? capture : `lab-${index}.pcap`));
  const summary = new Summary({ captures: names, filter: filter === undefined ? null : new Filter(filter), showSecrets });
  const { totals } = await observe(captures, summary);
  return summary.rows(summaryRecord(totals, new Map()));
}

function of<Type extends SummaryRow['type']>(rows: readonly SummaryRow[], type: Type): RowOf<Type>[] {
  return rows.filter((row): row is RowOf<Type> => row.type === type);
}

async function summariseTalks(...talks: readonly Talk[]): Promise<SummaryRow[]> {
  return summarise([captureOf(...talks)]);
}

const configs = [{ key: 'retention.ms', value: '1000' }];
const incident = 'captures/incident-orders-retention.pcap.gz';

test('the incident: what was read', async (t) => {
  const [row] = of(await summarise([incident]), 'capture');
  t.like(row, {
    packets: 7221,
    seconds: 241.081298,
    connections: { kafka: 48, tls: 1, other: 1 },
    exchanges: { complete: 952, partial: 0, unanswered: 1 },
    clusters: ['AAAAAAAAAAAAAAAAAincid'],
    withoutBeginning: 2,
  });
});

test('the incident: who asked for configs, and which of them is a storm', async (t) => {
  const clients = of(await summarise([incident]), 'client');
  t.deepEqual(
    clients.map(({ clientId, requests, principals, software, storm }) => [
      clientId,
      requests,
      principals,
      software?.[0]?.name ?? null,
      storm,
    ]),
    [
      ['kafka-ui-admin', 909, ['User:ANONYMOUS'], null, true],
      ['kminion', 12, ['User:ANONYMOUS'], 'kgo', false],
      ['billing-report', 12, ['User:bob'], 'kgo', false],
      ['oncall-debug', 6, ['User:ANONYMOUS'], 'kgo', false],
      ['admin-laptop', 6, ['User:alice'], 'apache-kafka-java', false],
      ['legacy-inventory', 4, ['User:ANONYMOUS'], null, false],
      ['terraform-provider', 2, ['User:ops'], 'apache-kafka-java', false],
      ['future-tool', 2, ['User:ANONYMOUS'], 'future-tool', false],
    ],
  );
  t.like(clients[0], { mostIn60Seconds: 280, requestsPerMinute: 226.23, allKeysShare: 1, versions: { 2: 909 }, requestBytes: 41_631 });
});

test('the incident: what was refused, and the ACL that is missing', async (t) => {
  t.deepEqual(
    of(await summarise([incident]), 'refusal').map((row) => [row.clientId, row.resourceName, row.errorName, row.count, row.missingAcl]),
    [
      ['billing-report', 'orders', 'TOPIC_AUTHORIZATION_FAILED', 6, 'DESCRIBE_CONFIGS on TOPIC orders'],
      ['billing-report', '1', 'CLUSTER_AUTHORIZATION_FAILED', 6, 'DESCRIBE_CONFIGS on CLUSTER kafka-cluster'],
      ['billing-report', 'orders-projection', 'INVALID_REQUEST', 3, null],
      ['oncall-debug', '42', 'INVALID_REQUEST', 1, null],
      ['oncall-debug', 'order', 'UNKNOWN_TOPIC_OR_PARTITION', 1, null],
    ],
  );
});

test('the incident: who altered what, each once, with its Envelope', async (t) => {
  t.deepEqual(
    of(await summarise([incident]), 'alteration').map((row) => [
      row.packet,
      row.principal,
      row.resourceName,
      row.errorName,
      row.forwardedIn?.packet,
    ]),
    [
      [1187, 'User:alice', '1', 'NONE', 1188],
      [1194, 'User:alice', '', 'NONE', 1196],
      [1700, 'User:bob', 'orders', 'TOPIC_AUTHORIZATION_FAILED', 1701],
      [2000, 'User:ops', 'orders', 'NONE', 2002],
      [2006, 'User:ops', 'orders', 'INVALID_CONFIG', 2007],
      [2010, 'User:ops', 'orders', 'NONE', 2011],
      [3841, 'User:alice', '1', 'NONE', 3842],
      [4635, 'User:alice', 'orders', 'NONE', 4636],
      [6358, 'User:ops', 'orders', 'NONE', 6359],
      [6672, 'User:alice', '1', 'NONE', 6673],
      [6679, 'User:alice', '', 'NONE', 6681],
    ],
  );
});

test('the incident: topics created, versions refused, foreign protocols', async (t) => {
  const rows = await summarise([incident]);
  t.deepEqual(
    of(rows, 'created').map(({ topic, errorName, configs: set }) => [topic, errorName, set['retention.ms'] ?? null]),
    [
      ['__consumer_offsets', 'NONE', null],
      ['incident-new', 'NONE', '60000'],
      ['orders', 'TOPIC_ALREADY_EXISTS', '1000'],
    ],
  );
  const unsupported = of(rows, 'unsupported');
  t.deepEqual(
    unsupported.filter(({ outcome }) => outcome === 'closed').map(({ clientId, apiVersion, packet }) => [clientId, apiVersion, packet]),
    [['future-tool', 5, 2797]],
  );
  t.is(unsupported.filter(({ outcome }) => outcome === 'error-35').length, 22);
  t.like(of(rows, 'belowKafka4'), [{ clientId: 'legacy-inventory', apiVersion: 0, minimum: 1, requests: 4 }]);
  t.deepEqual(
    of(rows, 'notKafka').map(({ protocol }) => protocol),
    ['TLS', 'HTTP'],
  );
});

test('the incident: secrets are counted and never told', async (t) => {
  const rows = await summarise([incident]);
  const exposures = of(rows, 'exposure');
  t.is(exposures.filter(({ apiName }) => apiName === 'SaslAuthenticate').length, 17);
  t.like(
    exposures.find(({ packet }) => packet === 3144),
    { clientId: 'scanner', principal: null },
  );
  t.like(
    exposures.find(({ packet }) => packet === 3841),
    { apiName: 'IncrementalAlterConfigs', field: 'resources[0].configs[0].value' },
  );
  t.like(
    exposures.find(({ packet }) => packet === 3842),
    { apiName: 'Envelope', field: 'requestData.resources[0].configs[0].value' },
  );
  t.notRegex(JSON.stringify(rows), /password="/);
  t.regex(JSON.stringify(await summarise([incident], { showSecrets: true })), /password=/);
});

test('an answer cut off by the end of its connection is no answer', async (t) => {
  const fetch = of(await summarise([incident]), 'api').find(({ apiName }) => apiName === 'Fetch');
  t.like(fetch, { requests: 329, answered: 328, errors: null });
});

test('times of the broker and of the transfer add up to the latency', async (t) => {
  const [row] = of(await summariseTalks({ says: [describe(0, 'topic:a', configs, { takes: 0.25 })] }), 'api');
  t.like(row, { latencyMs: { p50: 250, max: 250 }, brokerMs: { max: 250 }, transferMs: { max: 0 } });
});

test('throttled answers are counted', async (t) => {
  const api = of(await summarise(['captures/kafka4.1-refused-bob-v1.pcap']), 'api').find(({ apiKey }) => apiKey === 32);
  t.deepEqual(api?.throttled, { responses: 0, maxMs: 0 });
  const said = describe(0, 'topic:a', configs);
  const throttled = { ...said, response: { ...said.response, throttleTimeMs: 120 } };
  const [row] = of(await summariseTalks({ says: [throttled] }), 'api');
  t.deepEqual(row?.throttled, { responses: 1, maxMs: 120 });
});

test('a Produce without answer is a request', async (t) => {
  const produce = of(await summarise(['captures/kafka4.1-frames-in-records.pcap']), 'api').find(({ apiName }) => apiName === 'Produce');
  t.true((produce?.requests ?? 0) > (produce?.answered ?? 0));
});

test('the user of bare tokens is known once the broker serves him, and his password is an exposure', async (t) => {
  const rows = await summarise(['captures/kafka1.1-sarama-sasl-tokens-v1.pcap']);
  t.deepEqual(of(rows, 'client')[0]?.principals, ['User:alice']);
  t.like(of(rows, 'exposure')[0], { apiName: 'SASL token', field: 'token', principal: 'User:alice', clientId: 'sarama-lab2' });
});

test('a user may change while the connection lasts', async (t) => {
  const says = [
    saslHandshake(0, 'PLAIN'),
    saslAuthenticate(1, '\0alice\0pass'),
    describe(2, 'topic:a', configs),
    saslHandshake(3, 'PLAIN'),
    saslAuthenticate(4, '\0bob\0pass'),
    describe(5, 'topic:a', configs),
  ];
  const [client] = of(await summariseTalks({ says }), 'client');
  t.deepEqual(client?.principals, ['User:alice', 'User:bob']);
});

test('a connection without its beginning has no known user', async (t) => {
  const rows = await summariseTalks({ handshake: false, says: [describe(0, 'topic:a', configs), describe(1, 'topic:a', configs)] });
  t.deepEqual(of(rows, 'client')[0]?.principals, [null]);
  t.is(of(rows, 'capture')[0]?.withoutBeginning, 1);
});

test('clients are told apart by id, whatever connections and addresses they use', async (t) => {
  const rows = await summariseTalks(
    { client: '10.0.0.8:40000', says: [apiVersions(0, 'kgo', '1.0'), describe(1, 'topic:a', configs), describe(2, 'topic:a', configs)] },
    {
      client: '[2001:db8::9]:40000',
      server: '[2001:db8::1]:9092',
      says: [apiVersions(3, 'kgo', '2.0'), describe(4, 'topic:b', configs, { keys: ['x'] })],
    },
    { client: '10.0.0.7:40000', says: [describe(5, 'topic:a', configs, { clientId: null })] },
  );
  const [tool, nobody] = of(rows, 'client');
  t.like(tool, {
    clientId: 'tool',
    connections: 2,
    requests: 3,
    addresses: ['10.0.0.8', '2001:db8::9'],
    software: [
      { name: 'kgo', version: '1.0' },
      { name: 'kgo', version: '2.0' },
    ],
    allKeysShare: 0.6667,
    resourcesPerRequest: 1,
  });
  t.like(nobody, { clientId: null, requests: 1, software: null });
});

test('a storm asks for all keys, a hundred times in a minute', async (t) => {
  const often = (keys: readonly string[] | null, count: number) =>
    Array.from({ length: count }, (_, index) => describe(index * 0.1, 'topic:a', configs, { keys }));
  const storm = async (keys: readonly string[] | null, count: number) =>
    of(await summariseTalks({ says: often(keys, count) }), 'client')[0]?.storm;
  t.is(await storm(null, 100), true);
  t.is(await storm([], 100), true);
  t.is(await storm(null, 99), false);
  t.is(await storm(['retention.ms'], 100), false);
});

test('a storm that nobody answers is one', async (t) => {
  const says = Array.from({ length: 120 }, (_, index) =>
    describe(index * 0.1, 'topic:a', configs, { response: null, correlationId: index }),
  );
  t.like(of(await summariseTalks({ says }), 'client')[0], { storm: true, requests: 120, answered: 0, mostIn60Seconds: 120 });
});

test('a version that the broker said it does not know, and a closed connection', async (t) => {
  const rows = await summariseTalks({
    says: [apiVersions(0, 'kgo', '1.0', 2), describe(1, 'topic:a', configs, { version: 3, response: null })],
  });
  t.like(of(rows, 'unsupported')[0], { apiName: 'DescribeConfigs', apiVersion: 3, outcome: 'closed' });
});

test('a known version without an answer is no version problem', async (t) => {
  const rows = await summariseTalks({
    says: [apiVersions(0, 'kgo', '1.0', 4), describe(1, 'topic:a', configs, { version: 3, response: null })],
  });
  t.is(of(rows, 'unsupported').length, 0);
});

test('alterations: operations, values, secrets', async (t) => {
  const says = [
    alter(0, 'broker:1', [
      ['log.cleaner.threads', 0, '2'],
      ['ssl.keystore.password', 0, 'hidden'],
      ['ssl.key.password', 1, null],
      ['ssl.cipher.suites', 2, 'a'],
      ['ssl.cipher.suites', 3, 'b'],
      ['x', 9, 'y'],
    ]),
    replaceAll(1, 'topic:orders', { 'retention.ms': '5' }),
  ];
  const [first, second] = of(await summariseTalks({ says }), 'alteration');
  t.deepEqual(first?.changes, [
    { key: 'log.cleaner.threads', op: 'SET', value: '2' },
    { key: 'ssl.keystore.password', op: 'SET', value: '<redacted, 6 bytes>', valueRedacted: true },
    { key: 'ssl.key.password', op: 'DELETE', value: null },
    { key: 'ssl.cipher.suites', op: 'APPEND', value: 'a' },
    { key: 'ssl.cipher.suites', op: 'SUBTRACT', value: 'b' },
    { key: 'x', op: 'UNKNOWN(9)', value: 'y' },
  ]);
  t.like(first, { time: timeAt(0), client: '10.0.0.9:40000', principal: 'User:ANONYMOUS', forwardedIn: null });
  t.like(second, { apiName: 'AlterConfigs', changes: [{ key: 'retention.ms', op: 'REPLACE_ALL', value: '5' }] });
});

test('an alteration without an answer has no result', async (t) => {
  const rows = await summariseTalks({ says: [alter(0, 'topic:a', [['x', 0, '1']], { response: null })] });
  t.like(of(rows, 'alteration')[0], { errorCode: null, errorName: null });
});

test('at the controller alone, the Envelope tells who altered what', async (t) => {
  const inner = alter(0, 'topic:orders', [['retention.ms', 0, '1']], { clientId: 'laptop' });
  const rows = await summariseTalks({ says: [envelope(1, inner, 'User:alice', [10, 0, 0, 77])] });
  t.like(of(rows, 'alteration'), [
    { clientId: 'laptop', client: '10.0.0.77', principal: 'User:alice', errorName: 'NONE', resourceName: 'orders' },
  ]);
  t.is(of(rows, 'alteration')[0]?.forwardedIn?.packet, of(rows, 'alteration')[0]?.packet);
});

test('sensitive values that a broker sends are exposures', async (t) => {
  const says = [describe(0, 'broker:1', [{ key: 'my.secret', value: 'hidden', isSensitive: true }])];
  const rows = await summariseTalks({ says });
  t.like(of(rows, 'exposure'), [{ apiName: 'DescribeConfigs', field: 'results[0].configs[0].value', key: 'my.secret' }]);
  t.false(JSON.stringify(rows).includes('hidden'));
});

test('a hint says which broker to ask', async (t) => {
  const says = [metadata(0, [[3, '10.0.0.1', 9092]]), describe(1, 'broker:4', [], { errorCode: 42 })];
  t.regex(of(await summariseTalks({ says }), 'refusal')[0]?.hint ?? '', /asked of broker 3.*4 must be asked itself/);
});

test('filters choose what is counted, by headers all APIs', async (t) => {
  const rows = await summarise([incident], { filter: { clientId: 'kminion' } });
  t.deepEqual(
    of(rows, 'client').map(({ clientId, requests, mostIn60Seconds }) => [clientId, requests, mostIn60Seconds]),
    [['kminion', 12, 4]],
  );
  t.deepEqual(
    of(rows, 'api').map(({ apiName, requests }) => [apiName, requests]),
    [
      ['Metadata', 1],
      ['ApiVersions', 4],
      ['DescribeConfigs', 12],
    ],
  );
  t.is(of(rows, 'alteration').length, 0);
});

test('filters that look into bodies count what is decoded', async (t) => {
  const rows = await summarise([incident], { filter: { resource: 'topic:orders', key: 'retention.ms' } });
  t.deepEqual(
    of(rows, 'api').map(({ apiName }) => apiName),
    ['CreateTopics', 'DescribeConfigs', 'AlterConfigs', 'IncrementalAlterConfigs', 'Envelope'],
  );
  t.deepEqual(
    of(rows, 'alteration').map(({ packet }) => packet),
    [1700, 2000, 2006, 2010, 4635, 6358],
  );
});

test('a resource that is asked for stands without those beside it', async (t) => {
  const rows = await summarise(['captures/kafka4.1-refused-bob-v1.pcap'], { filter: { resource: 'broker:1' } });
  t.deepEqual([...new Set(of(rows, 'refusal').map(({ resourceTypeName }) => resourceTypeName))], ['BROKER']);
});

test('packets are named with their capture where several are read', async (t) => {
  const rows = await summarise([
    captureOf({ says: [alter(0, 'topic:a', [['x', 0, '1']])] }),
    captureOf({ client: '10.0.0.8:1', says: [alter(9, 'topic:b', [['x', 0, '1']])] }),
  ]);
  t.deepEqual(
    of(rows, 'alteration').map(({ capture }) => capture),
    ['lab-0.pcap', 'lab-1.pcap'],
  );
});

test('a token that is refused by closing the connection authenticates nobody', async (t) => {
  const says = [saslHandshake(0, 'PLAIN', 0), bareToken(1, 'client', '\0mallory\0pass')];
  t.like(of(await summariseTalks({ says }), 'exposure'), [{ apiName: 'SASL token', principal: null }]);
});
