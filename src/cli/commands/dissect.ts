import { StdoutWriter } from '../../output/stdout-writer.ts';
import { defineCommand } from '../command.ts';
import { captureOptions, printOptions } from '../options.ts';
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
      .options(printOptions)
      .option('events', { type: 'boolean', describe: 'NDJSON: add lines for the diagnostics and, last, for the summary' }),
  async run(parsed) {
    const settings = await runSettings(parsed, parsed._);
    return runDissection(settings, await createOutput(parsed, settings.captures, new StdoutWriter()));
  },
});
