import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { cliPath, ended } from '../helpers/run-cli.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { worstCaptures, worstForAnswers } from './worst-captures.ts';

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
    // Coverage costs time and memory that nobody else spends.
    env: { ...process.env, NODE_V8_COVERAGE: undefined },
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

const answers = [
  ['summary', '-f', 'ndjson'],
  ['timeline', '-f', 'ndjson', '--key', '*'],
  ['diff', '-f', 'ndjson'],
] as const;

for (const { name, title, write } of worstForAnswers) {
  test.serial(`${title}: answered within ${MAX_RESIDENT_KIB / 1024} MiB`, async (t) => {
    t.timeout(3 * (MAX_SECONDS + 30) * 1000);
    const path = join(scratchFolder(t), name);
    write(path);
    for (const words of answers) {
      const { code, signal, stderr, residentKib } = await run([...words, path, ...(words[0] === 'diff' ? [path] : [])]);
      t.is(signal, null, words[0]);
      // There may be nothing to compare, which is an error of usage.
      t.true(code === 0 || (words[0] === 'diff' && code === 2), stderr.slice(-2000));
      t.true(residentKib > 0 && residentKib < MAX_RESIDENT_KIB, `${words[0]}: ${Math.round(residentKib / 1024)} MiB`);
    }
  });
}

for (const words of [[], ['--hex']]) {
  test.serial(
    `a tree of nothing but the smallest configs is written as it grows${words.map((word) => `, with ${word}`).join('')}`,
    async (t) => {
      const path = join(scratchFolder(t), 'tape');
      worstCaptures.find(({ name }) => name === 'tape')?.write(path);
      const { code, residentKib } = await run(['-f', 'tree', ...words, path]);
      t.is(code, 0);
      t.true(residentKib < MAX_RESIDENT_KIB, `${Math.round(residentKib / 1024)} MiB`);
    },
  );
}
