import type { DiagnosticSink } from '../diagnostics.ts';
import type { DecodedExchangeSink, TrafficObserver } from '../dissection.ts';
import type { Cells } from '../output/cells.ts';
import { safeJson } from '../output/safe-text.ts';
import { StdoutWriter } from '../output/stdout-writer.ts';
import type { TablePrinter } from '../output/table.ts';
import type { SummaryRecord } from '../records/records.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { RunOutput } from './run.ts';
import { type ColorArguments, createTerminalTheme, terminalWidth } from './terminal.ts';
import { type TimeArguments, timeStyle } from './time-style.ts';

/** The answer options as yargs parses them. */
export interface AnswerArguments extends ColorArguments, TimeArguments {
  readonly format: 'table' | 'ndjson' | undefined;
  readonly showSecrets: boolean | undefined;
}

/** Shows the rows of an answer to an eye. */
export type ShowRows<Row> = (rows: readonly Row[], printer: TablePrinter, cells: Cells) => string;

/** What finds an answer. */
export interface Answering<Row> {
  readonly exchanges: DecodedExchangeSink;
  readonly observer: TrafficObserver;
  report(diagnostics: DiagnosticSink): void;
  rows(summary: SummaryRecord): Iterable<Row>;
}

interface Tables<Row> {
  readonly printer: TablePrinter;
  /** `start` is the time of the first packet. */
  cells(start: string | null): Cells;
  readonly show: ShowRows<Row>;
}

/** Prints rows as the options ask for: lines of JSON, or tables. */
export class RowPrinter<Row extends object> {
  readonly writer = new StdoutWriter();
  readonly #tables: Tables<Row> | null;
  readonly #redactor: Redactor | null;

  static async create<Row extends object>(
    parsed: AnswerArguments,
    show: ShowRows<Row>,
    redactor: Redactor | null,
  ): Promise<RowPrinter<Row>> {
    const format = parsed.format ?? (process.stdout.isTTY ? 'table' : 'ndjson');
    const style = timeStyle(parsed, format);
    if (format === 'ndjson') return new RowPrinter<Row>(null, redactor);
    const [{ TablePrinter }, { Cells }, { RowTimes }] = await Promise.all([
      import('../output/table.ts'),
      import('../output/cells.ts'),
      import('../output/row-times.ts'),
    ]);
    const theme = await createTerminalTheme(parsed);
    const cells = (start: string | null) => new Cells(theme, new RowTimes(style, start));
    return new RowPrinter<Row>({ printer: await TablePrinter.create(terminalWidth(), theme), cells, show }, redactor);
  }

  private constructor(tables: Tables<Row> | null, redactor: Redactor | null) {
    this.#tables = tables;
    this.#redactor = redactor;
  }

  /** `start` is the time of the first packet that was read. */
  print(found: Iterable<Row>, start: string | null): void {
    const { buffer } = this.writer;
    const redactor = this.#redactor;
    if (this.#tables !== null) {
      const { printer, cells, show } = this.#tables;
      const rows = Array.from(found, (row) => redactor?.row(row) ?? row);
      buffer.utf8(show(rows, printer, cells(start)));
      return;
    }
    for (const row of found) {
      buffer.utf8(`${safeJson(redactor?.row(row) ?? row)}\n`);
      this.writer.recordEnded();
    }
  }
}

/** A run's output that prints an answer when nothing more comes. */
export function answerOutput<Row extends object>(answering: Answering<Row>, printer: RowPrinter<Row>): RunOutput {
  return {
    writer: printer.writer,
    diagnostics: null,
    observer: answering.observer,
    exchange: (exchange) => answering.exchanges.exchange(exchange),
    report: (diagnostics) => answering.report(diagnostics),
    end: (summary) => printer.print(answering.rows(summary), summary.firstTime),
  };
}
