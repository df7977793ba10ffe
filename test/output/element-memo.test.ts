import test from 'ava';
import fc from 'fast-check';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { bodyValue } from '../../src/decode/values.ts';
import { type EncodableStruct, encodeFrame } from '../../src/encode/encode.ts';
import { MAX_MEMO_BYTES } from '../../src/limits.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { JsonBody } from '../../src/output/json-body.ts';
import { planOf } from '../helpers/messages.ts';

/** A writer: what it makes of an answer with these configs, and what it should. */
function createWriter(): (configs: readonly EncodableStruct[], version: number) => { written: unknown; right: unknown } {
  const out = new ByteBuffer();
  const body = new JsonBody(out);
  return (configs, version) => {
    const plan = planOf(32, version, 'response');
    const result = { errorCode: 0, errorMessage: null, resourceType: 2, resourceName: 'orders', configs: [...configs] };
    const frame = encodeFrame(plan, { correlationId: 7 }, { throttleTimeMs: 0, results: [result] });
    const decoded = decodeFrame(plan, frame, 0, frame.length);
    out.clear();
    body.write(decoded, null);
    return { written: JSON.parse(Buffer.from(out.view()).toString()), right: bodyValue(decoded, null) };
  };
}

function config(name: string, value: string | null, documentation: string | null): EncodableStruct {
  const synonyms = [{ name, value, source: 5 }];
  return { name, value, readOnly: false, isDefault: true, configSource: 5, isSensitive: false, synonyms, configType: 2, documentation };
}

test('elements that come again, in other company and other versions, are written as if they were new', (t) => {
  const texts = fc.constantFrom('', 'delete', 'delete,compact', 'x'.repeat(40), 'é"\u001b', 'y'.repeat(5000));
  const configs = fc.array(
    fc.tuple(texts, fc.option(texts), fc.option(texts)).map(([name, value, documentation]) => config(name, value, documentation)),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(configs, fc.integer({ min: 0, max: 4 })), { maxLength: 8 }), (answers) => {
      const write = createWriter();
      for (const [some, version] of [...answers, ...answers, ...answers]) {
        const { written, right } = write(some, version);
        t.deepEqual(written, right);
      }
    }),
    { numRuns: 200 },
  );
});

test('more elements than are remembered are written all the same', (t) => {
  const write = createWriter();
  const rounds = Math.ceil(MAX_MEMO_BYTES / (100 * 6000)) + 2;
  for (let round = 0; round < rounds; round++) {
    const many = Array.from({ length: 100 }, (_, i) => config(`k${i}`, String(round), 'z'.repeat(3000)));
    for (let again = 0; again < 3; again++) {
      const { written, right } = write(many, 4);
      t.deepEqual(written, right);
    }
  }
});
