import test from 'ava';
import type { ExchangeDetailRecord } from '../../src/records/exchange-detail.ts';
import { runCli } from '../helpers/run-cli.ts';

const CAPTURE = 'captures/incident-orders-retention.pcap.gz';
const SHORT = 'captures/kafka4.1-refused-bob-v1.pcap';

/** Every text of 4 or more characters in these members of all the records that a command prints. */
async function namesIn(words: readonly string[]): Promise<Set<string>> {
  const { stdout } = await runCli([...words, '-q', '-f', 'ndjson', CAPTURE]);
  const names = new Set<string>();
  const pattern = /"(?:clientId|client|server|address|principal|resourceName|value|topic|host)":"((?:[^"\\]|\\.){4,})"/g;
  for (const [, text = ''] of stdout.matchAll(pattern)) names.add(text.replace(/:\d+$/, '').replace(/^User:/, ''));
  return names;
}

/** What stays is told in other places by the same words: a tool's name, booleans, small numbers. */
const ORDINARY = /^(?:<redacted, |true$|false$|ANONYMOUS$|future-tool$|kgo$)/;

const runs: readonly (readonly string[])[] = [
  ['-f', 'ndjson', '--events'],
  ['-f', 'ndjson', '--api', 'all'],
  ['-f', 'tree', '--full'],
  ['-f', 'tree', '--api', 'CreateTopics,Metadata,Envelope,SaslAuthenticate', '--hex', '--full'],
  ['-f', 'line', '--full'],
];
const commands: readonly (readonly string[])[] = [
  ['summary', '-f', 'ndjson'],
  ['summary', '-f', 'table'],
  ['timeline', '-f', 'ndjson'],
  ['timeline', '-f', 'table'],
  ['show', '789', '-f', 'tree'],
  ['show', '789', '-f', 'ndjson'],
];

test('--redact: no client id, address, user, name or value is left in any mode', async (t) => {
  const names = new Set([...(await namesIn([])), ...(await namesIn(['summary'])), ...(await namesIn(['timeline']))]);
  const tried = [...names].filter((name) => !ORDINARY.test(name));
  t.true(tried.length > 40, String(tried.length));
  for (const words of [...runs, ...commands]) {
    const { code, stdout, stderr } = await runCli([...words, '--redact', CAPTURE]);
    t.is(code, 0, stderr);
    t.true(stdout.length > 1000);
    const said = `${stdout}${stderr}`.replaceAll(CAPTURE, '');
    const left = tried.filter((name) =>
      /^[\d.]+$/.test(name) ? said.includes(`"${name}"`) : new RegExp(`[" /:]${escaped(name)}[",: ]`).test(said),
    );
    t.deepEqual(left, [], words.join(' '));
  }
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

test('--redact=KEY gives the same output each time, and --redact another', async (t) => {
  const outputs: string[] = [];
  for (const word of ['--redact=k', '--redact=k', '--redact', '--redact']) outputs.push((await runCli(['-q', word, SHORT])).stdout);
  t.is(outputs[0], outputs[1]);
  t.is(new Set(outputs).size, 3);
});

test('a client has one pseudonym in exchanges, answers and findings', async (t) => {
  const exchanges = await runCli(['--redact=k', '-q', '-f', 'ndjson', CAPTURE]);
  const summary = await runCli(['summary', '--redact=k', '-f', 'ndjson', CAPTURE]);
  const [, client = ''] = /"client":"(host-[0-9a-f]+):/.exec(exchanges.stdout) ?? [];
  const [, clientId = ''] = /"clientId":"(client-[0-9a-f]+)"/.exec(exchanges.stdout) ?? [];
  t.true(summary.stdout.includes(`"${clientId}"`));
  t.true(summary.stdout.includes(`"${client}"`));
  t.true(summary.stderr.includes('host-'));
  t.notRegex(summary.stderr, /\d+\.\d+\.\d+\.\d+/);
});

test('show finds the packets by what was there, and names them by numbers and ports', async (t) => {
  const filters = async (...words: string[]) => {
    const { stdout } = await runCli(['show', '1', '-f', 'ndjson', ...words]);
    const { requestPackets, wireshark } = JSON.parse(stdout.split('\n')[1] ?? '') as ExchangeDetailRecord;
    return { requestPackets, ...wireshark };
  };
  const second = 'captures/kafka2.3-kafkajs-v2.pcap';
  t.deepEqual(await filters('--redact', SHORT), await filters(SHORT));
  const plain = await filters(SHORT, second);
  t.regex(plain.displayFilter, /^ip\.addr == [\d.]+ and tcp\.port == \d+ and ip\.addr == /);
  t.deepEqual(await filters('--redact', SHORT, second), {
    ...plain,
    displayFilter: plain.displayFilter.replaceAll(/ip\.addr == [\d.]+ and /g, ''),
  });
});

test('diff compares what was there, and prints pseudonyms', async (t) => {
  const sides = ['--left', '@2026-11-29T18:14:30Z', '--right', '@2026-11-29T18:17:40Z'];
  const plain = await runCli(['diff', ...sides, '-q', '-f', 'ndjson', CAPTURE]);
  const redacted = await runCli(['diff', ...sides, '-q', '-f', 'ndjson', '--redact', CAPTURE]);
  t.true(plain.stdout.includes('"orders"'), plain.stderr);
  t.is(redacted.stdout.split('\n').length, plain.stdout.split('\n').length);
  t.false(redacted.stdout.includes('"orders"'));
});

test('secrets stay lengths, and can’t be asked for beside pseudonyms', async (t) => {
  const { code, stderr } = await runCli(['--redact', '--show-secrets', SHORT]);
  t.is(code, 2, stderr);
});
