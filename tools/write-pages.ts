import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCli } from '../test/helpers/run-cli.ts';
import { commandFacts } from './command-facts.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completions.ts';
import { manPage } from './man-page.ts';

/** The manual page and the shells' completions, by path, as the command line of this build asks for them. */
export async function pages(): Promise<Map<string, string>> {
  const commands = await commandFacts();
  const help = await runCli(['--help']);
  const version = await runCli(['--version']);
  return new Map([
    [join('bin', 'kafka-dissect.1'), manPage(commands, help.stdout, version.stdout.trim())],
    [join('completions', 'kafka-dissect.bash'), bashCompletion(commands)],
    [join('completions', '_kafka-dissect'), zshCompletion(commands)],
    [join('completions', 'kafka-dissect.fish'), fishCompletion(commands)],
  ]);
}

/** Writes them. */
export async function writePages(): Promise<void> {
  for (const [path, text] of await pages()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
