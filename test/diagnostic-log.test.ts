import test from 'ava';
import { DiagnosticLog } from '../src/diagnostic-log.ts';
import type { Diagnostic } from '../src/diagnostics.ts';
import { DIAGNOSTICS_SHOWN_PER_CODE } from '../src/limits.ts';

class Notes {
  readonly shown: Diagnostic[] = [];
  readonly hidden: [string, number][] = [];
  report(diagnostic: Diagnostic): void {
    this.shown.push(diagnostic);
  }
  suppressed(code: string, count: number): void {
    this.hidden.push([code, count]);
  }
}

test('losses are tallied by code; what isn’t lost isn’t', (t) => {
  const log = new DiagnosticLog(new Notes());
  log.report({ code: 'tcp-gap', message: 'x', bytes: 1000 });
  log.report({ code: 'tcp-conflict', message: 'x', bytes: 5 });
  t.deepEqual([...log.lost], [['tcp-gap', { count: 1, bytes: 1000 }]]);
  log.report({ code: 'tcp-gap', message: 'x', bytes: 448, count: 2 });
  log.report({ code: 'packet-malformed', message: 'x' });
  t.deepEqual(
    [...log.lost],
    [
      ['tcp-gap', { count: 3, bytes: 1448 }],
      ['packet-malformed', { count: 1, bytes: 0 }],
    ],
  );
});

test('warnings are losses or not, and only errors are errors', (t) => {
  const log = new DiagnosticLog(new Notes());
  log.report({ code: 'tcp-conflict', message: 'x' });
  t.deepEqual([log.hasLosses, log.hasErrors], [false, false]);
  log.report({ code: 'tcp-gap', message: 'x' });
  t.deepEqual([log.hasLosses, log.hasErrors], [true, false]);
  log.report({ code: 'capture-truncated', message: 'x' });
  t.deepEqual([log.hasLosses, log.hasErrors], [true, true]);
});

for (const extra of [-1, 0, 1, 5]) {
  test(`of ${DIAGNOSTICS_SHOWN_PER_CODE + extra} findings of a code, ${Math.max(0, extra)} are counted and not shown`, (t) => {
    const notes = new Notes();
    const record = new Notes();
    const log = new DiagnosticLog(notes, record);
    for (let i = 0; i < DIAGNOSTICS_SHOWN_PER_CODE + extra; i++) log.report({ code: 'tcp-gap', message: `${i}` });
    log.report({ code: 'not-kafka', message: 'x' });
    log.finish();
    t.is(notes.shown.length, DIAGNOSTICS_SHOWN_PER_CODE + Math.min(0, extra) + 1);
    t.deepEqual(notes.hidden, extra > 0 ? [['tcp-gap', extra]] : []);
    t.is(record.shown.length, DIAGNOSTICS_SHOWN_PER_CODE + extra + 1, 'the record gets all');
  });
}
