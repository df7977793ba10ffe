import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test from 'ava';
import { CaptureError, type DiagnosticRecord, dissect, type ExchangeRecord, recordSchema, type SummaryRecord } from '../src/index.ts';
import { runCli } from './helpers/run-cli.ts';
import { sampleCapture } from './helpers/sample-capture.ts';
import { scratchFile, scratchFolder } from './helpers/scratch.ts';

const CAPTURE = 'captures/kafka2.8-franz-v4.pcap';

async function collect(...parameters: Parameters<typeof dissect>): Promise<ExchangeRecord[]> {
  const records: ExchangeRecord[] = [];
  for await (const record of dissect(...parameters)) records.push(record);
  return records;
}

test('the exchanges are the objects that lines of NDJSON hold', async (t) => {
  const { stdout } = await runCli([CAPTURE]);
  const lines = stdout.trimEnd().split('\n');
  t.deepEqual(
    (await collect(CAPTURE)).map((record) => JSON.stringify(record)),
    lines,
  );
});

test('what an envelope forwards is in its exchange, as in its line', async (t) => {
  const incident = 'captures/incident-orders-retention.pcap.gz';
  const { stdout } = await runCli(['--api', 'Envelope', incident]);
  const records = await collect(incident, { apis: ['Envelope'] });
  t.is(records.map((record) => `${JSON.stringify(record)}\n`).join(''), stdout);
  t.true(records.some(({ forwarded }) => forwarded !== undefined));
});

test('several captures are read as one', async (t) => {
  const { stdout } = await runCli(['captures/rotated-1.pcap', 'captures/rotated-2.pcap']);
  const records = await collect(['captures/rotated-1.pcap', 'captures/rotated-2.pcap']);
  t.is(records.map((record) => `${JSON.stringify(record)}\n`).join(''), stdout);
});

test('further APIs are given where they are asked for, by name or key', async (t) => {
  const names = new Set((await collect(CAPTURE, { apis: ['ApiVersions', 32] })).map(({ apiName }) => apiName));
  t.deepEqual([...names].sort(), ['ApiVersions', 'DescribeConfigs']);
  t.throws(() => dissect(CAPTURE, { apis: ['Nope'] }), { instanceOf: RangeError, message: 'there is no API Nope in Kafka' });
});

/** A capture that says how far it was read, and whether it was let go. */
class Watched extends Readable {
  bytesGiven = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super({ highWaterMark: 1 });
    this.#bytes = bytes;
  }

  override _read(): void {
    const chunk = this.#bytes.subarray(this.bytesGiven, this.bytesGiven + 512);
    this.bytesGiven += chunk.length;
    this.push(chunk.length === 0 ? null : chunk);
  }
}

test('reading waits while nobody asks', async (t) => {
  const stream = new Watched(sampleCapture(400));
  const exchanges = dissect({ name: 'watched', stream });
  t.is(stream.bytesGiven, 0);
  t.is((await exchanges.next()).value?.number, 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.true(stream.bytesGiven < 10_000, `${stream.bytesGiven} bytes were read for one exchange`);
  let count = 1;
  for await (const { number } of exchanges) t.is(number, ++count);
  t.is(count, 400);
});

test('leaving the loop ends the reading and lets the capture go', async (t) => {
  const stream = new Watched(sampleCapture(400));
  for await (const _ of dissect({ name: 'watched', stream })) break;
  t.true(stream.bytesGiven < 10_000);
  t.true(stream.destroyed);
});

test('what the loop throws ends the reading too', async (t) => {
  const stream = new Watched(sampleCapture(400));
  const mistake = new Error('mine');
  const error = await t.throwsAsync(async () => {
    for await (const _ of dissect({ name: 'watched', stream })) throw mistake;
  });
  t.is(error, mistake);
  t.true(stream.destroyed);
});

test('what cannot be read at all rejects; what can be read in part is given, with its damage', async (t) => {
  const nothing = scratchFile(t, 'notes.txt', 'these are no packets, but some words that go on for a while');
  const error = await t.throwsAsync(() => collect(nothing), { instanceOf: CaptureError });
  t.is(error?.capture, nothing);
  await t.throwsAsync(() => collect('no-such-file.pcap'), { instanceOf: CaptureError, message: /^no-such-file\.pcap: no such file/ });

  const whole = sampleCapture(2);
  const cut = scratchFile(t, 'cut.pcap', whole.subarray(0, whole.length - 100));
  const found: DiagnosticRecord[] = [];
  let summary: SummaryRecord | undefined;
  const records = await collect(['no-such-file.pcap', cut], {
    onDiagnostic: (diagnostic) => found.push(diagnostic),
    onSummary: (record) => {
      summary = record;
    },
  });
  t.true(records.length > 0);
  t.true(found.some(({ code, capture }) => code === 'capture-unreadable' && capture === 'no-such-file.pcap'));
  t.true(found.some(({ code, capture }) => code === 'capture-truncated' && capture === cut));
  t.is(summary?.lost['capture-truncated']?.count, 1);
});

test('what a callback throws rejects', async (t) => {
  const mistake = new Error('mine');
  const error = await t.throwsAsync(() =>
    collect(CAPTURE, {
      onSummary() {
        throw mistake;
      },
    }),
  );
  t.is(error, mistake);
});

test('the schema is that of the command', async (t) => {
  const { stdout } = await runCli(['schema']);
  t.deepEqual(recordSchema(), JSON.parse(stdout));
});

test('the package is used by its name, with its types', (t) => {
  const folder = scratchFolder(t);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(process.cwd(), join(folder, 'node_modules', 'kafka-dissect'));
  const program =
    readFileSync('src/index.ts', 'utf8')
      .match(/```ts\n([\s\S]*?)```/)?.[1]
      ?.replaceAll(/^ \* ?/gm, '') ?? '';
  t.regex(program, /from 'kafka-dissect'/);
  const capture = join(process.cwd(), CAPTURE);
  const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: [] };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const code = program.replace('capture.pcap', capture).replace("filter: { resource: 'topic:orders' }", '');
  // Types that weren't found would be any, and this no mistake.
  const mistake =
    "for await (const { time } of dissect('')) {\n  // @ts-expect-error a time is a text or null\n  const number: number = time;\n}\n";
  writeFileSync(join(folder, 'program.mts'), `${code}\n${mistake}`);
  writeFileSync(join(folder, 'program.mjs'), code);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, lib: ['es2023', 'dom'], skipLibCheck: true }, files: ['program.mts'] }),
  );
  const compiled = spawnSync(process.execPath, [join(process.cwd(), 'node_modules/typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  t.is(compiled.stdout, '');
  const ran = spawnSync(process.execPath, [join(folder, 'program.mjs')], { encoding: 'utf8' });
  t.is(ran.stderr, '');
  t.regex(ran.stdout, /^\d{4}-\d\d-\d\dT/);
});
