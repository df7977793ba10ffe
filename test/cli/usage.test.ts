import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCli, runScript } from '../helpers/run-cli.ts';
import { scratchFolder } from '../helpers/scratch.ts';

const { version: packageVersion } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const errors: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no capture', [], /no capture given: standard input is read where the capture is named -/],
  ['an unknown option', ['--nope', 'x.pcap'], /unknown argument: nope/i],
  ['an unknown format', ['--format', 'xml', 'x.pcap'], /format.*"xml".*"tree", "ndjson", "line"/s],
  ['a format left out', ['x.pcap', '--format'], /format/],
  ['standard input twice', ['-', '-'], /- is given more than once/],
  ['a size that is none', ['--max-frame', 'huge', 'x.pcap'], /--max-frame takes a number of bytes, as in 65536 or 100MiB, not huge/],
  ['a depth that is none', ['-f', 'tree', '--depth', '-1', 'x.pcap'], /--depth takes a whole number from 0, not -1/],
  ['the byte layout in NDJSON', ['--hex', 'x.pcap'], /--hex is for trees, but the format is ndjson here: add --format tree/],
  ['a depth in NDJSON', ['--depth', '1', '-f', 'ndjson', 'x.pcap'], /--depth is for trees/],
  ['events among trees', ['--events', '-f', 'tree', 'x.pcap'], /--events adds lines of NDJSON.*use --format ndjson/],
  ['a filter for files', ['--filter', 'port 9092', 'x.pcap'], /filter.*interface/s],
  ['an interface beside files', ['-i', 'lo', 'x.pcap'], /--interface reads no captures beside it: leave out x\.pcap/],
  ['two wishes for colour', ['--color', 'always', '--no-color', 'x.pcap'], /color/],
];

for (const [title, words, message] of errors) {
  test(`${title} is a usage error`, async (t) => {
    const { code, stdout, stderr } = await runCli(words);
    t.is(code, 2, stderr);
    t.is(stdout, '');
    t.regex(stderr, message);
    t.true(stderr.startsWith('kafka-dissect: '), stderr);
    t.true(stderr.endsWith('Try kafka-dissect --help\n'), stderr);
    t.notRegex(stderr, /\n\s+at /);
  });
}

test('wire text in a usage error is escaped', async (t) => {
  const { stderr } = await runCli(['--max-frame', '\u001b[31m1', 'x.pcap']);
  t.true(stderr.includes('not \\u001b[31m1'), stderr);
});

test('help leads with examples', async (t) => {
  for (const words of [['--help'], ['-h']]) {
    const { code, stdout, stderr } = await runCli(words);
    t.is(code, 0);
    t.is(stderr, '');
    t.true(stdout.startsWith('Examples:\n  kafka-dissect capture.pcap'), stdout);
    for (const option of ['--format', '--events', '--quiet', '--strict', '--interface', '--no-about', 'explain'])
      t.true(stdout.includes(option), option);
  }
});

test('the version is that of the package', async (t) => {
  const { code, stdout } = await runCli(['--version']);
  t.is(code, 0);
  t.is(stdout, `${packageVersion}\n`);
});

test('saying the version needs no dependency', async (t) => {
  const folder = scratchFolder(t);
  for (const path of ['package.json', 'bin', 'dist/src']) cpSync(path, join(folder, path), { recursive: true });
  const { stdout, stderr } = await runScript(`'${process.execPath}' '${folder}/bin/kafka-dissect.js' --version`);
  t.is(stdout, `${packageVersion}\n`, stderr);
});

test('help and version into a full device say that they can’t be written', async (t) => {
  for (const option of ['--help', '--version']) {
    const { code, stderr } = await runScript(`kafka_dissect ${option} > /dev/full`);
    t.is(code, 74, stderr);
    t.regex(stderr, /^kafka-dissect: error: stdout can't be written: .*ENOSPC/);
    t.notRegex(stderr, /\n\s+at /);
  }
});
