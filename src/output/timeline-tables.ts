import type { CauseMembers, ChangeRow, TimelineRow, ValueRow } from '../records/rows.ts';
import { type Cells, resourceText } from './cells.ts';
import type { Cell, Table, TablePrinter } from './table.ts';

/** The history of one config. */
interface History {
  readonly title: string;
  readonly values: ValueRow[];
  readonly changes: ChangeRow[];
}

/** A table for each config that changed, its values one after the other and who changed them; one for all others. */
export function showTimeline(rows: readonly TimelineRow[], printer: TablePrinter, cells: Cells): string {
  if (rows.length === 0) return 'No config changed, or none like that was described.\n';
  const histories = [...historiesOf(rows)];
  const changed = histories.filter(({ changes }) => changes.length > 0).map((history) => tableOf(history, cells));
  const unchanged = histories.filter(({ changes }) => changes.length === 0).flatMap(({ values }) => values);
  return [...changed, unchangedTable(unchanged, cells)]
    .map((table) => printer.print(table))
    .filter((text) => text !== '')
    .join('\n');
}

function unchangedTable(values: readonly ValueRow[], cells: Cells): Table {
  return {
    title: `Seen unchanged (${daysOf(values, cells)})`,
    columns: [
      ...['broker', 'resource', 'key', 'value', 'source', 'first seen', 'last seen'].map((heading) => ({ heading })),
      { heading: 'seen', isNumber: true },
    ],
    rows: values.map((value) => [
      cells.muted(value.broker),
      cells.plain(resourceText(value.resourceTypeName, value.resourceName)),
      cells.plain(value.key),
      cells.value(value.value),
      cells.code(value.sourceName),
      cells.clock(value.firstSeen),
      cells.clock(value.lastSeen),
      cells.plain(value.observations),
    ]),
  };
}

function daysOf(values: readonly ValueRow[], { times }: Cells): string {
  return times.days(values.flatMap(({ firstSeen, lastSeen }) => [firstSeen, lastSeen]));
}

function historiesOf(rows: readonly TimelineRow[]): Iterable<History> {
  const histories = new Map<string, History>();
  for (const row of rows) {
    const { broker, resourceType, resourceTypeName, resourceName, key } = row;
    const identity = JSON.stringify([broker, resourceType, resourceName, key]);
    let history = histories.get(identity);
    if (history === undefined) {
      history = { title: `${resourceText(resourceTypeName, resourceName)}: ${key}, as broker ${broker} tells it`, values: [], changes: [] };
      histories.set(identity, history);
    }
    if (row.type === 'value') history.values.push(row);
    else history.changes.push(row);
  }
  return histories.values();
}

function tableOf({ title, values, changes }: History, cells: Cells): Table {
  return {
    title: `${title} (${daysOf(values, cells)})`,
    columns: [
      { heading: 'first seen' },
      { heading: 'last seen' },
      { heading: 'value' },
      { heading: 'source' },
      { heading: 'seen', isNumber: true },
      { heading: 'by clients' },
      { heading: 'changed by' },
    ],
    rows: values.map((value, index) => rowOf(value, index === 0 ? null : (changes[index - 1] ?? null), cells)),
  };
}

function rowOf(value: ValueRow, change: ChangeRow | null, cells: Cells): Cell[] {
  return [
    cells.clock(value.firstSeen),
    cells.clock(value.lastSeen),
    cells.value(value.value),
    cells.code(value.sourceName),
    cells.plain(value.observations),
    cells.muted(Object.keys(value.clients).join(', ')),
    change === null ? cells.muted('') : causesCell(change, cells),
  ];
}

function causesCell({ by, inherited, notBefore, notAfter }: ChangeRow, cells: Cells): Cell {
  const causes = [
    ...by.map(causeText),
    ...inherited.map((cause) => `${causeText(cause)} of ${resourceText(cause.resourceTypeName, cause.resourceName)}: ${cause.key}`),
  ];
  if (causes.length > 0) return cells.plain(causes.join('; '));
  return cells.bad(`nobody in this capture, between ${cells.times.clock(notBefore)} and ${cells.times.clock(notAfter)}`);
}

function causeText({ principal, clientId, client, apiName, op, value, packet }: CauseMembers): string {
  const what = value === null ? op : `${op} ${value}`;
  return `${principal ?? 'user not known'}, ${clientId ?? 'no client id'}, ${client}: ${apiName} ${what} (packet ${packet})`;
}
