import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Figure } from './rows.ts';

/** Figures of the short form, as they were when they were last looked at: see {@link isComparable}. */
const RECORD = 'test/bench/ratios.json';
/** How far beyond its recorded value a figure must be to count: noise of a busy machine is below it, a lost fast path above. */
const MARGIN = 1.8;

/** Keeps the figures as the ones to check against; those of rows that weren't run stay. */
export function record(figures: readonly Figure[]): void {
  const kept = {
    ...recorded(),
    ...Object.fromEntries(figures.filter(isComparable).map((figure) => [nameOf(figure), Number(figure.value.toPrecision(3))])),
  };
  writeFileSync(RECORD, `${JSON.stringify(kept, null, 2)}\n`);
}

/** Says which figures are far beyond the recorded ones; true if none is. */
export function checkAgainstRecord(figures: readonly Figure[]): boolean {
  const before = recorded();
  let good = true;
  for (const figure of figures.filter(isComparable)) {
    const was = before[nameOf(figure)];
    if (was === undefined || figure.value <= was * MARGIN) continue;
    good = false;
    console.log(`${nameOf(figure)}: ${figure.value.toPrecision(3)}, more than ${MARGIN} times the ${was} of before`);
  }
  return good;
}

function recorded(): Readonly<Record<string, number>> {
  return existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, number>) : {};
}

/** Ratios of processor time, and memory: other times are those of another machine, or of all that runs on it. */
function isComparable({ unit, what }: Figure): boolean {
  return unit === 'MB' || (unit === '×' && what.includes('CPU'));
}

function nameOf({ row, what }: Figure): string {
  return `${row}: ${what}`;
}
