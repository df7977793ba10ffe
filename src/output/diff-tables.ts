import type { DifferenceRow, SideValue } from '../records/rows.ts';
import { type Cells, resourceText } from './cells.ts';
import type { Cell, TablePrinter } from './table.ts';

/** The differences as a table. */
export function showDiff(rows: readonly DifferenceRow[], printer: TablePrinter, cells: Cells): string {
  if (rows.length === 0) return 'No differences.\n';
  return printer.print({
    title: `What differs (last seen: ${cells.times.days(rows.flatMap(({ left, right }) => [left?.time ?? null, right?.time ?? null]))})`,
    columns: ['resource', 'key', 'left', 'source', 'last seen', 'right', 'source', 'last seen'].map((heading) => ({ heading })),
    rows: rows.map(({ resourceTypeName, resourceName, key, left, right }) => [
      cells.plain(resourceText(resourceTypeName, resourceName)),
      cells.code(key),
      ...sideCells(left, cells),
      ...sideCells(right, cells),
    ]),
  });
}

function sideCells(side: SideValue | null, cells: Cells): Cell[] {
  if (side === null) return [cells.bad('not there'), cells.muted(''), cells.muted('')];
  return [cells.value(side.value), cells.muted(side.sourceName ?? 'not told'), cells.clock(side.time)];
}
