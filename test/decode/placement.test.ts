import test from 'ava';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { bodyValue } from '../../src/decode/values.ts';
import type { MessagePlan } from '../../src/schema/plan.ts';
import { goldenFrames } from '../helpers/golden-frames.ts';
import { planOf } from '../helpers/messages.ts';

/** All that is said of a frame which stands behind so many bytes and in front of others. */
function said(plan: MessagePlan, frame: Uint8Array, before: number, filler: number) {
  const bytes = new Uint8Array(before + frame.length + 8).fill(filler);
  bytes.set(frame, before);
  // The memory begins somewhere too.
  const decoded = decodeFrame(plan, bytes.subarray(before >> 1), before - (before >> 1), before - (before >> 1) + frame.length);
  const { tape, tapeLength, error, unknownTags, trailingBytes, length } = decoded;
  return { tape: [...tape.subarray(0, tapeLength)], error, unknownTags, trailingBytes, length, body: bodyValue(decoded, null) };
}

for (const { side, version, bytes } of goldenFrames) {
  test(`the ${side} of version ${version}, whole, cut or damaged, is read the same wherever it stands and whatever is around it`, (t) => {
    const plan = planOf(32, version, side);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = 0xff;
      for (const frame of [bytes.subarray(0, at), bytes.subarray(0, at + 1), damaged]) {
        const expected = said(plan, frame, 0, 0);
        for (const [before, filler] of [
          [7, 0],
          [8, 0x7f],
          [7, 0xff],
        ] as const) {
          t.deepEqual(said(plan, frame, before, filler), expected);
        }
      }
    }
  });
}
