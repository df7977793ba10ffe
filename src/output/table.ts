import type { CellOptions, Table as CliTable, TableConstructorOptions } from 'cli-table3';
import { safeText } from './safe-text.ts';
import { columnsOf } from './text.ts';
import { paint, type Style, type Theme } from './theme.ts';

/** A column of a table. */
export interface Column {
  readonly heading: string;
  readonly isNumber?: boolean;
}

/** A cell: text, which may hold bytes from the wire, and how it looks. */
export interface Cell {
  readonly text: string;
  readonly style: Style;
}

/** A table with a title, which may hold bytes from the wire too. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

const GAP = 2;
/** Columns are made no narrower to fit a terminal. */
const NARROWEST = 8;
const NO_BORDER = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'],
  ].map((place) => [place, '']),
);

/** Prints tables. Long texts wrap where the terminal is too narrow for them; nothing is cut. */
export class TablePrinter {
  readonly #Table: new (
    options: TableConstructorOptions,
  ) => CliTable;
  readonly #width: number | null;
  readonly #theme: Theme;

  /** `width` is that of the terminal; null for none. */
  static async create(width: number | null, theme: Theme): Promise<TablePrinter> {
    const { default: Table } = await import('cli-table3');
    return new TablePrinter(Table as unknown as new (options: TableConstructorOptions) => CliTable, width, theme);
  }

  private constructor(Table: new (options: TableConstructorOptions) => CliTable, width: number | null, theme: Theme) {
    this.#Table = Table;
    this.#width = width;
    this.#theme = theme;
  }

  /** The table as text with a line break at its end; empty where it has no rows. */
  print({ title, columns, rows }: Table): string {
    if (rows.length === 0) return '';
    const texts = rows.map((row) => row.map(({ text, style }) => ({ text: safeText(text), style })));
    const widths = this.#widths(columns, texts);
    const table = new this.#Table({
      chars: { ...NO_BORDER, middle: ' '.repeat(GAP) },
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
      colWidths: widths,
      colAligns: columns.map(({ isNumber }) => (isNumber ? 'right' : 'left')),
      wordWrap: true,
      wrapOnWordBoundary: false,
    });
    table.push(columns.map(({ heading }) => this.#cell(heading, this.#theme.about)));
    for (const row of texts) table.push(row.map(({ text, style }) => this.#cell(text, style)));
    const lines = table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd());
    return `${paint(this.#theme.heading, safeText(title))}\n${lines.join('\n')}\n`;
  }

  #cell(text: string, style: Style): CellOptions {
    return { content: paint(style, text) };
  }

  /** What the texts need; where that is too much, the widest give way first. */
  #widths(columns: readonly Column[], rows: readonly (readonly Cell[])[]): number[] {
    const widths = columns.map(({ heading }, index) =>
      Math.max(1, columnsOf(heading), ...rows.map((row) => columnsOf(row[index]?.text ?? ''))),
    );
    if (this.#width === null) return widths;
    const room = this.#width - GAP * (columns.length - 1);
    let excess = widths.reduce((sum, width) => sum + width, 0) - room;
    while (excess > 0) {
      const widest = Math.max(...widths);
      if (widest <= NARROWEST) break;
      const next = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
      const at = widths.indexOf(widest);
      const cut = Math.min(excess, widest - next || 1);
      widths[at] = widest - cut;
      excess -= cut;
    }
    return widths;
  }
}
