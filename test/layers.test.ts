import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import test from 'ava';

/** A file with one line that breaks the layers of ARCHITECTURE.md, or doesn't. */
const lines: readonly (readonly [string, 'refused' | 'allowed', string])[] = [
  ['src/wire/a.ts', 'refused', "import '../limits.ts';"],
  ['src/wire/b.ts', 'refused', "import 'node:fs';"],
  ['src/wire/c.ts', 'allowed', "import './bytes.ts';"],
  ['src/schema/a.ts', 'refused', "import '../wire/bytes.ts';"],
  ['src/decode/a.ts', 'refused', "import '../kafka/exchange.ts';"],
  ['src/decode/b.ts', 'allowed', "import '../schema/plan.ts';"],
  ['src/encode/a.ts', 'refused', "import '../decode/interpreter.ts';"],
  ['src/capture/a.ts', 'refused', "import '../net/segment.ts';"],
  ['src/capture/b.ts', 'refused', "import 'node:process';"],
  ['src/net/a.ts', 'refused', "import '../capture/record-reader.ts';"],
  ['src/net/b.ts', 'allowed', "import '../capture/packet.ts';"],
  ['src/tcp/a.ts', 'refused', "import '../net/ip.ts';"],
  ['src/tcp/b.ts', 'allowed', "import '../net/segment.ts';"],
  ['src/kafka/a.ts', 'refused', "import '../tcp/connection.ts';"],
  ['src/kafka/b.ts', 'refused', "import '../decode/interpreter.ts';"],
  ['src/kafka/c.ts', 'allowed', "import '../tcp/stream-sink.ts';"],
  ['src/records/a.ts', 'refused', "import '../output/words.ts';"],
  ['src/redact/a.ts', 'refused', "import '../output/words.ts';"],
  ['src/output/a.ts', 'refused', "import '../analysis/calls.ts';"],
  ['src/output/schema/a.ts', 'refused', "import '../../analysis/calls.ts';"],
  ['src/output/schema/b.ts', 'allowed', "import '../../records/rows.ts';"],
  ['src/analysis/a.ts', 'refused', "import '../output/words.ts';"],
  ['src/analysis/b.ts', 'refused', "export * from '../dissect.ts';"],
  ['src/analysis/filters/a.ts', 'refused', "await import('../../output/words.ts');"],
  ['src/analysis/filters/b.ts', 'allowed', "import '../calls.ts';"],
  ['src/a.ts', 'refused', "import './cli/run.ts';"],
  ['src/b.ts', 'refused', 'process.exit();'],
  ['src/c.ts', 'allowed', "import './tcp/reassembler.ts';"],
  ['src/cli/a.ts', 'refused', "import '../tcp/connection.ts';"],
  ['src/cli/commands/a.ts', 'refused', "import '../../net/ip.ts';"],
  ['src/cli/b.ts', 'allowed', 'process.exit();'],
];

let report: string;

test.before(() => {
  const folder = mkdtempSync(join(tmpdir(), 'kafka-dissect-layers-'));
  for (const name of ['biome.json', 'biome.layers.jsonc', '.gitignore']) copyFileSync(name, join(folder, name));
  for (const [path, , line] of lines) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${line}\n`);
  }
  const words = ['lint', '--only=noRestrictedImports', '--only=noRestrictedGlobals', '--max-diagnostics=none', '--reporter=github', '.'];
  report = spawnSync(resolve('node_modules', '.bin', 'biome'), words, { cwd: folder, encoding: 'utf8' }).stdout;
  rmSync(folder, { recursive: true });
});

for (const [path, outcome, line] of lines) {
  test(`the linter ${outcome === 'refused' ? 'refuses' : 'allows'} ${line} in ${dirname(path)}`, (t) => {
    t.is(report.includes(`/${path},`), outcome === 'refused', report);
  });
}
