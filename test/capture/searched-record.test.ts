import test from 'ava';
import { MAX_SEARCHED_RECORD_BYTES } from '../../src/limits.ts';
import { readBytes } from '../helpers/capture-bytes.ts';
import { pcapFile } from '../helpers/packets.ts';

const DAMAGED_LENGTH = 24 + 8;

for (const { length, found } of [
  { length: MAX_SEARCHED_RECORD_BYTES - 1, found: [2, 3] },
  { length: MAX_SEARCHED_RECORD_BYTES, found: [2, 3] },
  { length: MAX_SEARCHED_RECORD_BYTES + 1, found: [2] },
]) {
  test(`behind damage a record of ${length} bytes is ${found.length === 2 ? 'found' : 'passed over'}`, async (t) => {
    const file = pcapFile([new Uint8Array(60).fill(1), new Uint8Array(length).fill(1), new Uint8Array(60).fill(1)], { snaplen: 1 << 20 });
    new DataView(file.buffer).setUint32(DAMAGED_LENGTH, 0xffff_ffff);
    const { packets } = await readBytes(file, [1 << 20], 1 << 20);
    t.deepEqual(
      packets.map(({ number }) => number),
      found,
    );
  });
}
