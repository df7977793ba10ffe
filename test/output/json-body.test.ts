import test from 'ava';
import fc from 'fast-check';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import type { Decoded } from '../../src/decode/decoded.ts';
import { secretEntries } from '../../src/decode/secrets.ts';
import { bodyValue, type Value } from '../../src/decode/values.ts';
import { encodeFrame } from '../../src/encode/encode.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { JsonBody } from '../../src/output/json-body.ts';
import { jsonStringRoom, writeJsonString } from '../../src/output/json-string.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import type { MessagePlan } from '../../src/schema/plan.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { parseVersions } from '../../src/schema/versions.ts';
import { goldenFrames } from '../helpers/golden-frames.ts';
import { arbitraryStruct, planOf } from '../helpers/messages.ts';

const header = { correlationId: 7, clientId: 'adm' };
// C0, DEL, C1, and the bidi controls: none may reach a terminal as it is.
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

const out = new ByteBuffer();
const writer = new JsonBody(out);

function jsonOf(decoded: Decoded, hidden: ReadonlySet<number> | null = null): string {
  out.clear();
  writer.write(decoded, hidden);
  return Buffer.from(out.view()).toString();
}

/** JSON has no bigint: it gives the nearest number. */
function asParsed(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asParsed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asParsed(member)]));
}

function stringOf(bytes: Uint8Array): string {
  const data = new Uint8Array(jsonStringRoom(bytes.length) + 2);
  const end = writeJsonString(data, 1, bytes, 0, bytes.length);
  return Buffer.from(data.subarray(1, end)).toString();
}

test('a request and a response are written as Kafka writes them, with names beside codes', (t) => {
  const texts = goldenFrames.map(({ side, version, bytes }) => jsonOf(decodeFrame(planOf(32, version, side), bytes, 0, bytes.length)));
  t.is(
    texts[3],
    '{"resources":[{"resourceType":2,"resourceTypeName":"TOPIC","resourceName":"t","configurationKeys":null}],"includeSynonyms":true,"includeDocumentation":false}',
  );
  t.is(
    texts[4],
    '{"throttleTimeMs":0,"results":[{"errorCode":0,"errorName":"NONE","errorMessage":null,"resourceType":2,"resourceTypeName":"TOPIC","resourceName":"t","configs":[{"name":"k","value":"v","readOnly":false,"isDefault":true,"isSensitive":false}]}]}',
  );
  t.is(
    texts[7],
    '{"throttleTimeMs":0,"results":[{"errorCode":0,"errorName":"NONE","errorMessage":null,"resourceType":2,"resourceTypeName":"TOPIC","resourceName":"t","configs":[{"name":"k","value":"v","readOnly":false,"configSource":1,"configSourceName":"DYNAMIC_TOPIC_CONFIG","isSensitive":false,"synonyms":[{"name":"k","value":"v","source":1,"sourceName":"DYNAMIC_TOPIC_CONFIG"}],"configType":5,"configTypeName":"LONG","documentation":null}]}]}',
  );
});

for (const side of ['request', 'response'] as const) {
  for (let version = 0; version <= 4; version++) {
    test(`the ${side} of version ${version}, whole or cut, is valid JSON and safe, and says what bodyValue says`, (t) => {
      const plan = planOf(32, version, side);
      fc.assert(
        fc.property(arbitraryStruct(plan.body), fc.option(fc.nat()), fc.boolean(), (value, cut, showSecrets) => {
          const frame = encodeFrame(plan, header, value);
          const decoded = decodeFrame(plan, frame, 0, cut === null ? frame.length : cut % frame.length);
          const hidden = secretEntries(decoded, showSecrets);
          const text = jsonOf(decoded, hidden);
          t.false(UNSAFE.test(text));
          t.deepEqual(JSON.parse(text), bodyValue(decoded, hidden));
        }),
        { numRuns: 150 },
      );
    });
  }
}

test('every message of Kafka says what bodyValue says', (t) => {
  const schemas = new Schemas();
  schemas.add(messages);
  const plans: MessagePlan[] = messages.flatMap(({ type, apiKey, validVersions }) => {
    if (apiKey === undefined || (type !== 'request' && type !== 'response')) return [];
    return [planOf(apiKey, parseVersions(validVersions).last, type, schemas)];
  });
  for (const plan of plans) {
    fc.assert(
      fc.property(arbitraryStruct(plan.body), (value) => {
        const frame = encodeFrame(plan, header, value);
        const decoded = decodeFrame(plan, frame, 0, frame.length);
        t.deepEqual(JSON.parse(jsonOf(decoded)), asParsed(bodyValue(decoded, null)), plan.name);
      }),
      { numRuns: 10 },
    );
  }
});

test('numbers are written in full, whatever their size', (t) => {
  const schemas = new Schemas();
  schemas.add(messages);
  const plan = planOf(2, 1, 'request', schemas);
  const partition = { partitionIndex: -2_147_483_648, timestamp: -9_223_372_036_854_775_808n };
  const frame = encodeFrame(plan, header, { replicaId: 2_147_483_647, topics: [{ name: 't', partitions: [partition] }] });
  const text = jsonOf(decodeFrame(plan, frame, 0, frame.length));
  t.is(
    text,
    '{"replicaId":2147483647,"topics":[{"name":"t","partitions":[{"partitionIndex":-2147483648,"timestamp":-9223372036854775808}]}]}',
  );
});

test('records are printed by their size alone', (t) => {
  const schemas = new Schemas();
  schemas.add(messages);
  const plan = planOf(0, 3, 'request', schemas);
  const topicData = [
    {
      name: 't',
      partitionData: [
        { index: 0, records: 'AAAA' },
        { index: 1, records: null },
      ],
    },
  ];
  const frame = encodeFrame(plan, header, { transactionalId: null, acks: -1, timeoutMs: 10, topicData });
  const text = jsonOf(decodeFrame(plan, frame, 0, frame.length));
  t.true(text.endsWith('"partitionData":[{"index":0,"recordsSizeInBytes":3},{"index":1,"records":null}]}]}'), text);
});

test('a code without a name is written as unknown, again and again', (t) => {
  const plan = planOf(32, 0, 'request');
  const frame = encodeFrame(plan, header, {
    resources: [1, 99, 99, -1].map((resourceType) => ({ resourceType, resourceName: '', configurationKeys: [] })),
  });
  const text = jsonOf(decodeFrame(plan, frame, 0, frame.length));
  t.deepEqual(text.match(/"resourceTypeName":"[^"]*"/g), [
    '"resourceTypeName":"UNKNOWN(1)"',
    '"resourceTypeName":"UNKNOWN(99)"',
    '"resourceTypeName":"UNKNOWN(99)"',
    '"resourceTypeName":"UNKNOWN(-1)"',
  ]);
});

test('a body of which nothing was decoded is null', (t) => {
  const plan = planOf(32, 4, 'request');
  t.is(jsonOf(decodeFrame(plan, new Uint8Array(3), 0, 3)), 'null');
});

test('any bytes become the JSON string of what the WHATWG decoder makes of them', (t) => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 4 }).map((text) => new TextEncoder().encode(text)),
    fc
      .constantFrom(
        'eda080',
        'c0af',
        'f0808080',
        'f48fbfbf',
        'f4908080',
        'e28080',
        'e2808f',
        'efbbbf',
        'e0a0',
        'f09f92',
        'c285',
        'd89c',
        'e281a9',
      )
      .map((hex) => Uint8Array.from(Buffer.from(hex, 'hex'))),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const bytes = Uint8Array.from(Buffer.concat(pieces));
      const text = stringOf(bytes);
      t.false(UNSAFE.test(text));
      t.is(JSON.parse(text), decoder.decode(bytes));
    }),
    { numRuns: 3000 },
  );
});

const strings: readonly (readonly [text: string, json: string])[] = [
  ['', '""'],
  ['orders', '"orders"'],
  ['"\\/', '"\\"\\\\/"'],
  ['\b\t\n\f\r', '"\\b\\t\\n\\f\\r"'],
  ['\u0000\u001b\u007f', '"\\u0000\\u001b\\u007f"'],
  ['\u0080\u009f\u00a0', '"\\u0080\\u009f\u00a0"'],
  ['\u202a\u202e\u2066\u2069', '"\\u202a\\u202e\\u2066\\u2069"'],
  ['\u2028\ufeff\u200f\u061c', '"\\u2028\\ufeff\\u200f\\u061c"'],
  ['é日💩', '"é日💩"'],
];

for (const [text, json] of strings) {
  test(`the string ${JSON.stringify(text)} is written as ${JSON.stringify(json)}`, (t) => {
    t.is(stringOf(new TextEncoder().encode(text)), json);
  });
}
