import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { OUTPUT_FLUSH_BYTES, OUTPUT_SPILL_BYTES } from '../../src/limits.ts';
import { StdoutWriter } from '../../src/output/stdout-writer.ts';
import { scratchFolder } from '../helpers/scratch.ts';

for (const { bytes, written } of [
  { bytes: OUTPUT_FLUSH_BYTES - 1, written: 0 },
  { bytes: OUTPUT_FLUSH_BYTES, written: OUTPUT_FLUSH_BYTES },
  { bytes: OUTPUT_FLUSH_BYTES + 1, written: OUTPUT_FLUSH_BYTES + 1 },
]) {
  test(`of ${bytes} bytes of records ${written} are written between two`, (t) => {
    const path = join(scratchFolder(t), 'out');
    const descriptor = openSync(path, 'w');
    const writer = new StdoutWriter(descriptor);
    writer.buffer.ascii('x'.repeat(bytes));
    writer.recordEnded();
    t.is(readFileSync(path).length, written);
    writer.flush();
    t.is(readFileSync(path).length, bytes);
    closeSync(descriptor);
  });
}

for (const { bytes, written } of [
  { bytes: OUTPUT_SPILL_BYTES - 1, written: 0 },
  { bytes: OUTPUT_SPILL_BYTES, written: OUTPUT_SPILL_BYTES },
  { bytes: OUTPUT_SPILL_BYTES + 1, written: OUTPUT_SPILL_BYTES + 1 },
]) {
  test(`of ${bytes} bytes of one record ${written} are written before it ends`, (t) => {
    const path = join(scratchFolder(t), 'out');
    const descriptor = openSync(path, 'w');
    const writer = new StdoutWriter(descriptor);
    writer.buffer.ascii('x'.repeat(bytes));
    writer.buffer.spill();
    t.is(readFileSync(path).length, written);
    t.is(writer.buffer.length, bytes - written);
    closeSync(descriptor);
  });
}
