import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where fetched tools stay between runs: beside the other tools' caches, outside the repository. */
const CACHE = resolve('node_modules', '.cache', 'kafka-dissect');
const FETCH_TIMEOUT_MS = 5 * 60_000;

/**
 * Path of the folder of this name in the cache, filled by `fill` the first time. Test files run side by side: each fills a folder of its own
 * and the whole folder is put in place at once. What `fill` throws leaves nothing behind.
 */
export function cachedFolder(name: string, fill: (partial: string) => void): string {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}-partial-`);
  try {
    fill(partial);
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/** Path of a Python that has these packages (`name==version`), kept under `name`. Its `bin` holds their scripts, to be run by that Python. */
export function pythonWith(name: string, ...requirements: readonly string[]): string {
  const folder = cachedFolder(name, (partial) => {
    execute('python3', ['-m', 'venv', partial]);
    execute(join(partial, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...requirements]);
  });
  return join(folder, 'bin', 'python');
}

/** Runs a program to its end; throws with its words where that isn't a good one. */
export function execute(command: string, words: readonly string[], cwd?: string): void {
  const result = spawnSync(command, words, { cwd, encoding: 'utf8', timeout: FETCH_TIMEOUT_MS });
  if (result.status !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${result.error ?? ''}${result.stdout}${result.stderr}`);
}
