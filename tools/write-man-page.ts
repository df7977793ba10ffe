import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../test/helpers/run-cli.ts';
import { commandFacts } from './command-facts.ts';
import { manPage } from './man-page.ts';

/** Where the manual page is. */
export const MAN_PAGE = join('bin', 'kafka-dissect.1');

/** The manual page of the command line as this build has it. */
export async function currentManPage(): Promise<string> {
  const help = await runCli(['--help']);
  const version = await runCli(['--version']);
  return manPage(await commandFacts(), help.stdout, version.stdout.trim());
}

/** Writes it. */
export async function writeManPage(): Promise<void> {
  writeFileSync(MAN_PAGE, await currentManPage());
}
