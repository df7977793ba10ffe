import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdirSync, type WriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pcapFile, tcpConversation } from '../helpers/packets.ts';
import { ended, runCli, runScript, startCli } from '../helpers/run-cli.ts';
import { openCapture, sampleCapture, sampleMessages } from '../helpers/sample-capture.ts';
import { scratchFolder } from '../helpers/scratch.ts';

/** A FIFO that somebody writes a capture into. */
async function writtenFifo(t: ExecutionContext, content: Uint8Array): Promise<{ path: string; writer: WriteStream }> {
  const path = join(scratchFolder(t), 'fifo');
  await runScript(`mkfifo '${path}'`);
  // Opened for both, so that opening it waits for nobody.
  const writer = createWriteStream(path, { flags: 'r+' });
  writer.on('error', () => {});
  writer.write(content);
  t.teardown(() => writer.destroy());
  return { path, writer };
}

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal}: an exchange is there at once, the open one when it ends, then the summary and ${exitCode}`, async (t) => {
    const { path } = await writtenFifo(t, openCapture(2));
    const child = startCli([path]);
    const end = ended(child);
    const [first] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    t.is(first.toString().trimEnd().split('\n').length, 1, 'the complete exchange came before the end');
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    t.is(code, exitCode, stderr);
    const [complete, open, ...others] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    t.is(complete?.['status'], 'complete');
    t.like(open, { status: 'unanswered', reason: 'capture-ended' });
    t.deepEqual(others, []);
    t.regex(stderr, /^kafka-dissect: read 6 packets, /m);
  });
}

test('the end of a pipe is the end of the capture', async (t) => {
  const { path, writer } = await writtenFifo(t, openCapture(2));
  const child = startCli([path]);
  const end = ended(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  writer.end();
  const { code, stdout } = await end;
  t.is(code, 0);
  t.is(stdout.trimEnd().split('\n').length, 2);
});

/** A folder with a program for PATH, written in the language of sh; `$capture` is the path of a capture. */
function fakeProgram(t: ExecutionContext, name: string, script: string, capture = sampleCapture(1)): NodeJS.ProcessEnv {
  const folder = scratchFolder(t);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'x.pcap'), capture);
  const program = join(folder, 'bin', name);
  writeFileSync(program, `#!/bin/sh\ncapture='${folder}/x.pcap'\n${script}\n`);
  chmodSync(program, 0o755);
  return { PATH: join(folder, 'bin') };
}

test('--interface runs tcpdump with the filter and reads what it captures', async (t) => {
  const environment = fakeProgram(t, 'tcpdump', 'echo "$@" >&2; /bin/cat "$capture"; exec 1>&-; echo "2 packets dropped by kernel" >&2');
  const { code, stdout, stderr } = await runCli(['-i', 'eth7', '--filter', 'port 9092', '--strict'], { environment });
  t.is(code, 3, stderr);
  t.like(JSON.parse(stdout), { status: 'complete', capture: 'eth7' });
  t.regex(stderr, /eth7: packets-dropped: 2 packets dropped by the kernel or tcpdump/);
});

test('--interface takes dumpcap where there is no tcpdump', async (t) => {
  const environment = fakeProgram(t, 'dumpcap', '[ "$*" = "-q -i eth7 -f port 9092 -w -" ] || exit 9; /bin/cat "$capture"');
  const { code, stdout, stderr } = await runCli(['-i', 'eth7', '--filter', 'port 9092'], { environment });
  t.is(code, 0, stderr);
  t.like(JSON.parse(stdout), { status: 'complete', capture: 'eth7' });
});

test('--interface without a capturing program says what to install', async (t) => {
  const { code, stderr } = await runCli(['-i', 'eth7'], { environment: fakeProgram(t, 'nothing', '') });
  t.is(code, 1);
  t.is(
    stderr,
    "kafka-dissect: error: can't capture on eth7: neither tcpdump nor dumpcap is installed; install one, or pipe a capture into kafka-dissect -\n",
  );
});

test('--interface without the right says how to get it', async (t) => {
  const complaint = "tcpdump: eth7: You don't have permission to capture on that device\\n(socket: Operation not permitted)\\n";
  const { code, stderr } = await runCli(['-i', 'eth7'], { environment: fakeProgram(t, 'tcpdump', `printf "${complaint}" >&2; exit 1`) });
  t.is(code, 1);
  t.regex(
    stderr,
    /^kafka-dissect: error: tcpdump can't capture: eth7: You don't have permission.*; run as root, or give tcpdump the right: sudo setcap /,
  );
});

test('--interface: a capture that breaks off is exit 1', async (t) => {
  const environment = fakeProgram(t, 'tcpdump', '/bin/cat "$capture"; echo "tcpdump: pcap_loop: The interface disappeared" >&2; exit 1');
  const { code, stdout, stderr } = await runCli(['-i', 'eth7'], { environment });
  t.is(code, 1);
  t.is(stdout.trimEnd().split('\n').length, 1);
  t.regex(stderr, /error: eth7: capture-unreadable: tcpdump failed: .*The interface disappeared/);
});

test('SIGINT ends the capturing, and what was captured is read to its end', async (t) => {
  const begin = pcapFile(tcpConversation({ messages: sampleMessages(1), close: false })).length;
  const script = `trap '/usr/bin/tail -c +${begin + 1} "$capture"; exit 0' INT
/usr/bin/head -c ${begin} "$capture"
while :; do /bin/sleep 0.05; done`;
  const child = startCli(['-i', 'eth7'], { environment: fakeProgram(t, 'tcpdump', script, sampleCapture(2)) });
  const end = ended(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  child.kill('SIGINT');
  const { code, stdout, stderr } = await end;
  t.is(code, 130, stderr);
  t.is(stdout.trimEnd().split('\n').length, 2);
});

test('a second SIGINT ends it at once', async (t) => {
  const script = `trap '' INT
/bin/cat "$capture"
while kill -0 $PPID 2> /dev/null; do /bin/sleep 0.05; done`;
  const child = startCli(['-i', 'eth7'], { environment: fakeProgram(t, 'tcpdump', script) });
  const end = ended(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  const again = setInterval(() => child.kill('SIGINT'), 200);
  const { code, signal, stderr } = await end;
  clearInterval(again);
  t.deepEqual([code, signal], [null, 'SIGINT']);
  t.is(stderr, '');
});
