import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { withLimitsTable } from '../docs/limits-table.ts';
import { goldenRuns } from './golden-captures.ts';
import { runCli } from './run-cli.ts';

// Writes what kafka-dissect prints of captures/ into test/golden/captures, and the limits into ARCHITECTURE.md, to be reviewed as a diff.
for (const { path, words } of goldenRuns()) {
  const { code, stdout, stderr } = await runCli(words);
  if (code !== 0) throw new Error(`kafka-dissect ${words.join(' ')} ended with ${code}: ${stderr}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, stdout);
}
writeFileSync('ARCHITECTURE.md', withLimitsTable(readFileSync('ARCHITECTURE.md', 'utf8')));
