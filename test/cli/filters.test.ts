import test from 'ava';
import { runCli } from '../helpers/run-cli.ts';

const INCIDENT = 'captures/incident-orders-retention.pcap.gz';

interface Line {
  readonly number: number;
  readonly clientId: string;
}

async function numbers(...words: string[]): Promise<number[]> {
  const { code, stdout, stderr } = await runCli(['-q', ...words]);
  if (code !== 0) throw new Error(stderr);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as Line).number);
}

test('numbers are those of a run without filters, and filters go together', async (t) => {
  const chosen = await numbers('--client-id', 'billing-report', '--error', 'CLUSTER_AUTHORIZATION_FAILED', INCIDENT);
  t.true(chosen.length > 0 && (chosen[0] as number) > 1);
  t.deepEqual(await numbers('--client-id=billing-report', '--error=31', INCIDENT), chosen);
});

test('--error may stand alone before a capture, behind it, and before other options', async (t) => {
  const any = await numbers('--error=any', INCIDENT);
  t.true(any.length > 0);
  t.deepEqual(await numbers('--error', INCIDENT), any);
  t.deepEqual(await numbers(INCIDENT, '--error'), any);
  t.deepEqual(await numbers('--error', '--resource', '*', INCIDENT), any);
  t.deepEqual(await numbers('--error', '--', INCIDENT), any);
});

test('trees and overview say how many configs were left out', async (t) => {
  const words = ['-q', '--client-id', 'kminion', '--key', 'retention.ms', '--resource', 'topic:orders', INCIDENT];
  const tree = await runCli(['-f', 'tree', ...words]);
  t.regex(tree.stdout, /Configs \[\]DescribeConfigsResourceResult = 1 element, 1 left out by filters \[0x/);
  t.regex(tree.stdout, /\+-- Value string = "\d+"/);
  t.regex((await runCli(['-f', 'line', ...words])).stdout, / 1 of 5 configs /);
});

test('the guides of a tree end with the last config that is printed', async (t) => {
  const { stdout } = await runCli([
    '-q',
    '-f',
    'tree',
    '--api-version',
    '4',
    '--client-id',
    'admin-laptop',
    '--key',
    'retention.ms',
    '--resource',
    'topic:orders',
    INCIDENT,
  ]);
  const config = stdout.split('\n').findIndex((line) => line.includes('+-- DescribeConfigsResourceResult['));
  t.true(config > 0);
  t.regex(stdout.split('\n')[config + 1] as string, /^[| ]+ {5}\+-- Name string = "retention\.ms"/);
});

test('the closing summary says how many exchanges filters left out', async (t) => {
  t.regex((await runCli(['--client-id', 'kminion', INCIDENT])).stderr, /unanswered, \d+ more left out by filters\n/);
  t.regex((await runCli(['--client-id', 'kminion', '--events', INCIDENT])).stdout, /"filteredOut":\d+,"lost"/);
  t.notRegex((await runCli([INCIDENT])).stderr, /left out by filters/);
});

test('local times are read as such where local times are asked for', async (t) => {
  const environment = { TZ: 'Europe/Helsinki' };
  const local = await runCli(['-q', '-f', 'line', '--local', '--since', '2026-11-29T20:17:28', INCIDENT], { environment });
  const utc = await runCli(['-q', '-f', 'line', '--since', '2026-11-29T18:17:28', INCIDENT], { environment });
  t.regex(local.stdout, /2026-11-29T20:17:29\.682316 /);
  t.regex(utc.stdout, /2026-11-29T18:17:29\.682316Z/);
  t.is(local.stdout.split('\n').length, utc.stdout.split('\n').length);
});

test('relative times count from the first packet', async (t) => {
  const line = await runCli(['-q', '-f', 'line', '--relative', '--since', '+221s', INCIDENT]);
  t.regex(line.stdout, /^ +\d+ +\+221\.996700s s11 /);
  const tree = await runCli(['-q', '-f', 'tree', '--relative', '--since', '+221s', INCIDENT]);
  t.regex(tree.stdout, /^\+221\.996700s {2}127\.0\.0\.31:43141 → /);
});

const mistakes: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['--client', '10.0.0.0/33'], /has 0 to 32 bits/],
  [['--server', 'kafka'], /--server takes an address/],
  [['--resource', 'topics:orders'], /there is no resource type topics/],
  [['--key', '/(/'], /no regular expression/],
  [['--error', 'TOPIC_AUTH'], /there is no error TOPIC_AUTH/],
  [['--since', '2m', '--until', '1m'], /--until must be later than --since/],
  [['--since', 'yesterday'], /--since takes a time/],
  [['--slower-than', 'long'], /--slower-than takes a duration/],
  [['--status', 'broken'], /--status takes complete, partial, unanswered/],
  [['--stream', '-1'], /--stream takes whole numbers|Not enough arguments/],
  [['--api-version', 'new'], /--api-version takes whole numbers/],
  [['--key', 'a', '--key', 'b'], /--key is given twice; several values are separated by commas, as in --key a,b/],
  [['--api', 'Nope'], /--api: there is no API Nope/],
  [['--local'], /--local is for trees, lines and tables; times in NDJSON are UTC/],
  [['--relative', '-f', 'ndjson'], /--relative is for trees, lines and tables/],
  [['-f', 'line', '--relative', '--local'], /local.*relative/s],
];

for (const [words, message] of mistakes) {
  test(`${words.join(' ')} is a usage error`, async (t) => {
    const { code, stdout, stderr } = await runCli([...words, INCIDENT]);
    t.is(code, 2, stderr);
    t.is(stdout, '');
    t.regex(stderr, message);
    t.true(stderr.endsWith('Try kafka-dissect --help\n'), stderr);
  });
}

test('a span that the capture shows to be empty is a usage error too', async (t) => {
  const { code, stderr } = await runCli(['--since', '2026-11-29T18:17:00Z', '--until', '+10s', INCIDENT]);
  t.is(code, 2);
  t.regex(stderr, /--until must be later than --since/);
});
