import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import test from 'ava';
import { goldenRuns } from '../helpers/golden-captures.ts';
import { runCli } from '../helpers/run-cli.ts';

const FOLDER = 'test/golden/captures';

interface GoldenRecord {
  readonly type: 'exchange' | 'diagnostic' | 'summary';
  readonly status?: string;
  readonly reason?: string;
  readonly number?: number;
  readonly apiVersion?: number;
  readonly clientId?: string | null;
  readonly code?: string;
  readonly connections?: { readonly kafka: number; readonly tls: number; readonly other: number };
}

for (const { path, words } of goldenRuns()) {
  test.serial(`prints ${basename(path)}`, async (t) => {
    const { code, stdout, stderr } = await runCli(words);
    t.is(code, 0, stderr);
    const difference = firstDifference(readFileSync(path, 'utf8'), stdout);
    t.is(difference, null, difference ?? '');
  });
}

test('every golden file is of a capture', (t) => {
  t.deepEqual(
    readdirSync(FOLDER).sort(),
    goldenRuns()
      .map(({ path }) => basename(path))
      .sort(),
  );
});

/** A capture's golden, the versions in it, its client id, its complete exchanges, and what there is beside them. */
const contents: readonly (readonly [string, string, string | null, number, readonly string[]])[] = [
  ['kafka0.11-kafka-node-v0.pcap', '0', 'kafka-node-lab2', 2, []],
  ['kafka1.1-franz-v1.pcap', '1', 'kgo-v1', 8, ['api-versions-fallback', 'api-versions-fallback']],
  ['kafka1.1-sarama-sasl-tokens-v1.pcap', '1', 'sarama-lab2', 4, []],
  ['kafka2.3-kafkajs-v2.pcap', '2', 'kafkajs-lab2', 4, []],
  ['kafka2.8-franz-scram-v3.pcap', '3', 'kgo-scram', 8, []],
  ['kafka2.8-franz-v4.pcap', '4', 'kgo-v4', 8, []],
  ['kafka2.8-gap-in-response-v4.pcap', '4', 'kmsg-raw', 11, ['tcp-gap', 'partial: gap']],
  ['kafka2.8-hostile-names.pcap', '0 1 2 3 4', 'evil\u001b[2J\u001b]0;pwn\u0007\r\nid\u0000\ufffd\ufffd', 5, []],
  ['kafka2.8-ipv6-v0-v4.pcap', '0 1 2 3 4', 'kmsg-raw', 15, []],
  ['kafka2.8-librdkafka-v1.pcap', '1', 'librdkafka-lab2', 2, []],
  ['kafka2.8-pipelined-null-client.pcap', '0 1 2 3 4', null, 7, []],
  ['kafka3.9-kafka-python-v0.pcap', '0', 'kafka-python-011', 3, []],
  [
    'kafka3.9-unsupported-v5.pcap',
    '0 4 5',
    'raw-uns',
    4,
    ['api-versions-fallback', 'body-malformed', 'unanswered: connection-closed', 'partial: malformed'],
  ],
  ['kafka4.1-frames-in-records.pcap', '2 3 4', 'raw-pay', 4, []],
  ['kafka4.1-franz-v4.pcap.zst', '4', 'franz-v4', 11, ['api-versions-fallback', 'api-versions-fallback']],
  ['kafka4.1-java-any-sll2-v4.pcap', '4', 'adminclient-any', 2, []],
  ['kafka4.1-java-sasl-plain-v4.pcap', '4', 'adminclient-sasl', 3, []],
  ['kafka4.1-kafkajs-v2.pcap.gz', '2', 'kafkajs-lab', 13, []],
  ['kafka4.1-platformatic-v4.pcapng', '4', 'platformatic-lab', 7, []],
  ['kafka4.1-port-reuse.pcap', '2 3 4', 'raw-reuse-0', 9, []],
  ['kafka4.1-refused-bob-v1.pcap', '1', 'franz-bob-v1', 2, ['api-versions-fallback', 'api-versions-fallback']],
  ['kafka4.1-segmentio-v3.pcap', '3', 'segmentio-lab', 5, []],
  ['kafka4.1-tls1.3.pcap', '', null, 0, ['not-kafka', 'not-kafka']],
  ['kafka4.2-java-sasl-reauth-v4.pcap', '4', 'reauth', 8, []],
  ['rotated', '1 4', 'admin-1', 3, []],
];

for (const [name, versions, clientId, complete, beside] of contents) {
  test(`${name} holds what is known of it`, (t) => {
    const records = goldenRecords(name);
    const exchanges = records.filter(({ type }) => type === 'exchange');
    t.deepEqual([...new Set(exchanges.map(({ apiVersion }) => apiVersion))].sort().join(' '), versions);
    t.is(exchanges.filter(({ status }) => status === 'complete').length, complete);
    t.true(exchanges.length === 0 || exchanges.some((exchange) => exchange.clientId === clientId));
    const findings = records.filter(({ type }) => type === 'diagnostic').map(({ code }) => code);
    const incomplete = exchanges.filter(({ status }) => status !== 'complete').map(({ status, reason }) => `${status}: ${reason}`);
    t.deepEqual([...findings, ...incomplete], beside);
  });

  test(`${name} is numbered through and ends with its summary`, (t) => {
    const records = goldenRecords(name);
    const numbers = records.filter(({ type }) => type === 'exchange').map(({ number }) => number);
    t.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
    t.deepEqual(records.map(({ type }) => type).indexOf('summary'), records.length - 1);
    const trees = readFileSync(`${FOLDER}/${name}.tree.txt`, 'utf8');
    t.is(trees.match(/^DescribeConfigsRequest message v/gm)?.length ?? 0, numbers.length);
  });
}

test('every capture has its known contents here', (t) => {
  const held = readdirSync(FOLDER).filter((file) => file.endsWith('.ndjson'));
  t.deepEqual(
    contents.map(([name]) => `${name}.ndjson`),
    held.sort(),
  );
});

test('the incident is one line an exchange', (t) => {
  const lines = readFileSync(`${FOLDER}/incident-orders-retention.pcap.gz.line.txt`, 'utf8').trimEnd().split('\n');
  t.is(lines.length, 953);
  t.is(lines.filter((line) => line.includes(' kafka-ui-admin ')).length, 909);
});

function goldenRecords(name: string): GoldenRecord[] {
  const lines = readFileSync(`${FOLDER}/${name}.ndjson`, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as GoldenRecord);
}

/** Says where two texts part, cut to what can be read; null where they are equal. */
function firstDifference(expected: string, actual: string): string | null {
  if (expected === actual) return null;
  const [expectedLines, actualLines] = [expected.split('\n'), actual.split('\n')];
  const line = expectedLines.findIndex((text, index) => text !== actualLines[index]);
  const at = line < 0 ? expectedLines.length : line;
  const [a, b] = [expectedLines[at] ?? '(end)', actualLines[at] ?? '(end)'];
  let column = 0;
  while (column < a.length && a[column] === b[column]) column++;
  const from = Math.max(0, column - 60);
  return `line ${at + 1}, column ${column + 1}\nexpected …${a.slice(from, column + 120)}\nprinted  …${b.slice(from, column + 120)}`;
}
