import { StdoutWriter } from '../../output/stdout-writer.ts';
import { defineCommand } from '../command.ts';
import { filterOf, filterOptions } from '../filter-options.ts';
import { apiOptions, captureOptions, printOptions } from '../options.ts';
import { createOutput } from '../printer.ts';
import { runDissection } from '../run.ts';
import { runSettings } from '../run-settings.ts';

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
      .option('events', { type: 'boolean', describe: 'NDJSON: add lines for the diagnostics and, last, for the summary' }),
  async run(parsed) {
    const filter = await filterOf(parsed, parsed.local);
    const settings = await runSettings(parsed, parsed._);
    return runDissection(
      { ...settings, ...(parsed.api === undefined ? {} : { apis: parsed.api }), filter },
      await createOutput(parsed, settings.captures, new StdoutWriter()),
    );
  },
});
