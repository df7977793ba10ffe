import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { cliPath, ended } from '../helpers/run-cli.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { worstCaptures } from './worst-captures.ts';

/** What is promised for any capture, beside a frame that is asked for. */
const MAX_RESIDENT_KIB = 200 * 1024;
/** So that garbage doesn't count as need. */
const HEAP_MIB = 128;
/** Seconds that a slow machine may take. */
const MAX_SECONDS = 100;

const usage = new URL('./report-usage.js', import.meta.url);

interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly residentKib: number;
}

async function run(words: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, '--import', usage.href, cliPath, ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_SECONDS * 1000);
  const [{ code, signal, stderr }, said] = await Promise.all([ended(child), text(child.stdio[3] as NodeJS.ReadableStream)]);
  clearTimeout(timer);
  return { code, signal, stderr, residentKib: Number(said) };
}

for (const { name, title, write } of worstCaptures) {
  test.serial(`${title}: read within ${MAX_RESIDENT_KIB / 1024} MiB`, async (t) => {
    t.timeout((MAX_SECONDS + 30) * 1000);
    const path = join(scratchFolder(t), name);
    write(path);
    const { code, signal, stderr, residentKib } = await run(['-f', 'ndjson', path]);
    t.is(signal, null);
    t.true(code === 0 || code === 1, stderr.slice(-2000));
    t.true(residentKib > 0 && residentKib < MAX_RESIDENT_KIB, `${Math.round(residentKib / 1024)} MiB`);
  });
}

test.serial('a tree of nothing but the smallest configs is written as it grows', async (t) => {
  const path = join(scratchFolder(t), 'tape');
  worstCaptures.find(({ name }) => name === 'tape')?.write(path);
  const { code, residentKib } = await run(['-f', 'tree', path]);
  t.is(code, 0);
  t.true(residentKib < MAX_RESIDENT_KIB, `${Math.round(residentKib / 1024)} MiB`);
});
