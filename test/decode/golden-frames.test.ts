import test from 'ava';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { ENTRY_WORDS, Word } from '../../src/decode/decoded.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { goldenFrames } from '../helpers/golden-frames.ts';

const schemas = new Schemas();

for (const { side, version, bytes } of goldenFrames) {
  test(`the ${side} of version ${version} decodes to its last byte, as Kafka's own decoder does`, (t) => {
    const plan = schemas.plan(32, version, side);
    if (plan === null) return t.fail();
    const decoded = decodeFrame(plan, bytes, 0, bytes.length);
    t.is(decoded.error, null);
    t.is(decoded.trailingBytes, 0);
    t.is(decoded.tape[Word.end], bytes.length);
    t.is(decoded.tape[Word.next], decoded.tapeLength);
    t.is(decoded.tapeLength % ENTRY_WORDS, 0);
  });
}
