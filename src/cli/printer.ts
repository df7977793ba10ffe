import type { DiagnosticSink } from '../diagnostics.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { ByteBuffer } from '../output/byte-buffer.ts';
import { NdjsonPrinter } from '../output/ndjson.ts';
import type { StdoutWriter } from '../output/stdout-writer.ts';
import type { SummaryRecord } from '../records/records.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { RunOutput } from './run.ts';
import { type ColorArguments, createTerminalTheme, terminalWidth } from './terminal.ts';
import { type TimeArguments, timeStyle } from './time-style.ts';
import { UsageError } from './usage-error.ts';

/** The print options as yargs parses them. */
export interface PrintArguments extends ColorArguments, TimeArguments {
  readonly format?: Format | undefined;
  readonly full?: boolean | undefined;
  readonly noAbout?: boolean | undefined;
  readonly hex?: boolean | undefined;
  readonly depth?: number | undefined;
  readonly showSecrets?: boolean | undefined;
  readonly events?: boolean | undefined;
}

type Format = 'tree' | 'ndjson' | 'line';

/** The part of an output that differs between formats. */
type PrintExchange = (exchange: DecodedExchange) => void;

/** The output that the options ask for, into the writer's buffer. `captures` are the names of the captures, by index. */
export async function createOutput(
  parsed: PrintArguments,
  captures: readonly string[],
  writer: StdoutWriter,
  redactor: Redactor | null = null,
): Promise<RunOutput> {
  const output = await plainOutput(parsed, captures, writer);
  return redactor === null ? output : { ...output, exchange: (exchange) => output.exchange(redactor.exchange(exchange)) };
}

async function plainOutput(parsed: PrintArguments, captures: readonly string[], writer: StdoutWriter): Promise<RunOutput> {
  const format = chosenFormat(parsed);
  if (format === 'ndjson') return ndjsonOutput(parsed, captures, writer);
  const print = await (format === 'tree' ? treePrinter(parsed, writer.buffer) : linePrinter(parsed, writer.buffer));
  return {
    writer,
    diagnostics: null,
    exchange(exchange) {
      print(exchange);
      writer.recordEnded();
    },
    end() {},
  };
}

/** The format asked for, or what suits stdout. Throws {@link UsageError} where other options don't go with it. */
export function chosenFormat(parsed: PrintArguments): Format {
  if (parsed.events && parsed.format !== undefined && parsed.format !== 'ndjson') {
    throw new UsageError(`--events adds lines of NDJSON, which a ${parsed.format} has no place for: use --format ndjson`);
  }
  const format = parsed.format ?? (parsed.events || !process.stdout.isTTY ? 'ndjson' : 'tree');
  for (const [option, given] of [
    ['--hex', parsed.hex],
    ['--depth', parsed.depth !== undefined],
  ] as const) {
    if (given && format !== 'tree') throw new UsageError(`${option} is for trees, but the format is ${format} here: add --format tree`);
  }
  timeStyle(parsed, format);
  return format;
}

function ndjsonOutput(parsed: PrintArguments, captures: readonly string[], writer: StdoutWriter): RunOutput {
  const printer = new NdjsonPrinter(writer.buffer, { captures, showSecrets: parsed.showSecrets ?? false });
  const diagnostics: DiagnosticSink = {
    report(diagnostic) {
      printer.report(diagnostic);
      writer.recordEnded();
    },
  };
  return {
    writer,
    diagnostics: parsed.events ? diagnostics : null,
    exchange(exchange) {
      printer.exchange(exchange);
      writer.recordEnded();
    },
    end(summary: SummaryRecord) {
      if (parsed.events) printer.summary(summary);
    },
  };
}

async function treePrinter(parsed: PrintArguments, out: ByteBuffer): Promise<PrintExchange> {
  const { TreePrinter } = await import('../output/tree.ts');
  const printer = new TreePrinter(out, {
    width: terminalWidth(),
    full: parsed.full ?? false,
    about: !parsed.noAbout,
    depth: parsed.depth ?? null,
    hex: parsed.hex ?? false,
    showSecrets: parsed.showSecrets ?? false,
    theme: await createTerminalTheme(parsed),
    times: timeStyle(parsed, 'tree'),
  });
  return (exchange) => printer.print(exchange);
}

async function linePrinter(parsed: PrintArguments, out: ByteBuffer): Promise<PrintExchange> {
  const { LinePrinter } = await import('../output/line.ts');
  const printer = new LinePrinter(out, {
    width: parsed.full ? null : terminalWidth(),
    theme: await createTerminalTheme(parsed),
    times: timeStyle(parsed, 'line'),
  });
  return (exchange) => printer.print(exchange);
}
