import type { Loss } from '../diagnostic-log.ts';
import type { DiagnosticCode } from '../diagnostics.ts';
import type { Totals } from '../dissection.ts';
import type { SummaryRecord } from '../records/records.ts';
import { isoTime } from '../records/time.ts';
import { counted } from './words.ts';

/** The closing record of a run. */
export function summaryRecord(totals: Totals, lost: ReadonlyMap<DiagnosticCode, Loss>): SummaryRecord {
  const { kafka, tls, other } = totals.connections;
  const { requests, responses } = totals.frames;
  const { complete, partial, unanswered } = totals.exchanges;
  return {
    type: 'summary',
    packets: totals.packets,
    bytes: totals.bytes,
    firstTime: totals.first && isoTime(totals.first),
    lastTime: totals.last && isoTime(totals.last),
    connections: { kafka, tls, other },
    frames: { requests, responses },
    exchanges: { complete, partial, unanswered },
    ...(totals.filteredOut === 0 ? {} : { filteredOut: totals.filteredOut }),
    lost: Object.fromEntries([...lost].map(([code, { count, bytes }]) => [code, { count, bytes }])),
  };
}

/** The same for the eye: a headline and one indented line for each kind of thing. */
export function summaryLines(summary: SummaryRecord): string[] {
  const { connections, frames, exchanges, firstTime, lastTime } = summary;
  const span = firstTime === null || lastTime === null ? 'no times' : `${firstTime} to ${lastTime}`;
  const lost = Object.entries(summary.lost).map(([code, { count, bytes }]) => `${code} ${count}${bytes === 0 ? '' : ` (${bytes} bytes)`}`);
  return [
    `read ${counted(summary.packets, 'packet')}, ${counted(summary.bytes, 'byte')}, ${span}`,
    `  connections  ${connections.kafka} Kafka, ${connections.tls} TLS, ${connections.other} other`,
    `  frames       ${counted(frames.requests, 'request')}, ${counted(frames.responses, 'response')}`,
    `  exchanges    ${exchanges.complete} complete, ${exchanges.partial} partial, ${exchanges.unanswered} unanswered${filteredOut(summary)}`,
    `  lost         ${lost.length === 0 ? 'nothing' : lost.join(', ')}`,
  ];
}

function filteredOut({ filteredOut = 0 }: SummaryRecord): string {
  return filteredOut === 0 ? '' : `, ${filteredOut} more left out by filters`;
}
