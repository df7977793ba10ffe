import test from 'ava';
import { type ColorChoice, colorLevel } from '../../src/cli/color.ts';

interface Case {
  readonly choice: ColorChoice;
  readonly terminal: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly level: number;
}

const xterm = { TERM: 'xterm-256color' };
const cases: readonly Case[] = [
  { choice: 'auto', terminal: true, environment: xterm, level: 2 },
  { choice: 'auto', terminal: true, environment: { TERM: 'xterm', COLORTERM: 'truecolor' }, level: 3 },
  { choice: 'auto', terminal: true, environment: { TERM: 'dumb' }, level: 0 },
  { choice: 'auto', terminal: true, environment: { ...xterm, NO_COLOR: '1' }, level: 0 },
  { choice: 'auto', terminal: true, environment: { ...xterm, NO_COLOR: '' }, level: 2 },
  { choice: 'auto', terminal: false, environment: xterm, level: 0 },
  { choice: 'auto', terminal: false, environment: { FORCE_COLOR: '1' }, level: 1 },
  { choice: 'auto', terminal: false, environment: { FORCE_COLOR: '3' }, level: 3 },
  { choice: 'auto', terminal: true, environment: { ...xterm, FORCE_COLOR: '0' }, level: 0 },
  { choice: 'auto', terminal: false, environment: { FORCE_COLOR: '2', NO_COLOR: '1' }, level: 2 },
  { choice: 'always', terminal: false, environment: xterm, level: 2 },
  { choice: 'always', terminal: false, environment: { NO_COLOR: '1', TERM: 'dumb' }, level: 1 },
  { choice: 'never', terminal: true, environment: { ...xterm, FORCE_COLOR: '3' }, level: 0 },
];

for (const { choice, terminal, environment, level } of cases) {
  test(`${choice}, ${terminal ? 'a' : 'no'} terminal, ${JSON.stringify(environment)}: level ${level}`, (t) => {
    t.is(colorLevel(choice, terminal, environment), level as 0);
  });
}
