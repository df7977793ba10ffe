import { hostOf } from '../records/address.ts';
import type {
  AlterationRow,
  ApiRow,
  BelowKafka4Row,
  CaptureRow,
  ClientRow,
  CreatedRow,
  ExposureRow,
  NotKafkaRow,
  Percentiles,
  RefusalRow,
  SummaryRow,
  UnsupportedRow,
} from '../records/rows.ts';
import { bytesText, type Cells, resourceText } from './cells.ts';
import { safeText } from './safe-text.ts';
import type { Cell, Table, TablePrinter } from './table.ts';
import { paint } from './theme.ts';
import { counted } from './words.ts';

/** The whole summary: what was read and what could not be seen, then a table for each type of rows that there are. */
export function showSummary(rows: readonly SummaryRow[], printer: TablePrinter, cells: Cells): string {
  const of = <Type extends SummaryRow['type']>(type: Type) =>
    rows.filter((row): row is Extract<SummaryRow, { type: Type }> => row.type === type);
  const tables = [
    apiTable(of('api'), cells),
    clientTable(of('client'), cells),
    refusalTable(of('refusal'), cells),
    alterationTable(of('alteration'), cells),
    createdTable(of('created'), cells),
    unsupportedTable(of('unsupported'), cells),
    oldTable(of('belowKafka4'), cells),
    notKafkaTable(of('notKafka'), cells),
    exposureTable(of('exposure'), cells),
  ];
  const parts = [...of('capture').map((row) => captureText(row, cells)), ...tables.map((table) => printer.print(table))];
  return parts.filter((part) => part !== '').join('\n');
}

function captureText(row: CaptureRow, { theme, times }: Cells): string {
  const { packets, bytes, firstTime, lastTime, seconds, connections, exchanges, clusters } = row;
  const span = firstTime === null || lastTime === null ? 'no times' : `${times.whole(firstTime)} to ${times.whole(lastTime)}, ${seconds} s`;
  const cluster = clusters.length === 0 ? '' : `; cluster ${clusters.map(safeText).join(', ')}`;
  const lines = [
    paint(theme.heading, `${counted(packets, 'packet')}, ${bytesText(bytes)}, ${span}`),
    `${counted(connections.kafka, 'connection')} of Kafka, ${connections.tls} of TLS, ${connections.other} of others${cluster}`,
    `DescribeConfigs: ${exchanges.complete} complete, ${exchanges.partial} partial, ${exchanges.unanswered} unanswered`,
    ...unseen(row).map((text) => paint(theme.bad, text)),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the capture could not show. */
function unseen({ connections, lost, withoutBeginning }: CaptureRow): string[] {
  const texts: string[] = [];
  const losses = Object.entries(lost).map(([code, { count, bytes }]) => `${code} ${count}${bytes === 0 ? '' : ` (${bytesText(bytes)})`}`);
  if (losses.length > 0) texts.push(`Lost: ${losses.join(', ')}`);
  if (connections.tls > 0) texts.push(`Not seen: what ${counted(connections.tls, 'connection')} of TLS said`);
  if (withoutBeginning > 0) {
    texts.push(`Not seen: the beginning of ${counted(withoutBeginning, 'connection')}, so that users may not be known there`);
  }
  return texts;
}

function apiTable(rows: readonly ApiRow[], cells: Cells): Table {
  const numbers = [
    'requests',
    'answered',
    'errors',
    'sent',
    'received',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'max ms',
    'broker p50',
    'transfer p50',
  ];
  return {
    title: 'Requests by API (latency from the last byte of the request to the last of the answer)',
    columns: [{ heading: 'API' }, ...numbers.map((heading) => ({ heading, isNumber: true }))],
    rows: rows.map((row) => [
      cells.plain(row.apiName),
      cells.plain(row.requests),
      row.answered === row.requests ? cells.plain(row.answered) : cells.code(row.answered),
      cells.count(row.errors),
      cells.muted(bytesText(row.requestBytes)),
      cells.muted(bytesText(row.responseBytes)),
      ...latencyTexts(row.latencyMs).map((text) => cells.value(text)),
      cells.muted(millisText(row.brokerMs?.p50)),
      cells.muted(millisText(row.transferMs?.p50)),
    ]),
  };
}

function latencyTexts(latency: Percentiles | null): string[] {
  return [latency?.p50, latency?.p95, latency?.p99, latency?.max].map(millisText);
}

function millisText(millis: number | undefined): string {
  return millis === undefined ? '-' : millis.toFixed(3);
}

function clientTable(rows: readonly ClientRow[], cells: Cells): Table {
  const texts = ['client id', 'software', 'address', 'user'];
  const numbers = ['connections', 'requests', 'answered', 'a minute', 'most in 60 s', 'resources', 'all keys', 'received'];
  return {
    title: 'Clients of DescribeConfigs',
    columns: [
      ...texts.map((heading) => ({ heading })),
      ...numbers.map((heading) => ({ heading, isNumber: true })),
      { heading: 'versions' },
      { heading: '' },
    ],
    rows: rows.map((row) => [
      cells.known(row.clientId),
      cells.known(row.software?.map(({ name, version }) => `${name} ${version}`).join(', ') ?? null),
      cells.muted(row.addresses.join(', ')),
      cells.plain(row.principals.map((principal) => principal ?? '?').join(', ')),
      cells.plain(row.connections),
      cells.plain(row.requests),
      row.answered === row.requests ? cells.plain(row.answered) : cells.code(row.answered),
      cells.plain(row.requestsPerMinute ?? '-'),
      cells.plain(row.mostIn60Seconds ?? '-'),
      cells.plain(row.resourcesPerRequest ?? '-'),
      cells.plain(row.allKeysShare === null ? '-' : `${Math.round(row.allKeysShare * 100)} %`),
      cells.muted(bytesText(row.responseBytes)),
      cells.muted(
        Object.keys(row.versions)
          .map((version) => `v${version}`)
          .join(' '),
      ),
      row.storm ? cells.bad('STORM') : cells.muted(''),
    ]),
  };
}

function refusalTable(rows: readonly RefusalRow[], cells: Cells): Table {
  return {
    title: `Refused (${cells.times.days(rows.flatMap(({ firstTime, lastTime }) => [firstTime, lastTime]))})`,
    columns: [
      ...['client id', 'address', 'user', 'resource', 'error'].map((heading) => ({ heading })),
      { heading: 'times', isNumber: true },
      ...['first', 'last', 'missing ACL, hint'].map((heading) => ({ heading })),
    ],
    rows: rows.map((row) => [
      cells.known(row.clientId),
      cells.muted(row.address),
      cells.known(row.principal),
      cells.plain(resourceText(row.resourceTypeName, row.resourceName)),
      cells.bad(row.errorName),
      cells.plain(row.count),
      cells.clock(row.firstTime),
      cells.clock(row.lastTime),
      cells.plain(row.missingAcl ?? row.hint ?? ''),
    ]),
  };
}

const WRITER_COLUMNS = ['time', 'packet', 'user', 'client id', 'client'];

/** When and by whom something was written. */
function writerCells({ time, packet, principal, clientId, client }: AlterationRow | CreatedRow, cells: Cells): Cell[] {
  return [cells.clock(time), cells.muted(packet), cells.known(principal), cells.known(clientId), cells.muted(client)];
}

function alterationTable(rows: readonly AlterationRow[], cells: Cells): Table {
  return {
    title: `Configs altered (${cells.times.days(rows.map(({ time }) => time))})`,
    columns: [...WRITER_COLUMNS, 'resource', 'changes', 'result'].map((heading) => ({ heading })),
    rows: rows.map((row) => [
      ...writerCells(row, cells),
      cells.plain(resourceText(row.resourceTypeName, row.resourceName)),
      cells.plain(row.changes.map(({ key, op, value }) => `${op} ${key}${value === null ? '' : ` = ${value}`}`).join('; ')),
      resultCell(row.errorName, row.validateOnly, cells),
    ]),
  };
}

function resultCell(errorName: string | null, validateOnly: boolean, cells: Cells) {
  const mark = validateOnly ? ' (only validated)' : '';
  if (errorName === null) return cells.muted(`no answer${mark}`);
  return errorName === 'NONE' ? cells.value(`done${mark}`.replace('done (only', 'would do (only')) : cells.bad(errorName + mark);
}

function createdTable(rows: readonly CreatedRow[], cells: Cells): Table {
  return {
    title: `Topics created (${cells.times.days(rows.map(({ time }) => time))})`,
    columns: [...WRITER_COLUMNS, 'topic', 'configs', 'result'].map((heading) => ({ heading })),
    rows: rows.map((row) => [
      ...writerCells(row, cells),
      cells.plain(row.topic),
      cells.plain(
        Object.entries(row.configs)
          .map(([key, value]) => `${key} = ${value}`)
          .join('; '),
      ),
      resultCell(row.errorName, row.validateOnly, cells),
    ]),
  };
}

function unsupportedTable(rows: readonly UnsupportedRow[], cells: Cells): Table {
  const groups = grouped(rows, ({ clientId, client, apiKey, apiVersion, outcome }) => [
    clientId,
    hostOf(client),
    apiKey,
    apiVersion,
    outcome,
  ]);
  return {
    title: 'Versions that brokers do not know',
    columns: [
      ...['first packet', 'client id', 'address', 'request', 'outcome'].map((heading) => ({ heading })),
      { heading: 'times', isNumber: true },
    ],
    rows: groups.map(([row, times]) => [
      cells.muted(row.packet),
      cells.known(row.clientId),
      cells.muted(hostOf(row.client)),
      cells.plain(`${row.apiName} v${row.apiVersion}`),
      row.outcome === 'closed' ? cells.bad('connection closed') : cells.code('UNSUPPORTED_VERSION'),
      cells.plain(times),
    ]),
  };
}

/** Rows that agree in what `identity` says as one, with their number. */
function grouped<Row>(rows: readonly Row[], identity: (row: Row) => readonly unknown[]): (readonly [Row, number])[] {
  const groups = new Map<string, [Row, number]>();
  for (const row of rows) {
    const key = JSON.stringify(identity(row));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row, 1]);
    else group[1]++;
  }
  return [...groups.values()];
}

function oldTable(rows: readonly BelowKafka4Row[], cells: Cells): Table {
  return {
    title: 'Requests that Kafka 4 would refuse',
    columns: [...['client id', 'request', 'Kafka 4 takes'].map((heading) => ({ heading })), { heading: 'requests', isNumber: true }],
    rows: rows.map((row) => [
      cells.known(row.clientId),
      cells.plain(`${row.apiName} v${row.apiVersion}`),
      row.minimum === null ? cells.bad('none') : cells.code(`v${row.minimum} and later`),
      cells.plain(row.requests),
    ]),
  };
}

function notKafkaTable(rows: readonly NotKafkaRow[], cells: Cells): Table {
  return {
    title: 'Connections that do not speak Kafka in plain text',
    columns: ['packet', 'client', 'server', 'protocol'].map((heading) => ({ heading })),
    rows: rows.map((row) => [cells.muted(row.packet), cells.plain(row.client), cells.plain(row.server), cells.bad(row.protocol)]),
  };
}

/** Those that differ in their packets alone in one line. */
function exposureTable(rows: readonly ExposureRow[], cells: Cells): Table {
  const groups = grouped(rows, ({ apiName, field, clientId, principal, key }) => [
    apiName,
    field.replaceAll(/\[\d+\]/g, '[]'),
    clientId,
    principal,
    key,
  ]);
  return {
    title: 'Secrets that crossed in plain text',
    columns: [
      ...['first packet', 'API', 'field', 'config', 'client id', 'user'].map((heading) => ({ heading })),
      { heading: 'times', isNumber: true },
    ],
    rows: groups.map(([row, times]) => [
      cells.muted(row.packet),
      cells.plain(row.apiName),
      cells.plain(row.field),
      cells.plain(row.key ?? ''),
      cells.known(row.clientId),
      cells.known(row.principal),
      cells.bad(times),
    ]),
  };
}
