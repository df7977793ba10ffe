import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** An empty folder for one test, gone after it. */
export function scratchFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kafka-dissect-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file for one test, gone after it. */
export function scratchFile(t: ExecutionContext, name: string, content: Uint8Array | string): string {
  const path = join(scratchFolder(t), name);
  writeFileSync(path, content);
  return path;
}
