import { StdoutWriter } from '../../output/stdout-writer.ts';
import { defineCommand } from '../command.ts';
import { apiOptions, captureOptions, printOptions } from '../options.ts';
import { redactOptions, redactorOf } from '../redact-option.ts';
import { runDissection } from '../run.ts';
import { runSettings } from '../run-settings.ts';
import { UsageError } from '../usage-error.ts';

const HELP = `Shows one exchange in full: tree, byte layout, when its bytes passed and how long what took, the packets that carry it,
and the display filter by which Wireshark finds it. Its number is the one that it is printed with; STREAM:CORRELATION is the
number of a TCP connection and a correlation id.

Examples:
  kafka-dissect show 17 capture.pcap
  kafka-dissect show 3:42 -f tree capture.pcap | less
  kafka-dissect show 17 --api all capture.pcap              as --api all numbers them`;

/** Shows everything that is known of one exchange. */
export const showCommand = defineCommand({
  command: 'show <exchange>',
  describe: 'Show one exchange in full, its packets, and the Wireshark filter that finds it',
  builder: (yargs) =>
    yargs
      .usage(HELP)
      .positional('exchange', { type: 'string', demandOption: true, describe: 'Its number, or STREAM:CORRELATION' })
      .options(captureOptions)
      .options(apiOptions)
      .options(printOptions)
      .options(redactOptions),
  async run(parsed) {
    const { parseWanted, ShowOutput } = await import('../show-output.ts');
    const wanted = parseWanted(parsed.exchange);
    if (parsed.format === 'line') throw new UsageError('show prints one exchange in full: use --format tree or ndjson');
    const settings = await runSettings(parsed, parsed._.slice(1));
    const redactor = await redactorOf(parsed);
    const output = await ShowOutput.create(wanted, parsed, settings, redactor, new StdoutWriter());
    const code = await runDissection(
      { ...settings, quiet: true, redactor, ...(parsed.api === undefined ? {} : { apis: parsed.api }) },
      output,
    );
    if (output.isEmpty && code === 0) throw new UsageError(output.absence);
    await output.finish();
    return code;
  },
});
