import { StdoutWriter } from '../../output/stdout-writer.ts';
import { defineCommand } from '../command.ts';
import type { ExitCode } from '../exit-code.ts';
import { type FilterArguments, filterOf, filterOptions } from '../filter-options.ts';
import { apiOptions, captureOptions, printOptions } from '../options.ts';
import { createOutput, type PrintArguments } from '../printer.ts';
import { type RedactArguments, redactOptions, redactorOf } from '../redact-option.ts';
import { runDissection } from '../run.ts';
import { type CaptureArguments, runSettings } from '../run-settings.ts';

/** The command's options as yargs parses them, and the words beside them. */
export interface DissectArguments extends CaptureArguments, FilterArguments, PrintArguments, RedactArguments {
  readonly _: readonly (string | number)[];
  readonly api?: ReadonlySet<number> | 'all' | undefined;
}

/** What runs without a command's name: prints the exchanges of captures. */
export const dissectCommand = defineCommand({
  command: '$0',
  describe: 'Print the exchanges of captures',
  builder: (yargs) =>
    yargs
      .options(captureOptions)
      .options(apiOptions)
      .options(filterOptions)
      .options(printOptions)
      .options(redactOptions)
      .option('events', { type: 'boolean', describe: 'NDJSON: add lines for the diagnostics and, last, for the summary' }),
  run: (parsed) => dissect(parsed),
});

/** Prints the exchanges of captures. */
export async function dissect(parsed: DissectArguments): Promise<ExitCode> {
  const filter = await filterOf(parsed, parsed.local);
  const settings = await runSettings(parsed, parsed._);
  const redactor = await redactorOf(parsed);
  return runDissection(
    { ...settings, ...(parsed.api === undefined ? {} : { apis: parsed.api }), filter, redactor },
    await createOutput(parsed, settings.captures, new StdoutWriter(), redactor),
  );
}
