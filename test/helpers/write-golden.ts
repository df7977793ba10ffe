import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeManPage } from '../../tools/write-man-page.ts';
import { withLimitsTable } from '../docs/limits-table.ts';
import { goldenRuns } from './golden-captures.ts';
import { runCli } from './run-cli.ts';

// Writes what is generated, to be reviewed as a diff: what kafka-dissect prints of captures/ into test/golden/captures, the limits into
// ARCHITECTURE.md, and the manual page.
for (const { path, words } of goldenRuns()) {
  const { code, stdout, stderr } = await runCli(words);
  if (code !== 0) throw new Error(`kafka-dissect ${words.join(' ')} ended with ${code}: ${stderr}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, stdout);
}
writeFileSync('ARCHITECTURE.md', withLimitsTable(readFileSync('ARCHITECTURE.md', 'utf8')));
await writeManPage();
