import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Random } from './random.ts';

const SEED = 77;
const FILE_HEADER_BYTES = 24;
const RECORD_HEADER_BYTES = 16;
/** Of a hundred packets one is lost by the capture, one comes late, and one comes twice. */
const SHARE = 0.01;
/** Packets by which one comes late. */
const LATE_PACKETS = 3;

/** Copies a little-endian classic capture as a bad one would have been recorded. */
export async function damage(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from, { highWaterMark: 1 << 20 }), damaged, createWriteStream(to));
}

async function* damaged(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const random = new Random(SEED);
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  let late: { record: Buffer; after: number } | null = null;
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const out: Buffer[] = [];
    let at = 0;
    if (isFirst) out.push(bytes.subarray(0, FILE_HEADER_BYTES));
    if (isFirst) at = FILE_HEADER_BYTES;
    isFirst = false;
    for (;;) {
      if (bytes.length - at < RECORD_HEADER_BYTES) break;
      const end = at + RECORD_HEADER_BYTES + bytes.readUInt32LE(at + 8);
      if (end > bytes.length) break;
      const record = bytes.subarray(at, end);
      at = end;
      const luck = random.next();
      if (luck < SHARE) continue;
      if (luck < 2 * SHARE && late === null) late = { record: Buffer.from(record), after: LATE_PACKETS };
      else if (luck >= 2 * SHARE && luck < 3 * SHARE) out.push(record, record);
      else out.push(record);
      if (late !== null && --late.after < 0) {
        out.push(late.record);
        late = null;
      }
    }
    rest = Buffer.from(bytes.subarray(at));
    yield Buffer.concat(out);
  }
  if (late !== null) yield late.record;
}
