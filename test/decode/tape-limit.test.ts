import test from 'ava';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { ENTRY_WORDS } from '../../src/decode/decoded.ts';
import { MAX_TAPE_ENTRIES } from '../../src/limits.ts';
import { planOf } from '../helpers/messages.ts';

/** A request of version 0 for one topic with so many keys, each empty and a tape entry of its own. */
function frameOf(keys: number): Uint8Array {
  const head = Buffer.from('00000000002000000000000100000000000102000174', 'hex');
  const bytes = Buffer.alloc(head.length + 4 + 2 * keys);
  head.copy(bytes);
  bytes.writeInt32BE(bytes.length - 4, 0);
  bytes.writeInt32BE(keys, head.length);
  return bytes;
}

function entriesOf(keys: number): { entries: number; code: string | undefined } {
  const frame = frameOf(keys);
  const { tapeLength, error } = decodeFrame(planOf(32, 0, 'request'), frame, 0, frame.length);
  return { entries: tapeLength / ENTRY_WORDS, code: error?.code };
}

const others = entriesOf(0).entries;

for (const { keys, code } of [
  { keys: MAX_TAPE_ENTRIES - others - 1, code: undefined },
  { keys: MAX_TAPE_ENTRIES - others, code: undefined },
  { keys: MAX_TAPE_ENTRIES - others + 1, code: 'too-large' },
]) {
  test(`a frame with ${keys + others} fields is ${code ?? 'decoded'}`, (t) => {
    t.deepEqual(entriesOf(keys), { entries: Math.min(MAX_TAPE_ENTRIES, keys + others), code });
  });
}
