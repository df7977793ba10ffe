import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runCli } from '../helpers/run-cli.ts';
import { scratchFile } from '../helpers/scratch.ts';
import { alter, captureOf, describe } from './lab.ts';

const incident = 'captures/incident-orders-retention.pcap.gz';
const FOLDER = join('test', 'golden', 'answers');
const WIDE = { COLUMNS: '200' };

/** What the commands print of the incident; UPDATE_GOLDEN=1 in the environment writes the files instead, to be reviewed. */
const goldens: readonly (readonly [file: string, words: readonly string[]])[] = [
  ['summary.ndjson', ['summary', '-f', 'ndjson', incident]],
  ['summary.txt', ['summary', '-f', 'table', incident]],
  ['timeline.ndjson', ['timeline', '-f', 'ndjson', '--resource', 'topic:orders', '--key', '*retention*', incident]],
  [
    'timeline.txt',
    [
      'timeline',
      '-f',
      'table',
      '--resource',
      'topic:orders,broker:1',
      '--key',
      'retention.ms,max.message.bytes,/x/,log.cleaner.*',
      incident,
    ],
  ],
  ['diff.ndjson', ['diff', '-f', 'ndjson', '--left', '@+20s', '--right', '@+150s', '--key', 'retention.ms,segment.bytes', incident]],
  ['diff.txt', ['diff', '-f', 'table', '--left', 'server:127.0.0.1:18092', '--right', 'server:127.0.0.1:18094', incident]],
];

for (const [file, words] of goldens) {
  test(`prints ${file}`, async (t) => {
    const { code, stdout, stderr } = await runCli([...words, '--quiet']);
    t.is(code, 0, stderr);
    const path = join(FOLDER, file);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(path, stdout);
    }
    t.is(stdout, readFileSync(path, 'utf8'));
  });
}

test('without a terminal the answers are lines of JSON, the type first', async (t) => {
  const { stdout } = await runCli(['timeline', '-q', incident], { environment: WIDE });
  for (const line of stdout.trimEnd().split('\n')) t.regex(line, /^\{"type":"(value|change)",/);
});

const zoned: readonly (readonly [title: string, words: readonly string[], shown: RegExp])[] = [
  [
    'summary in local time',
    ['summary', '--local'],
    /, 2026-11-29T23:43:47\.685616\+05:30 to [\s\S]+ \(2026-11-29 UTC\+05:30\)[\s\S]+\b23:44:02\.684 /,
  ],
  ['summary in relative time', ['summary', '--relative'], /Z to [\s\S]+ \(seconds from 2026-11-29T18:13:47\.685Z on\)[\s\S]+ \+14\.999s /],
  ['timeline in local time', ['timeline', '--local', '--since', '2026-11-29T23:44:00'], /UTC\+05:30\)[\s\S]+\n23:44:/],
  ['timeline in relative time', ['timeline', '--relative'], /\n\+0\.105s +\+30\.117s /],
  [
    'diff at local times',
    ['diff', '--local', '--left', '@2026-11-29T23:44:07', '--right', '@2026-11-29T23:46:17'],
    / 23:43:57\.784 .+ 23:46:07\.759\n/,
  ],
  ['diff in relative time', ['diff', '--relative', '--left', '@+20s', '--right', '@+150s'], / \+10\.098s .+ \+140\.073s\n/],
];

for (const [title, words, shown] of zoned) {
  test(`a table of ${title}`, async (t) => {
    const { stdout, stderr } = await runCli([...words, '-q', '-f', 'table', incident], { environment: { TZ: 'Asia/Kolkata' } });
    t.regex(stdout, shown, stderr);
  });
}

test('what is on the wire cannot act on a terminal', async (t) => {
  const evil = '\u001b[2Jx\u202e';
  const capture = scratchFile(
    t,
    'evil.pcap',
    captureOf({
      says: [
        describe(0, `topic:${evil}`, [{ key: evil, value: evil, source: 1 }], { clientId: evil }),
        alter(1, `topic:${evil}`, [[evil, 0, evil]], { clientId: evil }),
        describe(2, `topic:${evil}`, [{ key: evil, value: 'other', source: 1 }], { clientId: evil }),
      ],
    }),
  );
  for (const format of ['table', 'ndjson']) {
    for (const command of [['summary'], ['timeline'], ['diff', '--left', '@+1s', '--right', '@+9s']]) {
      const { code, stdout } = await runCli([...command, '-q', '-f', format, capture]);
      t.is(code, 0);
      t.true(stdout.includes('[2Jx'), `${command[0]} ${format}`);
      t.notRegex(stdout, /\u001b|\u202e/);
    }
  }
});

test('no secret is printed unless asked for, whatever the command and the format', async (t) => {
  const says = [
    describe(0, 'broker:1', [{ key: 'my.key', value: 'hidden1', source: 2, isSensitive: true }]),
    alter(1, 'broker:1', [['ssl.key.password', 0, 'hidden2']]),
    describe(2, 'broker:1', [{ key: 'my.key', value: 'hidden3', source: 2, isSensitive: true }]),
  ];
  const capture = scratchFile(t, 'secrets.pcap', captureOf({ says }));
  for (const format of ['table', 'ndjson']) {
    for (const command of [['summary'], ['timeline'], ['diff', '--left', '@+1s', '--right', '@+9s']]) {
      t.notRegex((await runCli([...command, '-f', format, capture])).stdout, /hidden/);
      t.regex((await runCli([...command, '-f', format, '--show-secrets', capture])).stdout, /hidden/);
    }
  }
});

test('a table wraps where the terminal is narrow, and cuts nothing', async (t) => {
  const { Chalk } = await import('chalk');
  const { createTheme } = await import('../../src/output/theme.ts');
  const { TablePrinter } = await import('../../src/output/table.ts');
  const theme = createTheme(new Chalk({ level: 0 }));
  const printer = await TablePrinter.create(40, theme);
  const long = 'x'.repeat(60);
  const row = ['a', long, '12'].map((text) => ({ text, style: theme.name }));
  const lines = printer
    .print({ title: 'T', columns: [{ heading: 'one' }, { heading: 'two' }, { heading: 'three', isNumber: true }], rows: [row] })
    .trimEnd()
    .split('\n');
  t.true(lines.every((line) => line.length <= 40));
  t.is(lines.join('').split('x').length - 1, 60);
  t.is(printer.print({ title: 'T', columns: [{ heading: 'one' }], rows: [] }), '');
});

const mistakes: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['summary'], /no capture given/],
  [['diff', incident], /takes two captures/],
  [['diff', '--left', 'broker:1', incident], /given together/],
  [['diff', '--left', 'broker:1', '--right', '@+1s', incident], /must be of one kind/],
  [['diff', '--left', 'a.pcap', '--right', 'b.pcap', incident], /leave out/],
  [['diff', '--left', '@noon', '--right', '@+1s', incident], /--left @ takes a time/],
  [['diff', '--left', 'broker:1', '--right', 'broker:7', incident], /nothing can be compared with broker:7/],
  [['timeline', '--resource', 'topic:', incident], /lacks a name/],
  [['summary', '--local', '-f', 'ndjson', incident], /times in NDJSON are UTC/],
  [['diff', '--relative', incident, incident], /times in NDJSON are UTC/],
];

for (const [words, message] of mistakes) {
  test(`${words.filter((word) => word !== incident).join(' ')} is a usage error`, async (t) => {
    const { code, stdout, stderr } = await runCli([...words, '-q']);
    t.is(code, 2);
    t.is(stdout, '');
    t.regex(stderr, message);
  });
}

for (const command of ['summary', 'timeline', 'diff']) {
  test(`${command} --help has examples`, async (t) => {
    const { code, stdout } = await runCli([command, '--help']);
    t.is(code, 0);
    t.true(stdout.includes(`kafka-dissect ${command} `));
    t.regex(stdout, /Examples:/);
  });
}

test('two captures are left and right; a missing one is said and costs the exit code', async (t) => {
  const left = scratchFile(t, 'left.pcap', captureOf({ says: [describe(0, 'topic:a', [{ key: 'x', value: '1' }])] }));
  const right = scratchFile(t, 'right.pcap', captureOf({ says: [describe(0, 'topic:a', [{ key: 'x', value: '2' }])] }));
  const { code, stdout, stderr } = await runCli(['diff', left, right]);
  t.is(code, 0);
  t.like(JSON.parse(stdout), { type: 'difference', key: 'x', left: { value: '1' }, right: { value: '2' } });
  t.regex(stderr, /1 of 1 config differs/);
  t.is((await runCli(['diff', left, 'no-such.pcap'])).code, 1);
});
