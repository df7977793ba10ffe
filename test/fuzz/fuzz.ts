import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import yargs from 'yargs';
import type { FuzzMessage, FuzzSettings } from './fuzz-worker.ts';

/** A case that takes longer hangs. */
const MAX_CASE_MILLIS = 10_000;
const MAX_HEAP_MEBIBYTES = 256;
const MAX_RSS_KIBIBYTES = 600 * 1024;
const REPORT_MILLIS = 30_000;

const parsed = await yargs(process.argv.slice(2))
  .options({
    minutes: { type: 'number', default: 1, describe: 'How long to go on' },
    seed: { type: 'number', default: Date.now() % 2 ** 31, describe: 'Where to begin; the same seed begins the same way' },
    captures: { type: 'array', string: true, default: ['captures'], describe: 'Folders of captures to start from' },
  })
  .strict()
  .parseAsync();

const folder = join('test', 'fuzz', 'cases');
const until = Date.now() + parsed.minutes * 60_000;
let cases = 0;
let found = 0;
let seed = parsed.seed;
let progress = '';

console.log(`seed ${seed}, ${parsed.minutes} minutes`);
const report = setInterval(() => console.log(progress), REPORT_MILLIS);
while (Date.now() < until) seed = await runThread(seed);
clearInterval(report);
console.log(`${cases} cases, ${found} found, seeds ${parsed.seed} to ${seed - 1}; ${progress}`);
process.exit(found > 0 ? 1 : 0);

/** Runs one thread until the time is over or it ends; returns the seed to go on with. */
function runThread(from: number): Promise<number> {
  const settings: FuzzSettings = { seed: from, folders: parsed.captures };
  const worker = new Worker(new URL('./fuzz-worker.js', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEBIBYTES },
  });
  let at = from;
  let file: Uint8Array = new Uint8Array();
  return new Promise((resolve) => {
    const watchdog = setTimeout(() => end(`took more than ${MAX_CASE_MILLIS} ms`), MAX_CASE_MILLIS);
    const timer = setTimeout(() => end(null), until - Date.now());
    worker.on('error', (error) => end(error.stack ?? error.message));
    worker.on('message', (message: FuzzMessage) => {
      watchdog.refresh();
      if (message.kind === 'begin') {
        at = message.seed;
        file = message.file;
        return;
      }
      cases++;
      progress = `${cases} cases, ${found} found, ${message.blocks} blocks, ${message.corpus} seeds, ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB`;
      if (message.problem !== null) keep(at, file, message.problem);
      else if (process.resourceUsage().maxRSS > MAX_RSS_KIBIBYTES) end(`${process.resourceUsage().maxRSS} KiB resident`);
    });

    function end(problem: string | null): void {
      clearTimeout(watchdog);
      clearTimeout(timer);
      if (problem !== null) keep(at, file, problem);
      worker.removeAllListeners();
      worker.on('error', () => {});
      void worker.terminate().then(() => resolve(at + 1));
    }
  });
}

function keep(at: number, file: Uint8Array, problem: string): void {
  found++;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${at}.pcap`);
  writeFileSync(path, file);
  console.log(`${path}: ${problem}`);
}
