import { StdoutWriter } from '../../output/stdout-writer.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exit-code.ts';
import { UsageError } from '../usage-error.ts';

const HELP = `Prints the JSON Schema (draft 2020-12) of every record that goes to stdout as a line of NDJSON, of whichever command: exchanges,
diagnostics, the closing summary, and the rows of summary, timeline, diff and show.

Example:
  kafka-dissect schema > kafka-dissect.schema.json`;

/** Prints the JSON Schema of all records. */
export const schemaCommand = defineCommand({
  command: 'schema',
  describe: 'Print the JSON Schema of all NDJSON records',
  builder: (yargs) => yargs.usage(HELP),
  async run(parsed) {
    const [, ...others] = parsed._;
    if (others.length > 0) throw new UsageError(`schema takes nothing else, and ${others.join(' ')} means nothing to it`);
    const { recordSchema } = await import('../../output/schema/record-schema.ts');
    const writer = new StdoutWriter();
    writer.buffer.utf8(`${JSON.stringify(recordSchema(), null, 2)}\n`);
    writer.flush();
    return ExitCode.ok;
  },
});
