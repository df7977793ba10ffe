import type { DifferenceRow, SideValue } from '../records/rows.ts';
import { Cells, resourceText } from './cells.ts';
import type { Cell, TablePrinter } from './table.ts';
import type { Theme } from './theme.ts';

/** The differences as a table. */
export function showDiff(rows: readonly DifferenceRow[], printer: TablePrinter, theme: Theme): string {
  if (rows.length === 0) return 'No differences.\n';
  const cells = new Cells(theme);
  return printer.print({
    title: 'What differs',
    columns: ['resource', 'key', 'left', 'source', 'right', 'source'].map((heading) => ({ heading })),
    rows: rows.map(({ resourceTypeName, resourceName, key, left, right }) => [
      cells.plain(resourceText(resourceTypeName, resourceName)),
      cells.code(key),
      ...sideCells(left, cells),
      ...sideCells(right, cells),
    ]),
  });
}

function sideCells(side: SideValue | null, cells: Cells): Cell[] {
  if (side === null) return [cells.bad('not there'), cells.muted('')];
  return [cells.value(side.value), cells.muted(side.sourceName ?? 'not told')];
}
