import yargs from 'yargs';
import { StdoutWriter } from '../output/stdout-writer.ts';
import type { Command } from './command.ts';
import { completionCommand } from './commands/completion.ts';
import { diffCommand } from './commands/diff.ts';
import { dissectCommand } from './commands/dissect.ts';
import { explainCommand } from './commands/explain.ts';
import { schemaCommand } from './commands/schema.ts';
import { showCommand } from './commands/show.ts';
import { summaryCommand } from './commands/summary.ts';
import { timelineCommand } from './commands/timeline.ts';
import { COMPLETION_WORD, completions } from './completion.ts';
import { ExitCode } from './exit-code.ts';
import { prepareFilterWords } from './filter-options.ts';
import { terminalWidth } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { packageVersion } from './version.ts';

const USAGE = `Examples:
  kafka-dissect capture.pcap                                    trees of all DescribeConfigs exchanges
  kafka-dissect capture.pcap | jq .request                      NDJSON, one exchange a line
  kafka-dissect -f line capture.pcap                            one line an exchange, to look it over
  kafka-dissect --resource topic:orders --key '*.ms' a.pcap     some configs of one topic
  kafka-dissect --error --client-id billing-report a.pcap       what a client was refused
  kafka-dissect --api AlterConfigs,44 capture.pcap              who altered configs
  kafka-dissect -f tree --color always capture.pcap | less -R   trees in a pager
  kafka-dissect a.pcap b.pcap                                   rotated or parallel captures, as one
  kafka-dissect -i eth0 --filter 'port 9092'                    live, from an interface
  tcpdump -i any -U --immediate-mode -B 32768 -w - port 9092 | kafka-dissect -   live, from standard input
  kafka-dissect summary capture.pcap                            what is in it, and who did what
  kafka-dissect timeline --key retention.ms capture.pcap        who changed retention.ms, and when
  kafka-dissect diff --left broker:1 --right broker:2 a.pcap    what differs between two brokers
  kafka-dissect show 17 capture.pcap                            all about one exchange, for Wireshark too
  kafka-dissect explain DescribeConfigs --api-version 4         what the bytes mean

Usage: kafka-dissect [options] CAPTURE..
       kafka-dissect COMMAND [options]

CAPTURE is a pcap or pcapng file, plain or compressed by gzip or zstd, or - for standard input.
A file that is named like a command is given as ./NAME.`;

/** Stands for the text above in yargs' help, since yargs takes the indentation away. */
const USAGE_MARK = '<usage>';

const EPILOGUE = `Exit codes: 0 read to the end, 1 a capture could not be read whole, 2 usage, 3 something was lost (--strict),
70 a bug, 74 the output can't be written, 130 and 143 after SIGINT and SIGTERM.`;

const MAX_HELP_COLUMNS = 110;

/** In the order of the help. */
const COMMANDS: readonly Command<unknown>[] = [
  dissectCommand,
  summaryCommand,
  timelineCommand,
  diffCommand,
  showCommand,
  explainCommand,
  schemaCommand,
  completionCommand,
];

/** How yargs takes words. */
export const PARSER_CONFIGURATION = {
  'parse-positional-numbers': false,
  'boolean-negation': false,
  'dot-notation': false,
  'duplicate-arguments-array': false,
  'strip-dashed': true,
} as const;

/** Runs what the command line asks for, and gives the exit code. Throws {@link UsageError} where that can't be understood. */
export async function runProgram(words: readonly string[]): Promise<ExitCode> {
  if (words[0] === COMPLETION_WORD) return complete(words.slice(1));
  let exitCode: ExitCode = ExitCode.ok;
  const parser = yargs()
    .scriptName('kafka-dissect')
    .locale('en')
    .usage(USAGE_MARK)
    .epilogue(EPILOGUE)
    .wrap(Math.min(MAX_HELP_COLUMNS, terminalWidth() ?? MAX_HELP_COLUMNS))
    .version(packageVersion())
    .alias('help', 'h')
    .parserConfiguration(PARSER_CONFIGURATION)
    .strictOptions()
    .exitProcess(false)
    .fail((message, error) => {
      throw failure(message, error);
    });
  for (const command of COMMANDS) {
    parser.command(
      command.command,
      command.describe,
      (builder) => command.builder(builder),
      async (parsed) => {
        exitCode = await command.run(parsed);
      },
    );
  }
  await parser.parseAsync(prepareFilterWords(words), {}, (_error, _parsed, said) => {
    if (said !== '') print(`${said.replace(USAGE_MARK, USAGE)}\n`);
  });
  return exitCode;
}

/** Says, one a line, what may stand in place of the last word. */
async function complete(words: readonly string[]): Promise<ExitCode> {
  const found = await completions(COMMANDS, words);
  print(found.map((value) => `${value}\n`).join(''));
  return ExitCode.ok;
}

/** What yargs finds wrong is a usage error, in one line; what a command threw stays what it is. */
function failure(message: string | null, error: Error | undefined): Error {
  if (error !== undefined && error.name !== 'YError') return error;
  return new UsageError((message ?? error?.message ?? '').replaceAll(/\s*\n\s*/g, ' '));
}

/** yargs' own printing would have a full disk or a reader that went away end in a stack. */
function print(text: string): void {
  const writer = new StdoutWriter();
  writer.buffer.utf8(text);
  writer.flush();
}
