import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import type { ExchangeDetailRecord } from '../../src/records/exchange-detail.ts';
import type { ExchangeRecord } from '../../src/records/records.ts';
import { pcapFile, tcpConversation } from '../helpers/packets.ts';
import { runCli } from '../helpers/run-cli.ts';
import { sampleFrame } from '../helpers/sample-capture.ts';
import { scratchFile } from '../helpers/scratch.ts';

const INCIDENT = 'captures/incident-orders-retention.pcap.gz';
const PLAIN_V2 = 'captures/kafka2.3-kafkajs-v2.pcap';

interface Shown {
  readonly exchange: ExchangeRecord;
  readonly detail: ExchangeDetailRecord;
}

async function show(...words: string[]): Promise<Shown[]> {
  const { code, stdout, stderr } = await runCli(['show', '-f', 'ndjson', ...words]);
  if (code !== 0) throw new Error(stderr);
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExchangeRecord | ExchangeDetailRecord);
  const details = records.filter((record): record is ExchangeDetailRecord => record.type === 'exchange-detail');
  return details.map((detail) => ({
    detail,
    exchange: records.find(
      (record): record is ExchangeRecord => record.type === 'exchange' && record.number === detail.number,
    ) as ExchangeRecord,
  }));
}

/** Numbers of the packets that tshark finds by a display filter. */
function tshark(capture: string, filter: string, ...words: string[]): number[] {
  const ran = spawnSync('tshark', ['-r', capture, ...words, '-Y', filter, '-T', 'fields', '-e', 'frame.number'], { encoding: 'utf8' });
  return ran.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}

const hasTshark = spawnSync('tshark', ['--version']).status === 0;
const withTshark = hasTshark ? test : test.skip;

test('an exchange is shown as it is printed, and more is said about it', async (t) => {
  const printed = (await runCli(['-q', INCIDENT])).stdout.split('\n');
  const [shown] = await show('789', INCIDENT);
  t.deepEqual(shown?.exchange, JSON.parse(printed[788] ?? ''));
  t.is(shown?.detail.latencyMs, shown?.exchange.latencyMs);
  t.is(shown?.detail.number, 789);
});

test('an exchange is found by its connection and correlation id, as often as the id was used', async (t) => {
  const [shown, ...others] = await show('11:13', INCIDENT);
  t.deepEqual(others, []);
  t.is(shown?.exchange.number, 953);
  const reused = await show('0:7', scratchFile(t, 'reused.pcap', captureOf([7, 7])));
  t.deepEqual(
    reused.map(({ exchange }) => exchange.number),
    [1, 2],
  );
});

function captureOf(ids: readonly number[], segmentBytes = 1000): Uint8Array {
  const messages = ids.flatMap((id) => [
    { from: 'client' as const, bytes: sampleFrame('request', id) },
    { from: 'server' as const, bytes: sampleFrame('response', id) },
  ]);
  return pcapFile(
    tcpConversation({
      messages: messages.flatMap(({ from, bytes }) => pieces(bytes, segmentBytes).map((piece) => ({ from, bytes: piece }))),
    }),
  );
}

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

test('all packets of a frame are found, however small', async (t) => {
  for (const segmentBytes of [1, 3, 20]) {
    const capture = scratchFile(t, 'pieces.pcap', captureOf([1, 2], segmentBytes));
    const [shown] = await show('2', capture);
    const { requestPackets, responsePackets } = shown?.detail ?? {};
    const sizes = (packets: typeof requestPackets) => packets?.map(({ bytes }) => bytes);
    t.deepEqual(
      sizes(requestPackets),
      pieces(sampleFrame('request', 2), segmentBytes).map(({ length }) => length),
    );
    t.deepEqual(
      sizes(responsePackets),
      pieces(sampleFrame('response', 2), segmentBytes).map(({ length }) => length),
    );
    t.is(requestPackets?.[0]?.packet, shown?.exchange.requestFrame.packet);
    t.is(responsePackets?.at(-1)?.packet, shown?.exchange.responseFrame?.lastPacket as number);
  }
});

test('repeated packets and those out of order are found and called so', async (t) => {
  const packets = tcpConversation({
    messages: [
      { from: 'client', bytes: sampleFrame('request', 1) },
      ...pieces(sampleFrame('response', 1), 30).map((bytes) => ({ from: 'server' as const, bytes })),
    ],
  });
  const whole = await show('1', scratchFile(t, 'whole.pcap', pcapFile(packets)));
  const [first, second, ...rest] = (whole[0]?.detail.responsePackets ?? []).map(({ packet }) => packet - 1) as [
    number,
    number,
    ...number[],
  ];
  t.true(rest.length >= 0);
  const at = (index: number) => packets[index] as Uint8Array;
  const shuffled = [
    ...packets.slice(0, first),
    at(second),
    at(first),
    at(first),
    ...packets.slice(first + 1, second),
    ...packets.slice(second + 1),
  ];
  const [shown] = await show('1', scratchFile(t, 'shuffled.pcap', pcapFile(shuffled)));
  const found = shown?.detail.responsePackets?.slice(0, 3).map(({ packet, isRepeat }) => [packet - 1, isRepeat]);
  t.deepEqual(found, [
    [first, false],
    [first + 1, false],
    [first + 2, true],
  ]);
});

test('what cannot be known is said to be so', async (t) => {
  const unanswered = (await runCli(['-q', '-f', 'ndjson', '--status', 'unanswered', INCIDENT])).stdout;
  const { number } = JSON.parse(unanswered.split('\n')[0] ?? '') as ExchangeRecord;
  const { stdout } = await runCli(['show', '-f', 'tree', String(number), INCIDENT]);
  t.regex(stdout, /\n {2}response, first byte {2}not in the capture\n/);
  t.regex(stdout, /\n {2}latency {15}not known, /);
  t.regex(stdout, /\n {2}throttle time {9}not known\n/);
  t.regex(stdout, /\n {2}response {14}none seen\n/);
});

test('standard input is read once: the packets between are not looked for', async (t) => {
  const input = readFileSync(PLAIN_V2);
  const { code, stdout } = await runCli(['show', '-f', 'tree', '1', '-'], { input });
  t.is(code, 0);
  t.regex(stdout, /request {15}first \d+, last \d+; those between were not looked for/);
});

test('the tree comes with its byte layout, in the times asked for', async (t) => {
  const { stdout } = await runCli(['show', '-f', 'tree', '--relative', '953', INCIDENT]);
  t.regex(stdout, /^\+221\.996700s {2}/);
  t.is([...stdout.matchAll(/byte layout \(\d+ bytes/g)].length, 2);
  t.regex(stdout, /request, first byte {3}\+221\.996700s {2}packet 6994/);
});

withTshark('Wireshark finds the packets by either filter', async (t) => {
  const capture = scratchFile(t, 'incident.pcap', gunzipSync(readFileSync(INCIDENT)));
  for (const number of ['1', '540', '911', '953']) {
    const [shown] = await show(number, capture);
    const { requestPackets, responsePackets, wireshark } = (shown as Shown).detail;
    const packets = [...(requestPackets ?? []), ...(responsePackets ?? [])].map(({ packet }) => packet);
    t.deepEqual(tshark(capture, wireshark.frameFilter), packets);
    const found = tshark(capture, wireshark.displayFilter, '-d', wireshark.decodeAs);
    t.true(found.includes(requestPackets?.at(-1)?.packet as number), `exchange ${number}`);
    t.true(found.includes(responsePackets?.at(-1)?.packet as number), `exchange ${number}`);
  }
});

const mistakes: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['0', INCIDENT], /show takes an exchange's number from 1, or STREAM:CORRELATION, as in 17 or 3:42, not 0/],
  [['orders', INCIDENT], /show takes an exchange's number/],
  [['5000', INCIDENT], /there is no exchange 5000: 953 are in what was read/],
  [['99:1', INCIDENT], /there is no exchange with correlation id 1 on stream 99/],
  [['1', '-f', 'line', INCIDENT], /use --format tree or ndjson/],
  [['1'], /no capture given/],
];

for (const [words, message] of mistakes) {
  test(`show ${words.join(' ')} is a usage error`, async (t) => {
    const { code, stdout, stderr } = await runCli(['show', ...words]);
    t.is(code, 2, stderr);
    t.is(stdout, '');
    t.regex(stderr, message);
  });
}

test('a capture that cannot be read is no missing exchange', async (t) => {
  const { code, stderr } = await runCli(['show', '1', 'no-such-file.pcap']);
  t.is(code, 1);
  t.regex(stderr, /no such file/);
  t.notRegex(stderr, /there is no exchange/);
});
