import test from 'ava';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { resourcesOf } from '../../src/decode/resources.ts';
import { encodeFrame } from '../../src/encode/encode.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { goldenFrames } from '../helpers/golden-frames.ts';
import { decodeHex, frameHex, planOf } from '../helpers/messages.ts';

for (const { side, version, bytes } of goldenFrames) {
  test(`the ${side} of version ${version} names its resource`, (t) => {
    t.deepEqual(resourcesOf(decodeFrame(planOf(32, version, side), bytes, 0, bytes.length)), [{ type: 2, name: 't' }]);
  });
}

test('resources come in wire order, those that were cut off are left out', (t) => {
  const head = '0020 0002 00000002 0001 68';
  const decoded = decodeHex(planOf(32, 2, 'request'), frameHex(`${head} 00000003 02 0001 74 ffffffff 04 0001 31 ffffffff 02 0005`));
  t.deepEqual(resourcesOf(decoded), [
    { type: 2, name: 't' },
    { type: 4, name: '1' },
  ]);
});

test('answers to alterations name theirs too, and other messages have none', (t) => {
  const schemas = new Schemas();
  schemas.add(messages);
  const altered = planOf(44, 1, 'response', schemas);
  const response = { errorCode: 0, errorMessage: null, resourceType: 2, resourceName: 'orders' };
  const frame = encodeFrame(altered, { correlationId: 1 }, { throttleTimeMs: 0, responses: [response] });
  t.deepEqual(resourcesOf(decodeFrame(altered, frame, 0, frame.length)), [{ type: 2, name: 'orders' }]);
  const handshake = planOf(17, 1, 'request', schemas);
  const other = encodeFrame(handshake, { correlationId: 1, clientId: null }, { mechanism: 'PLAIN' });
  t.deepEqual(resourcesOf(decodeFrame(handshake, other, 0, other.length)), []);
});
