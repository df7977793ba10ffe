import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { completionScripts, shells } from '../../src/cli/completion-scripts.ts';
import { cliPath, runCli } from '../helpers/run-cli.ts';
import { scratchFile, scratchFolder } from '../helpers/scratch.ts';

async function complete(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(['--get-yargs-completions', 'kafka-dissect', ...words], { environment: { SHELL: 'bash' } });
  if (code !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

const answers: readonly (readonly [words: readonly string[], some: readonly string[], none: readonly string[]])[] = [
  [[''], ['summary', 'timeline', 'diff', 'show', 'explain', 'schema', 'completion'], ['$0', '--format']],
  [['--fu'], ['--format', '--full', '--client-id', '--key', '--api'], ['summary', '--i', '--q', '--left']],
  [
    ['summary', '--'],
    ['--format', '--client-id'],
    ['--hex', '--depth'],
  ],
  [['show', '1', '--'], ['--format', '--api'], ['--left']],
  [['--format', ''], ['tree', 'ndjson', 'line'], ['table']],
  [['summary', '-f', ''], ['table', 'ndjson'], ['tree']],
  [['--quiet', '--color', ''], ['always', 'auto', 'never'], []],
  [['--api', ''], ['DescribeConfigs', 'AlterConfigs', 'all'], ['32']],
  [['--api', '33,De'], ['33,DescribeConfigs'], ['DescribeConfigs']],
  [['explain', ''], ['DescribeConfigs', 'Envelope'], ['--format']],
  [['--error', ''], ['TOPIC_AUTHORIZATION_FAILED'], []],
  [['--status', ''], ['complete', 'partial', 'unanswered'], []],
  [['--resource', ''], ['topic:', 'broker:', 'broker-logger:', 'group:'], ['unknown:']],
  [['completion', ''], ['bash', 'zsh', 'fish'], []],
];

for (const [words, some, none] of answers) {
  test(`"${words.join(' ')}" is completed`, async (t) => {
    const found = await complete(...words);
    t.deepEqual(
      some.filter((word) => !found.includes(word)),
      [],
      'missing',
    );
    t.deepEqual(
      none.filter((word) => found.includes(word)),
      [],
      'too many',
    );
  });
}

test('words that are no command line are completed all the same', async (t) => {
  t.deepEqual(await complete('--nope', '--key', 'a', '--key', 'b', '--format'), await complete('--nope', '--key', 'a', '--format'));
});

test('each shell has its script', async (t) => {
  for (const shell of shells) t.is((await runCli(['completion', shell])).stdout, completionScripts[shell]);
  const { code, stderr } = await runCli(['completion', 'tcsh']);
  t.is(code, 2);
  t.regex(stderr, /"bash", "zsh", "fish"/);
});

/** Runs a shell's words behind its completion script, with kafka-dissect in its path. */
function inShell(t: ExecutionContext, shell: (typeof shells)[number], words: (script: string) => string[]): string {
  const folder = scratchFolder(t);
  const program = join(folder, 'kafka-dissect');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cliPath}' "$@"\n`);
  chmodSync(program, 0o755);
  const script = scratchFile(t, `completion.${shell}`, completionScripts[shell]);
  const environment = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, SHELL: '/bin/other', HOME: folder };
  const ran = spawnSync(shell, words(script), { encoding: 'utf8', env: environment });
  return ran.stdout + ran.stderr;
}

function shellTest(shell: (typeof shells)[number]) {
  return spawnSync(shell, ['-c', 'true']).status === 0 ? test : test.skip;
}

shellTest('bash')('bash completes by its script', (t) => {
  const code = (script: string) =>
    `source ${script}; COMP_WORDS=(kafka-dissect summary --form x); COMP_CWORD=2; _kafka_dissect; echo "$COMPREPLY"; ` +
    'COMP_WORDS=(kafka-dissect --api 33,Incr); COMP_CWORD=2; _kafka_dissect; echo "$COMPREPLY"; ' +
    'COMP_WORDS=(kafka-dissect capture.pc); COMP_CWORD=1; _kafka_dissect; echo "$COMPREPLY"';
  t.is(
    inShell(t, 'bash', (script) => ['-c', code(script)]),
    '--format\n33,IncrementalAlterConfigs\n\n',
  );
});

shellTest('fish')('fish completes by its script, files too', (t) => {
  const code = (script: string) =>
    `source ${script}; complete -C 'kafka-dissect summ'; complete -C 'kafka-dissect --no-ab'; complete -C 'kafka-dissect package.js'`;
  const said = inShell(t, 'fish', (script) => ['-c', code(script)]);
  t.regex(said, /^summary\tSay what is in captures/m);
  t.regex(said, /^--no-about\tTrees: leave out/m);
  t.regex(said, /^package\.json$/m);
});

shellTest('zsh')('zsh completes by its script', (t) => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: zsh's own
  const stubs = '_describe() { print -l -- ${(P)2}; }; _files() { print files; }; compdef() {}';
  const code = (script: string) =>
    `${stubs}; source ${script}; words=(kafka-dissect summ); CURRENT=2; _kafka_dissect; words=(kafka-dissect show 1 --no-ab); CURRENT=4; _kafka_dissect`;
  const said = inShell(t, 'zsh', (script) => ['-f', '-c', code(script)]);
  t.regex(said, /^summary:Say what is in captures/m);
  t.regex(said, /^--no-about:Trees: leave out/m);
  t.regex(said, /^files$/m);
});
