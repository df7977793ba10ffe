import test from 'ava';
import { Pseudonyms } from '../../src/redact/pseudonyms.ts';
import { redactMessage, redactRow } from '../../src/redact/redact-record.ts';

const pseudonyms = new Pseudonyms('key');
const topic = pseudonyms.of('topic', 'orders');

test('a refusal: who and what is hidden, why isn’t', (t) => {
  const row = {
    type: 'refusal',
    clientId: 'adm',
    address: '10.0.0.1',
    principal: 'User:bob',
    resourceType: 2,
    resourceTypeName: 'TOPIC',
    resourceName: 'orders',
    errorName: 'TOPIC_AUTHORIZATION_FAILED',
    firstTime: '2026-11-29T18:14:00Z',
    missingAcl: 'DESCRIBE_CONFIGS on TOPIC orders',
    hint: 'asked of broker 10.0.0.2:9092: a broker tells of its own configs alone, so that orders must be asked itself',
  };
  t.deepEqual(redactRow(row, pseudonyms), {
    ...row,
    clientId: pseudonyms.of('client', 'adm'),
    address: pseudonyms.host('10.0.0.1'),
    principal: pseudonyms.principal('User:bob'),
    resourceName: topic,
    missingAcl: `DESCRIBE_CONFIGS on TOPIC ${topic}`,
    hint: `asked of broker ${pseudonyms.endpoint('10.0.0.2:9092')}: a broker tells of its own configs alone, so that ${topic} must be asked itself`,
  });
});

test('values, wherever they stand; lengths of secrets and nulls stay', (t) => {
  const row = {
    resourceType: 4,
    resourceName: '1',
    broker: '10.0.0.2:9092',
    from: { value: '1', source: 1 },
    to: { value: null, source: 5 },
    changes: [{ key: 'k', op: 'SET', value: '<redacted, 3 bytes>', valueRedacted: true }],
    clients: { adm: 3, '(null)': 1 },
    configs: { 'retention.ms': '1' },
    addresses: ['10.0.0.1'],
    principals: [null, 'User:bob'],
    software: [{ name: 'kgo', version: 'v1' }],
  };
  const value = pseudonyms.of('value', '1');
  t.deepEqual(redactRow(row, pseudonyms) as unknown, {
    ...row,
    broker: pseudonyms.endpoint('10.0.0.2:9092'),
    from: { value, source: 1 },
    clients: { [pseudonyms.of('client', 'adm')]: 3, '(null)': 1 },
    configs: { 'retention.ms': value },
    addresses: [pseudonyms.host('10.0.0.1')],
    principals: [null, pseudonyms.principal('User:bob')],
  });
  t.is(redactRow({ broker: '1' }, pseudonyms).broker, '1');
});

test('a member that nobody has thought of is hidden', (t) => {
  t.deepEqual(redactRow({ surprise: 'orders' }, pseudonyms), { surprise: pseudonyms.of('text', 'orders') });
});

test('addresses and quoted texts in sentences', (t) => {
  t.is(
    redactMessage('TLS, server name "broker.example.com", 10.0.0.1:5 → [2001:db8::1]:9092, packet 10', pseudonyms),
    `TLS, server name "${pseudonyms.of('text', '"broker.example.com"')}", ${pseudonyms.endpoint('10.0.0.1:5')} → ${pseudonyms.endpoint('[2001:db8::1]:9092')}, packet 10`,
  );
});
