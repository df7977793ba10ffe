import yargs, { type Argv } from 'yargs';
import { apiNames } from '../schema/api-keys.ts';
import { resourceTypes } from '../schema/enums.ts';
import { errorNames } from '../schema/error-codes.ts';
import { shells } from './completion-scripts.ts';

/** The word by which shells ask what may stand in place of the last word. */
export const COMPLETION_WORD = '--get-yargs-completions';

const DEFAULT_COMMAND = '$0';
const UNKNOWN = 0;
/** Options of one letter, which yargs gives two dashes. */
const SHORT = /^--.(?:[:\t]|$)/;

/** A command, as far as completing its words needs it. */
interface Completable {
  readonly command: string;
  readonly describe: string;
  builder(yargs: Argv): Argv<unknown>;
}

/**
 * What may stand in place of the last of the words, of which the first is the program: commands, options, and values where they are known.
 * What the shell asked with doesn't count: it leaves out what doesn't fit. SHELL says which one asks, and with it the form of the answer.
 */
export async function completions(commands: readonly Completable[], words: readonly string[]): Promise<string[]> {
  const values = knownValues(words);
  if (values !== null) return values;
  const current = words.at(-1) ?? '';
  const named = commands.find(({ command }) => nameOf(command) === words[1] && words.length > 2);
  const command = named ?? commands.find((candidate) => candidate.command === DEFAULT_COMMAND);
  const rest = words.slice(named === undefined ? 1 : 2);
  const options = command === undefined ? [] : await optionsOf(command, rest);
  return words.length > 2 || current.startsWith('-') ? options : commandNames(commands);
}

/** Values that yargs knows no choices of: names of APIs, errors, statuses and types of resources. Null for all else. */
function knownValues(words: readonly string[]): string[] | null {
  const current = words.at(-1) ?? '';
  switch (words.at(-2)) {
    case 'explain':
      return [...apiNames.values()];
    case 'completion':
      return [...shells];
    case '--api':
      return listed(current, [...apiNames.values(), 'all']);
    case '--error':
      return listed(current, [...errorNames.values()]);
    case '--status':
      return listed(current, ['complete', 'partial', 'unanswered']);
    case '--resource':
      return [...resourceTypes].filter(([code]) => code !== UNKNOWN).map(([, name]) => `${name.toLowerCase().replaceAll('_', '-')}:`);
    default:
      return null;
  }
}

/** The values, each behind those that stand before the last comma. */
function listed(current: string, values: readonly string[]): string[] {
  const before = current.slice(0, current.lastIndexOf(',') + 1);
  return values.map((value) => before + value);
}

/** Options and their choices, as yargs finds them. */
async function optionsOf(command: Completable, words: readonly string[]): Promise<string[]> {
  const parser = command
    .builder(yargs())
    .exitProcess(false)
    .fail(() => {});
  return new Promise((resolve) => {
    parser.getCompletion([...words], (error, found) => resolve(error ? [] : (found ?? []).filter((value) => !SHORT.test(value))));
  });
}

/** Commands with what they do, in the form that the shell wants. */
function commandNames(commands: readonly Completable[]): string[] {
  const shell = process.env['SHELL'] ?? '';
  const separator = shell.includes('zsh') ? ':' : shell.includes('fish') ? '\t' : null;
  return commands
    .filter(({ command }) => command !== DEFAULT_COMMAND)
    .map(({ command, describe }) => nameOf(command) + (separator === null ? '' : separator + describe));
}

/** `show <exchange>` → `show` */
function nameOf(command: string): string {
  return command.split(' ', 1)[0] as string;
}
