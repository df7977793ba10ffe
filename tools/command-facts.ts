import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Argv, Options } from 'yargs';
import type { Command } from '../src/cli/command.ts';

/** An option of the command line, as its command declares it to yargs. */
export interface OptionFacts extends Options {
  readonly name: string;
  /** It takes a value. */
  readonly valued: boolean;
}

/** A command of the command line. */
export interface CommandFacts {
  /** Empty for what runs without a command's name. */
  readonly name: string;
  /** What must stand behind the name: `NAME` of `explain NAME`. */
  readonly operand: string | null;
  readonly describe: string;
  readonly options: readonly OptionFacts[];
}

const COMMANDS = join('src', 'cli', 'commands');
/** Options that yargs adds to every command. */
const everywhere: readonly OptionFacts[] = [
  { name: 'help', alias: 'h', describe: 'Show help', valued: false },
  { name: 'version', describe: 'Show version number', valued: false },
];

/** All commands, as the files under src/cli/commands declare them (compiled beforehand); the one without a name first, the others by name. */
export async function commandFacts(): Promise<CommandFacts[]> {
  const compiled = readdirSync(COMMANDS).map((file) => join('dist', COMMANDS, file.replace(/ts$/, 'js')));
  const modules = await Promise.all(compiled.map((path) => import(pathToFileURL(path).href) as Promise<object>));
  const commands = modules.flatMap((module) => Object.values(module).filter(isCommand)).map(factsOf);
  return commands.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isCommand(value: unknown): value is Command<unknown> {
  return typeof value === 'object' && value !== null && 'command' in value && 'builder' in value;
}

function factsOf({ command, describe, builder }: Command<unknown>): CommandFacts {
  const [word = '', operand = null] = command.split(' ');
  return {
    name: word === '$0' ? '' : word,
    operand: operand?.replaceAll(/[<>]/g, '').toUpperCase() ?? null,
    describe,
    options: [...recordedOptions(builder), ...everywhere],
  };
}

/** The options that a builder declares, told by a yargs that only listens. */
function recordedOptions(builder: (yargs: Argv) => unknown): OptionFacts[] {
  const options: OptionFacts[] = [];
  const take = (name: string, option: Options) => {
    options.push({ ...option, name, valued: option.type === 'string' || option.choices !== undefined });
  };
  const listener: Argv = new Proxy({} as Argv, {
    get: (_, method) => (first: unknown, second: unknown) => {
      if (method === 'options' || (method === 'option' && typeof first === 'object')) {
        for (const [name, option] of Object.entries(first as Record<string, Options>)) take(name, option);
      } else if (method === 'option') take(first as string, second as Options);
      return listener;
    },
  });
  builder(listener);
  return options;
}
