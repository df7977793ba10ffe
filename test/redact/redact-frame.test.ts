import test from 'ava';
import fc from 'fast-check';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import type { Decoded } from '../../src/decode/decoded.ts';
import { bodyValue, type Value } from '../../src/decode/values.ts';
import { encodeFrame } from '../../src/encode/encode.ts';
import { Pseudonyms } from '../../src/redact/pseudonyms.ts';
import { redactDecoded } from '../../src/redact/redact-frame.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { arbitraryRawTags, arbitraryStruct, planOf, spanProblem, withRawTags } from '../helpers/messages.ts';

const header = { correlationId: 7, clientId: 'billing-service' };
const schemas = new Schemas();
schemas.add(messages);
const pseudonyms = new Pseudonyms('key');

/** DescribeConfigs in all versions, and other messages with arrays of strings, hosts, uuids, bytes and topics called `name`. */
const plans = [
  ...[0, 1, 2, 3, 4].flatMap((version) => [planOf(32, version, 'request'), planOf(32, version, 'response')]),
  ...([3, 19, 33, 44, 29] as const).flatMap((apiKey) => [planOf(apiKey, 1, 'request', schemas), planOf(apiKey, 1, 'response', schemas)]),
  planOf(3, 12, 'response', schemas),
  planOf(19, 7, 'request', schemas),
];

function bodyOf(decoded: Decoded): Value {
  return bodyValue(decoded, null);
}

/** The value with a mark in the place of each text. */
function withoutTexts(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value === 'string') return value === '' ? '' : 'text';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member)]));
}

for (const plan of plans) {
  test(`${plan.name} ${plan.version}: what is redacted is a frame of its own, with all but texts as it was`, (t) => {
    fc.assert(
      fc.property(arbitraryStruct(plan.body), arbitraryRawTags, (value, tags) => {
        const frame = encodeFrame(plan, header, withRawTags(value, tags));
        const decoded = decodeFrame(plan, frame, 0, frame.length);
        const redacted = redactDecoded(decoded, pseudonyms);
        t.is(spanProblem(redacted), null);
        t.deepEqual(withoutTexts(bodyOf(redacted)), withoutTexts(bodyOf(decoded)));
        const again = decodeFrame(plan, redacted.bytes, 0, redacted.bytes.length);
        t.is(again.error, null);
        t.deepEqual(bodyOf(again), bodyOf(redacted));
        t.deepEqual(again.tape.slice(0, again.tapeLength), redacted.tape.slice(0, redacted.tapeLength));
        t.deepEqual(again.unknownTags, redacted.unknownTags);
        t.false(Buffer.from(redacted.bytes).includes('billing-service'));
      }),
      { numRuns: 60 },
    );
  });

  test(`${plan.name} ${plan.version}: a part of a frame keeps its form, and nothing of what isn't decoded`, (t) => {
    fc.assert(
      fc.property(arbitraryStruct(plan.body), fc.nat(), (value, cut) => {
        const frame = encodeFrame(plan, header, value);
        const decoded = decodeFrame(plan, frame, 0, cut % frame.length);
        const redacted = redactDecoded(decoded, pseudonyms);
        t.is(spanProblem(redacted), null);
        t.is(redacted.error?.path, decoded.error?.path);
        t.true((redacted.error?.offset ?? 0) <= redacted.length);
        t.deepEqual(withoutTexts(bodyOf(redacted)), withoutTexts(bodyOf(decoded)));
        const rest = redacted.bytes.subarray(redacted.error?.offset ?? 0);
        t.true(rest.every((byte) => byte === 0));
      }),
      { numRuns: 60 },
    );
  });
}

const plan = planOf(32, 4, 'response');
const config = {
  name: 'retention.ms',
  value: '604800000',
  readOnly: false,
  configSource: 1,
  isSensitive: false,
  synonyms: [{ name: 'log.retention.ms', value: '604800000', source: 5 }],
  configType: 5,
  documentation: 'How long',
};

function redactedResult(resourceType: number, resourceName: string): Value {
  const body = {
    throttleTimeMs: 0,
    results: [{ errorCode: 29, errorMessage: 'no orders', resourceType, resourceName, configs: [config] }],
  };
  const frame = encodeFrame(plan, header, body);
  const value = bodyOf(redactDecoded(decodeFrame(plan, frame, 0, frame.length), pseudonyms));
  return (value as { results: Value[] }).results[0] ?? null;
}

test('keys and documentation stay; names of resources, values and messages become pseudonyms of their kinds', (t) => {
  const value = pseudonyms.of('value', '604800000');
  t.like(redactedResult(2, 'orders') as object, {
    errorMessage: pseudonyms.of('text', 'no orders'),
    resourceName: pseudonyms.of('topic', 'orders'),
    configs: [{ name: 'retention.ms', value, synonyms: [{ name: 'log.retention.ms', value }], documentation: 'How long' }],
  });
});

test('brokers have their numbers, other resources their kind', (t) => {
  t.like(redactedResult(4, '1') as object, { resourceName: '1' });
  t.like(redactedResult(8, '1') as object, { resourceName: '1' });
  t.like(redactedResult(4, 'x1') as object, { resourceName: pseudonyms.of('resource', 'x1') });
  t.like(redactedResult(32, 'app') as object, { resourceName: pseudonyms.of('group', 'app') });
  t.like(redactedResult(99, '1') as object, { resourceName: pseudonyms.of('resource', '1') });
});

test('a topic has one pseudonym in all messages, and a host that of its address', (t) => {
  const created = planOf(19, 1, 'request', schemas);
  const body = {
    topics: [{ name: 'orders', numPartitions: 1, replicationFactor: 1, assignments: [], configs: [] }],
    timeoutMs: 1,
    validateOnly: false,
  };
  const frame = encodeFrame(created, header, body);
  t.like(bodyOf(redactDecoded(decodeFrame(created, frame, 0, frame.length), pseudonyms)) as object, {
    topics: [{ name: pseudonyms.of('topic', 'orders') }],
  });
  const metadata = planOf(3, 1, 'response', schemas);
  const brokers = { brokers: [{ nodeId: 1, host: '10.0.0.2', port: 9092, rack: 'eu-1' }], controllerId: 1, topics: [] };
  const answer = encodeFrame(metadata, header, brokers);
  t.like(bodyOf(redactDecoded(decodeFrame(metadata, answer, 0, answer.length), pseudonyms)) as object, {
    brokers: [
      { nodeId: 1, host: pseudonyms.endpoint('10.0.0.2:9092').replace(':9092', ''), port: 9092, rack: pseudonyms.of('text', 'eu-1') },
    ],
  });
});
