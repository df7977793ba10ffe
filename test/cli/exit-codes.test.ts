import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { pcapFile, tcpConversation } from '../helpers/packets.ts';
import { runCli, runScript } from '../helpers/run-cli.ts';
import { sampleCapture, sampleMessages } from '../helpers/sample-capture.ts';
import { scratchFile, scratchFolder } from '../helpers/scratch.ts';

interface Line {
  readonly type: string;
  readonly [member: string]: unknown;
}

function lines(stdout: string): Line[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

test('a whole capture is exit 0: NDJSON into a pipe, a summary on stderr', async (t) => {
  const capture = sampleCapture(3);
  const path = scratchFile(t, 'x.pcap', capture);
  const { code, stdout, stderr } = await runCli([path]);
  t.is(code, 0, stderr);
  t.deepEqual(
    lines(stdout).map(({ type, status, number, capture, correlationId }) => [type, status, number, capture, correlationId]),
    [1, 2, 3].map((id) => ['exchange', 'complete', id, path, id]),
  );
  t.is(
    stderr,
    `kafka-dissect: read 12 packets, ${capture.length} bytes, 2023-11-14T22:13:20.000000Z to 2023-11-14T22:13:20.011000Z\n` +
      '  connections  1 Kafka, 0 TLS, 0 other\n' +
      '  frames       3 requests, 3 responses\n' +
      '  exchanges    3 complete, 0 partial, 0 unanswered\n' +
      '  lost         nothing\n',
  );
});

test('--quiet says nothing where there is no error', async (t) => {
  const { code, stderr } = await runCli(['--quiet', scratchFile(t, 'x.pcap', sampleCapture(1))]);
  t.is(code, 0);
  t.is(stderr, '');
});

test('standard input is -', async (t) => {
  const { code, stdout } = await runCli(['-'], { input: sampleCapture(1) });
  t.is(code, 0);
  t.is(lines(stdout)[0]?.['capture'], '-');
});

test('a file that is named like a command is read as ./NAME, and after --', async (t) => {
  const path = scratchFile(t, 'explain', sampleCapture(1));
  for (const words of ['./explain', '-- explain']) {
    const { code, stdout, stderr } = await runScript(`cd '${join(path, '..')}' && kafka_dissect ${words}`);
    t.is(code, 0, stderr);
    t.is(lines(stdout).length, 1);
  }
});

test('a capture that isn’t there is exit 1, and the others are read', async (t) => {
  const path = scratchFile(t, 'x.pcap', sampleCapture(1));
  const { code, stdout, stderr } = await runCli([`${path}.not`, path]);
  t.is(code, 1);
  t.is(lines(stdout).length, 1);
  t.true(stderr.startsWith(`kafka-dissect: error: ${path}.not: capture-unreadable: `), stderr);
});

test('a capture that ends inside a record is exit 1, after what came before', async (t) => {
  const whole = sampleCapture(2);
  const { code, stdout, stderr } = await runCli([scratchFile(t, 'x.pcap', whole.subarray(0, whole.length - 10))]);
  t.is(code, 1);
  t.is(lines(stdout).length, 2);
  t.regex(stderr, /^kafka-dissect: error: .*x\.pcap (packet|offset) \d+: capture-truncated: /m);
});

test('what was lost costs the exit code with --strict alone', async (t) => {
  const [first, ...others] = tcpConversation({ messages: sampleMessages(2) }).toSpliced(5, 1);
  const path = scratchFile(t, 'x.pcap', pcapFile([first as Uint8Array, ...others]));
  t.is((await runCli([path])).code, 0);
  t.is((await runCli([path, '--strict'])).code, 3);
  t.is((await runCli([scratchFile(t, 'y.pcap', sampleCapture(2)), '--strict'])).code, 0);
});

test('--events: diagnostics among the lines, the summary last', async (t) => {
  const frames = tcpConversation({ messages: sampleMessages(2) }).toSpliced(5, 1);
  const { stdout } = await runCli(['--events', '-q', scratchFile(t, 'x.pcap', pcapFile(frames))]);
  const all = lines(stdout);
  t.true(
    all.some(({ type, code }) => type === 'diagnostic' && code === 'tcp-gap'),
    stdout,
  );
  const last = all.at(-1);
  t.is(last?.type, 'summary');
  t.is(last?.['packets'], frames.length);
  t.like(last, { lost: { 'tcp-gap': { count: 1 } } });
});

test('a reader that has seen enough ends it with 0 and without a word', async (t) => {
  const path = scratchFile(t, 'x.pcap', sampleCapture(2000));
  const { stdout, stderr } = await runScript(`kafka_dissect '${path}' | head -n 1 > /dev/null; echo "\${PIPESTATUS[0]}"`);
  t.is(stdout, '0\n');
  t.is(stderr, '');
});

test('a full disk is exit 74', async (t) => {
  const { code, stderr } = await runScript(`kafka_dissect '${scratchFile(t, 'x.pcap', sampleCapture(1))}' > /dev/full`);
  t.is(code, 74);
  t.regex(stderr, /^kafka-dissect: error: stdout can't be written: .*ENOSPC.*\n$/);
});

test('a stdout that can’t be written is exit 74', async (t) => {
  const path = scratchFile(t, 'x.pcap', sampleCapture(1));
  const { code, stderr } = await runScript(`kafka_dissect '${path}' 1< '${path}'`);
  t.is(code, 74);
  t.regex(stderr, /^kafka-dissect: error: stdout can't be written: .*EBADF.*\n$/);
});

test('a closed stdout, which Node turns into /dev/null, and a closed stderr leave no stack', async (t) => {
  const path = scratchFile(t, 'x.pcap', sampleCapture(1));
  const { stderr } = await runScript(`kafka_dissect -q '${path}' >&-`);
  t.is(stderr, '');
  const { code, stdout } = await runScript(`kafka_dissect '${path}' 2>&-`);
  t.is(code, 0);
  t.is(lines(stdout).length, 1);
});

test('a pipe that doesn’t block and is full loses nothing', async (t) => {
  const folder = scratchFolder(t);
  const path = join(folder, 'x.pcap');
  writeFileSync(path, sampleCapture(1000));
  const [expected] = await Promise.all([runCli(['-q', path]), runScript(`mkfifo '${folder}/fifo'`)]);
  const fifo = openSync(`${folder}/fifo`, constants.O_RDWR | constants.O_NONBLOCK);
  const reading = runScript(`sleep 0.3; cat '${folder}/fifo' > '${folder}/out'`);
  const { code, stderr } = await runCli(['-q', path], { stdout: fifo });
  closeSync(fifo);
  await reading;
  t.is(code, 0, stderr);
  t.true(readFileSync(`${folder}/out`, 'utf8') === expected.stdout);
});

test('a bug is exit 70, with where it struck and the stack, after what was printed until then', async (t) => {
  const path = scratchFile(t, 'x.pcap', sampleCapture(2));
  const program = `
import { runDissection } from '${process.cwd()}/dist/src/cli/run.js';
import { StdoutWriter } from '${process.cwd()}/dist/src/output/stdout-writer.js';
const writer = new StdoutWriter();
const exchange = ({ number }) => {
  if (number === 2) throw new TypeError('boo\\u001b[31m');
  writer.buffer.utf8('printed\\n');
};
const settings = { captures: ['${path}'], live: null, maxFrameBytes: 1000, strict: false, quiet: true };
process.exit(await runDissection(settings, { writer, exchange, diagnostics: null, end() {} }));`;
  const { code, stdout, stderr } = await runScript(`'${process.execPath}' '${scratchFile(t, 'bug.mjs', program)}'`);
  t.is(code, 70);
  t.is(stdout, 'printed\n');
  t.true(stderr.startsWith(`kafka-dissect: internal error at ${path} packet 7: TypeError: boo\\u001b[31m\n    at `), stderr);
  t.regex(stderr, /\nThis is a bug in kafka-dissect .*: please report it with these lines\.\n$/);
});
