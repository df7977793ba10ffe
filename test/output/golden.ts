import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';

const FOLDER = 'test/golden/output';

/** Holds a text against `test/golden/output/NAME.txt`; with UPDATE_GOLDEN=1 in the environment the file is written instead, to be reviewed. */
export function matchesGolden(t: ExecutionContext, name: string, text: string): void {
  const path = `${FOLDER}/${name}.txt`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, text);
  }
  t.is(text, readFileSync(path, 'utf8'));
}
