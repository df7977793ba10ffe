import test from 'ava';
import fc from 'fast-check';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { Word } from '../../src/decode/decoded.ts';
import { bodyValue } from '../../src/decode/values.ts';
import { encodeFrame } from '../../src/encode/encode.ts';
import { smallestInstance } from '../../src/encode/smallest-instance.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import type { MessagePlan } from '../../src/schema/plan.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { parseVersions } from '../../src/schema/versions.ts';
import { arbitraryRawTags, arbitraryStruct, planOf, spanProblem, withoutNames, withRawTags } from '../helpers/messages.ts';

const header = { correlationId: 7, clientId: 'adm' };

const plans: MessagePlan[] = [];
for (const side of ['request', 'response'] as const) {
  for (let version = 0; version <= 4; version++) plans.push(planOf(32, version, side));
}

for (const plan of plans) {
  const title = `${plan.name} version ${plan.version}`;

  test(`${title}: decoding what was encoded gives the value back, and the spans tile the frame`, (t) => {
    fc.assert(
      fc.property(arbitraryStruct(plan.body), arbitraryRawTags, (value, tags) => {
        const frame = encodeFrame(plan, header, withRawTags(value, tags));
        const decoded = decodeFrame(plan, frame, 0, frame.length);
        t.is(decoded.error, null);
        t.is(decoded.trailingBytes, 0);
        t.is(decoded.tape[Word.end], frame.length);
        t.is(spanProblem(decoded), null);
        t.deepEqual(withoutNames(bodyValue(decoded, null), plan), value);
        const tagsOfBody = decoded.unknownTags.filter(({ path }) => path === '').map(({ tag }) => tag);
        t.deepEqual(tagsOfBody, plan.flexible ? tags.map(({ tag }) => tag).sort((one, other) => one - other) : []);
      }),
      { numRuns: 150 },
    );
  });

  test(`${title}: a frame that is cut anywhere decodes to a part of the whole and says where it stopped`, (t) => {
    fc.assert(
      fc.property(arbitraryStruct(plan.body), fc.nat(), (value, cut) => {
        const frame = encodeFrame(plan, header, value);
        const end = cut % frame.length;
        const decoded = decodeFrame(plan, frame, 0, end);
        t.is(decoded.error?.code, 'truncated');
        t.true((decoded.error?.offset ?? 0) <= end);
        t.is(decoded.length, end);
        t.is(spanProblem(decoded), null);
        bodyValue(decoded, null);
      }),
      { numRuns: 150 },
    );
  });

  test(`${title}: no change of bytes throws, and what still decodes is encoded the same by its meaning`, (t) => {
    fc.assert(
      fc.property(arbitraryStruct(plan.body), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }), (value, changes) => {
        const frame = encodeFrame(plan, header, value);
        for (const [at, byte] of changes) frame[4 + (at % (frame.length - 4))] = byte;
        const decoded = decodeFrame(plan, frame, 0, frame.length);
        t.is(spanProblem(decoded), null);
        const body = bodyValue(decoded, null);
        if (decoded.error !== null || body === null) return;
        const again = encodeFrame(plan, header, body);
        t.deepEqual(bodyValue(decodeFrame(plan, again, 0, again.length), null), body);
      }),
      { numRuns: 150 },
    );
  });
}

test('the smallest instance of every version of every message of Kafka decodes to its last byte', (t) => {
  const schemas = new Schemas();
  schemas.add(messages);
  for (const { name, type, apiKey, validVersions } of messages) {
    if (apiKey === undefined || (type !== 'request' && type !== 'response')) continue;
    const { first, last } = parseVersions(validVersions);
    for (let version = first; version <= last; version++) {
      const plan = planOf(apiKey, version, type, schemas);
      const frame = smallestInstance(plan);
      const decoded = decodeFrame(plan, frame, 0, frame.length);
      t.is(decoded.error, null, `${name} ${version}`);
      t.is(decoded.trailingBytes, 0, `${name} ${version}`);
      t.is(spanProblem(decoded), null, `${name} ${version}`);
    }
  }
});

test('any value of any message of Kafka comes back, known tagged fields and null structs too', (t) => {
  const schemas = new Schemas();
  schemas.add(messages);
  const newest = messages.flatMap(({ type, apiKey, validVersions }) => {
    if (apiKey === undefined || (type !== 'request' && type !== 'response')) return [];
    return [planOf(apiKey, parseVersions(validVersions).last, type, schemas)];
  });
  for (const plan of newest) {
    if (plan.nodes.some((node) => node.type === 'records')) continue;
    fc.assert(
      fc.property(arbitraryStruct(plan.body), (value) => {
        const frame = encodeFrame(plan, header, value);
        const decoded = decodeFrame(plan, frame, 0, frame.length);
        t.is(decoded.error, null, plan.name);
        t.deepEqual(withoutNames(bodyValue(decoded, null), plan), value, plan.name);
      }),
      { numRuns: 10 },
    );
  }
});

test('DescribeConfigs: the smallest instances have the sizes of the message page', (t) => {
  t.is(smallestInstance(planOf(32, 4, 'request')).length, 24);
  t.is(smallestInstance(planOf(32, 4, 'response')).length, 35);
});

test('a value that is missing or of another type is refused', (t) => {
  const plan = planOf(32, 4, 'request');
  t.throws(() => encodeFrame(plan, header, { resources: [], includeSynonyms: true }), { message: /IncludeDocumentation can't be missing/ });
  t.throws(() => encodeFrame(plan, header, { resources: null, includeSynonyms: true, includeDocumentation: true }), {
    message: /Resources/,
  });
  t.throws(() => encodeFrame(plan, header, { resources: [], includeSynonyms: 1, includeDocumentation: true }), { message: /bool/ });
});
