import test from 'ava';
import { runScript } from '../helpers/run-cli.ts';
import { sampleCapture } from '../helpers/sample-capture.ts';
import { scratchFile } from '../helpers/scratch.ts';

/** Runs a command line on a terminal of 100 columns, by util-linux' script, and gives what the terminal was sent. */
async function onTerminal(command: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await runScript(`export -f kafka_dissect; script -qec 'stty cols 100; ${command}' /dev/null < /dev/null`, {
    TERM: 'xterm-256color',
    SHELL: '/bin/bash',
    ...environment,
  });
  return stdout.replaceAll('\r\n', '\n');
}

test('a terminal gets trees, in colour', async (t) => {
  const sent = await onTerminal(`kafka_dissect -q ${scratchFile(t, 'x.pcap', sampleCapture(1))}`);
  t.regex(sent, /\u001b\[38;5;/);
  t.true(sent.replaceAll(/\u001b\[[\d;]*m/g, '').includes('DescribeConfigsRequest message v4 [0x0000, 27B]\n+-- Frame [0x0000, 4B]'), sent);
});

for (const [title, options, environment] of [
  ['--no-color', '--no-color', {}],
  ['--color never', '--color never', { FORCE_COLOR: '3' }],
  ['NO_COLOR', '', { NO_COLOR: '1' }],
] as const) {
  test(`${title}: no escape reaches the terminal`, async (t) => {
    const sent = await onTerminal(`kafka_dissect -q ${options} ${scratchFile(t, 'x.pcap', sampleCapture(1))}`, environment);
    t.true(sent.includes('DescribeConfigsRequest message v4'), sent);
    t.notRegex(sent, /\u001b/);
  });
}

test('trees go into a pager in colour where asked', async (t) => {
  const path = scratchFile(t, 'x.pcap', sampleCapture(1));
  t.regex((await runScript(`kafka_dissect -q -f tree --color always ${path} | cat`, { TERM: 'xterm-256color' })).stdout, /\u001b\[38;5;/);
  t.notRegex((await runScript(`kafka_dissect -q -f tree ${path} | cat`)).stdout, /\u001b/);
});

test('lines are cut to the terminal, and not with --full', async (t) => {
  const path = scratchFile(t, 'x.pcap', sampleCapture(1));
  const columns = async (options: string) => {
    const sent = await onTerminal(`kafka_dissect -q --no-color ${options} ${path}`);
    return sent.split('\n').find((line) => line.includes('client_id'))?.length;
  };
  t.deepEqual([await columns(''), await columns('--full')], [100, 112]);
});

/** A program that shows the bar of a file for a while, with a line said meanwhile. */
function progressProgram(path: string): string {
  return `
import { Progress } from '${process.cwd()}/dist/src/cli/progress.js';
const wait = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
const progress = Progress.of(['${path}']);
if (progress === null) process.stderr.write('no bar\\n');
else {
  for (let i = 0; i < 20; i++) {
    await wait(100);
    progress.update({ inputBytes: 1000 * i, packets: 7 * i, exchanges: { complete: i, partial: 0, unanswered: 0 } });
  }
  progress.clear();
  process.stderr.write('a line\\n');
  progress.stop();
  process.stderr.write('the end\\n');
}`;
}

test('a bar says how far reading is, on a terminal that shows nothing else, and leaves nothing behind', async (t) => {
  const program = scratchFile(t, 'progress.mjs', progressProgram(scratchFile(t, 'x', new Uint8Array(20_000))));
  const sent = await onTerminal(`${process.execPath} ${program} | cat`);
  t.regex(sent, /\d+% {2}0 of 0 MB {2}\d+ packets {2}\d+ exchanges {2}\S+ left/);
  t.regex(sent, /\u001b\[2Ka line\n/);
  t.true(sent.endsWith('\u001b[0Jthe end\n'), JSON.stringify(sent.slice(-80)));
});

for (const [title, command] of [
  ['stderr is no terminal', '2>&1 | cat'],
  ['the terminal shows the output', ''],
] as const) {
  test(`no bar where ${title}`, async (t) => {
    const program = scratchFile(t, 'progress.mjs', progressProgram(scratchFile(t, 'x', new Uint8Array(20_000))));
    t.is(await onTerminal(`${process.execPath} ${program} ${command}`), 'no bar\n');
  });
}

test('no bar for what has no size', async (t) => {
  const program = scratchFile(t, 'progress.mjs', progressProgram('/dev/stdin'));
  t.is(await onTerminal(`${process.execPath} ${program} | cat`), 'no bar\n');
});
