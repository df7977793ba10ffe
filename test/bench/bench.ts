import { cpus } from 'node:os';
import yargs from 'yargs';
import { parseByteSize } from '../../src/cli/byte-size.ts';
import { checkAgainstRecord, record } from './regression.ts';
import { type Figure, rows } from './rows.ts';

const SHORT_BYTES = 200e6;
const SHORT_RUNS = 3;
const RUNS = 5;

const options = await yargs(process.argv.slice(2))
  .scriptName('npm run bench --')
  .option('only', { choices: Object.keys(rows), array: true, describe: 'These rows alone' })
  .option('size', { type: 'string', describe: 'Size of the captures, as in 300MB, in place of their usual ones' })
  .option('runs', { type: 'number', default: RUNS, describe: 'Counted runs of each command, of which the median is told' })
  .option('short', { type: 'boolean', default: false, describe: 'Small captures and few runs' })
  .option('check', { type: 'boolean', default: false, describe: 'With --short: fail where a figure is far beyond the one checked in' })
  .option('record', { type: 'boolean', default: false, describe: 'With --short: keep the figures as the ones to check against' })
  .strict()
  .parseAsync();

const bytes = options.size === undefined ? undefined : parseByteSize('--size', options.size);
const scale = options.short ? { bytes: SHORT_BYTES, runs: SHORT_RUNS } : { bytes, runs: options.runs };
console.log(`Node ${process.version}, ${cpus().length} processors (${cpus()[0]?.model.trim()}), medians of ${scale.runs} runs`);
const figures: Figure[] = [];
for (const name of options.only ?? Object.keys(rows)) {
  for (const figure of (await rows[name]?.(scale)) ?? []) {
    figures.push(figure);
    console.log(line(figure));
  }
}
if (options.record) record(figures);
if (options.check) process.exitCode = checkAgainstRecord(figures) ? 0 : 1;

function line({ row, what, value, unit, target }: Figure): string {
  const verdict = target === null ? '' : `${value <= target ? 'met   ' : 'MISSED'}  at most ${amount(target, unit)}`;
  return `${row.padEnd(10)} ${what.padEnd(32)} ${amount(value, unit).padStart(10)}  ${verdict}`.trimEnd();
}

function amount(value: number, unit: Figure['unit']): string {
  if (unit === '×' && value < 1) return `1/${(1 / value).toFixed(1)}`;
  return unit === '×' ? `${value.toFixed(2)}×` : `${value.toFixed(unit === 'ms' ? 1 : 0)} ${unit}`;
}
