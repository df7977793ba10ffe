import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { currentManPage, MAN_PAGE } from '../../tools/write-man-page.ts';
import { runCli } from '../helpers/run-cli.ts';

test('the manual page is as the command line has it; npm run golden writes it', async (t) => {
  t.is(readFileSync(MAN_PAGE, 'utf8'), await currentManPage());
});

test('the manual page has every option and command of the help', async (t) => {
  const page = readFileSync(MAN_PAGE, 'utf8').replaceAll('\\-', '-');
  const { stdout } = await runCli(['--help']);
  const commands = [...stdout.matchAll(/^ {2}kafka-dissect ([a-z]+) [^.]*? {2}/gm)].map(([, name = '']) => name);
  t.true(commands.length > 1, stdout);
  for (const command of ['', ...commands]) {
    const help = await runCli([...(command === '' ? [] : [command]), '--help']);
    const options = [...help.stdout.matchAll(/^ {2,}(?:-\w, )?(--[a-z][a-z-]*)/gm)].map(([, option = '']) => option);
    t.true(options.includes('--help'), help.stdout);
    for (const option of options) t.true(page.includes(`\\fB${option}\\fR`), `${command} ${option}`);
    t.true(page.includes(`\\fB${command === '' ? 'kafka-dissect' : command}\\fR`), command);
  }
});

const hasMan = spawnSync('man', ['--version']).status === 0;
(hasMan ? test : test.skip)('man formats the manual page without a warning', (t) => {
  const { stdout, stderr, status } = spawnSync('man', ['--warnings', '-l', MAN_PAGE], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '80' },
  });
  t.is(stderr, '');
  t.is(status, 0);
  t.regex(stdout, /^KAFKA-DISSECT\(1\)[\s\S]+\n {7}-q, --quiet\n/);
});
