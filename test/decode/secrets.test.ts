import test from 'ava';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import type { Decoded } from '../../src/decode/decoded.ts';
import { isSecretKey } from '../../src/decode/secret-keys.ts';
import { secretEntries } from '../../src/decode/secrets.ts';
import { bodyValue, type StructValue } from '../../src/decode/values.ts';
import { encodeFrame } from '../../src/encode/encode.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { planOf } from '../helpers/messages.ts';

const schemas = new Schemas();
schemas.add(messages);
const header = { correlationId: 1, clientId: 'c' };

function decodedOf(apiKey: number, version: number, side: 'request' | 'response', body: StructValue): Decoded {
  const plan = planOf(apiKey, version, side, schemas);
  const frame = encodeFrame(plan, header, body);
  return decodeFrame(plan, frame, 0, frame.length);
}

function shown(decoded: Decoded, showSecrets = false): string {
  return JSON.stringify(bodyValue(decoded, secretEntries(decoded, showSecrets)));
}

const keys: readonly (readonly [key: string, secret: boolean])[] = [
  ['ssl.keystore.password', true],
  ['ssl.key.password', true],
  ['ssl.truststore.password', true],
  ['ssl.keystore.key', true],
  ['ssl.keystore.certificate.chain', true],
  ['ssl.truststore.certificates', true],
  ['sasl.jaas.config', true],
  ['listener.name.internal.scram-sha-256.sasl.jaas.config', true],
  ['listener.name.external.ssl.keystore.password', true],
  ['password.encoder.secret', true],
  ['password.encoder.old.secret', true],
  ['delegation.token.master.key', true],
  ['delegation.token.secret.key', true],
  ['sasl.oauthbearer.client.credentials.client.secret', true],
  ['sasl.oauthbearer.assertion.private.key.passphrase', true],
  ['basic.auth.user.info', true],
  ['password', true],
  ['Connect.Database.PASSWORD', true],
  ['password.encoder.iterations', false],
  ['password.encoder.key.length', false],
  ['ssl.keystore.location', false],
  ['ssl.keystore.type', false],
  ['sasl.mechanism', false],
  ['delegation.token.max.lifetime.ms', false],
  ['sasl.oauthbearer.token.endpoint.url', false],
  ['retention.ms', false],
  ['key', false],
  ['', false],
];

for (const [key, secret] of keys) {
  test(`the value of "${key}" is ${secret ? 'a secret' : 'shown'}`, (t) => {
    t.is(isSecretKey(key), secret);
  });
}

function config(name: string, value: string | null, isSensitive: boolean): StructValue {
  const synonyms = [{ name, value, source: 1 }];
  return { name, value, readOnly: false, configSource: 1, isSensitive, synonyms, configType: 2, documentation: null };
}

function response(...configs: StructValue[]): StructValue {
  const result = { errorCode: 0, errorMessage: null, resourceType: 2, resourceName: 't', configs };
  return { throttleTimeMs: 0, results: [result] };
}

for (const version of [1, 4]) {
  test(`DescribeConfigs ${version}: values that a broker calls sensitive are hidden, their synonyms' too, and no others`, (t) => {
    const body = response(config('a', 'hush', true), config('b', 'shown', false), config('c', null, true), config('d', '', true));
    const decoded = decodedOf(32, version, 'response', body);
    t.is(secretEntries(decoded, false)?.size, 4);
    const text = shown(decoded);
    t.false(text.includes('hush'));
    t.true(text.includes('"value":"shown"'));
    t.true(text.includes('{"name":"a","value":"<redacted, 4 bytes>","valueRedacted":true,"readOnly":false'));
    t.true(text.includes('"synonyms":[{"name":"a","value":"<redacted, 4 bytes>","valueRedacted":true,"source":1'));
    t.true(text.includes('{"name":"c","value":null,"readOnly"'));
    t.true(text.includes('"value":"<redacted, 0 bytes>"'));
    t.true(shown(decoded, true).includes('hush'));
  });
}

test('a value is hidden where decoding stopped before it could be called sensitive', (t) => {
  const plan = planOf(32, 1, 'response', schemas);
  const frame = encodeFrame(plan, header, response(config('a', 'hush', true)));
  const readOnly = Buffer.from(frame).indexOf('hush') + 4;
  const cut = decodeFrame(plan, frame, 0, readOnly + 1);
  t.is(cut.error?.code, 'truncated');
  t.false(shown(cut).includes('hush'));
});

test('without secrets there is no set', (t) => {
  t.is(secretEntries(decodedOf(32, 4, 'response', response(config('ssl.key.password', null, true))), false), null);
  const request = { resources: [], includeSynonyms: true, includeDocumentation: true };
  t.is(secretEntries(decodedOf(32, 4, 'request', request), false), null);
});

const alterations: readonly (readonly [title: string, apiKey: number, version: number, body: StructValue])[] = [
  [
    'AlterConfigs',
    33,
    2,
    {
      resources: [{ resourceType: 2, resourceName: 't', configs: pairs({}) }],
      validateOnly: false,
    },
  ],
  [
    'IncrementalAlterConfigs',
    44,
    1,
    {
      resources: [{ resourceType: 2, resourceName: 't', configs: pairs({ configOperation: 0 }) }],
      validateOnly: false,
    },
  ],
  [
    'CreateTopics',
    19,
    7,
    {
      topics: [{ name: 'ssl.key.password', numPartitions: 1, replicationFactor: 1, assignments: [], configs: pairs({}) }],
      timeoutMs: 1,
      validateOnly: false,
    },
  ],
];

function pairs(more: StructValue): StructValue[] {
  return [
    { name: 'sasl.jaas.config', value: 'hush', ...more },
    { name: 'retention.ms', value: 'shown', ...more },
    { name: 'ssl.key.password', value: null, ...more },
  ];
}

for (const [title, apiKey, version, body] of alterations) {
  test(`${title}: values of secret keys are hidden`, (t) => {
    const decoded = decodedOf(apiKey, version, 'request', body);
    t.is(secretEntries(decoded, false)?.size, 1);
    t.false(shown(decoded).includes('hush'));
    t.true(shown(decoded).includes('shown'));
    t.true(shown(decoded, true).includes('hush'));
  });
}

test('SASL tokens are hidden even from those who ask for secrets', (t) => {
  const decoded = decodedOf(36, 2, 'request', { authBytes: Buffer.from('\0u\0hush').toString('base64') });
  t.is(shown(decoded, true), '{"authBytes":"<redacted, 7 bytes>","authBytesRedacted":true}');
});

test('an envelope is hidden whole: what it forwards may hold secrets', (t) => {
  const body = { requestData: 'aHVzaA==', requestPrincipal: null, clientHostAddress: 'fwAAAQ==' };
  const decoded = decodedOf(58, 0, 'request', body);
  t.true(shown(decoded).includes('"requestData":"<redacted, 4 bytes>","requestDataRedacted":true'));
  t.true(shown(decoded, true).includes('aHVzaA=='));
});
