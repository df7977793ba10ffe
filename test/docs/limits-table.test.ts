import { readFileSync } from 'node:fs';
import test from 'ava';
import { withLimitsTable } from './limits-table.ts';

test('ARCHITECTURE.md has the limits as they are; npm run golden writes them', (t) => {
  const document = readFileSync('ARCHITECTURE.md', 'utf8');
  t.is(document, withLimitsTable(document));
});

test('the table of limits is put between its marks alone', (t) => {
  const marks = ['<!-- limits: from src/limits.ts, by npm run golden -->', '<!-- end of limits -->'];
  const written = withLimitsTable(`before\n${marks[0]}\nWhat stood here.\n${marks[1]}\nafter\n`);
  t.regex(written, /^before\n<!-- limits.+?-->\n\n\| limit \|/);
  t.regex(written, /\| `MAX_FRAME_BYTES` \| 100 MiB \| Frame size limit/);
  t.true(written.endsWith('\n<!-- end of limits -->\nafter\n'));
  t.false(written.includes('What stood here'));
  t.throws(() => withLimitsTable('no marks'), { message: /no place/ });
});
