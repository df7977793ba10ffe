import test from 'ava';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { secretFields } from '../../src/decode/secret-fields.ts';
import { mayHoldSecrets } from '../../src/decode/secrets.ts';
import type { StructValue } from '../../src/decode/values.ts';
import { encodeFrame } from '../../src/encode/encode.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { planOf } from '../helpers/messages.ts';

const INCREMENTAL_ALTER_CONFIGS = 44;
const SASL_AUTHENTICATE = 36;

const schemas = new Schemas();
schemas.add(messages);

function fieldsOf(apiKey: number, version: number, body: StructValue, limit?: number): string[] {
  const plan = planOf(apiKey, version, 'request', schemas);
  const frame = encodeFrame(plan, { correlationId: 1, clientId: 'c' }, body);
  return secretFields(decodeFrame(plan, frame, 0, frame.length), limit).map(({ path, key }) => `${path} ${key}`);
}

const alterations: StructValue = {
  resources: ['1', '2'].map((resourceName) => ({
    resourceType: 4,
    resourceName,
    configs: ['log.dir', 'ssl.key.password', 'sasl.jaas.config'].map((name) => ({ name, configOperation: 0, value: 'x' })),
  })),
  validateOnly: false,
};

test('secrets of configs are told by their path and key, in wire order', (t) => {
  const expected = [
    'resources[0].configs[1].value ssl.key.password',
    'resources[0].configs[2].value sasl.jaas.config',
    'resources[1].configs[1].value ssl.key.password',
    'resources[1].configs[2].value sasl.jaas.config',
  ];
  t.deepEqual(fieldsOf(INCREMENTAL_ALTER_CONFIGS, 1, alterations), expected);
  for (const limit of [0, 1, 3]) t.deepEqual(fieldsOf(INCREMENTAL_ALTER_CONFIGS, 1, alterations, limit), expected.slice(0, limit));
});

test('a secret that is no config has no key', (t) => {
  t.deepEqual(fieldsOf(SASL_AUTHENTICATE, 2, { authBytes: 'AGEAYg==' }), ['authBytes null']);
});

test('a message without a secret has none', (t) => {
  t.deepEqual(fieldsOf(INCREMENTAL_ALTER_CONFIGS, 1, { resources: [], validateOnly: true }), []);
});

const apis = [
  { apiKey: SASL_AUTHENTICATE, name: 'SaslAuthenticate', hidden: true, shown: true },
  { apiKey: INCREMENTAL_ALTER_CONFIGS, name: 'IncrementalAlterConfigs', hidden: true, shown: false },
  { apiKey: 19, name: 'CreateTopics', hidden: true, shown: false },
  { apiKey: 32, name: 'DescribeConfigs', hidden: false, shown: false },
  { apiKey: 3, name: 'Metadata', hidden: false, shown: false },
];
for (const { apiKey, name, hidden, shown } of apis) {
  test(`what can't be decoded of ${name} is ${hidden ? 'hidden' : 'shown'}, and ${shown ? 'hidden' : 'shown'} where secrets are asked for`, (t) => {
    t.is(mayHoldSecrets(apiKey, false), hidden);
    t.is(mayHoldSecrets(apiKey, true), shown);
  });
}
