import test from 'ava';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { ForwardedDecoder } from '../../src/decode/forwarded.ts';
import { saslUser } from '../../src/decode/sasl.ts';
import { secretEntries } from '../../src/decode/secrets.ts';
import { bodyValue, type StructValue } from '../../src/decode/values.ts';
import { encodeFrame } from '../../src/encode/encode.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';

const ENVELOPE = 58;
const INCREMENTAL_ALTER_CONFIGS = 44;
const SIZE_BYTES = 4;

const schemas = new Schemas();
schemas.add(messages);

function encode(apiKey: number, version: number, side: 'request' | 'response', body: StructValue): Uint8Array {
  const plan = schemas.plan(apiKey, version, side);
  if (plan === null) throw new Error('no plan');
  return encodeFrame(plan, { correlationId: 7, clientId: 'adm' }, body);
}

/** A message as envelopes hold it: without its size prefix. */
function inner(side: 'request' | 'response', body: StructValue): string {
  return Buffer.from(encode(INCREMENTAL_ALTER_CONFIGS, 1, side, body).subarray(SIZE_BYTES)).toString('base64');
}

const alteration: StructValue = {
  resources: [{ resourceType: 2, resourceName: 'orders', configs: [{ name: 'ssl.keystore.password', configOperation: 0, value: 'hush' }] }],
  validateOnly: false,
};
const result: StructValue = {
  throttleTimeMs: 0,
  responses: [{ errorCode: 0, errorMessage: null, resourceType: 2, resourceName: 'orders' }],
};
// Version 0 of DefaultPrincipalData, then its compact strings, a bool and no tags.
const alice = Buffer.from('\0\0\x05User\x06alice\0\0', 'latin1').toString('base64');

/** Opens an envelope with these fields; its frame begins somewhere in its bytes. */
function open(request: StructValue, response: StructValue | null = { responseData: inner('response', result), errorCode: 0 }) {
  const decoded = [request, response].map((body, index) => {
    if (body === null) return null;
    const side = index === 0 ? 'request' : 'response';
    const frame = encode(ENVELOPE, 0, side, body);
    const bytes = Uint8Array.from([1, 2, 3, ...frame, 9]);
    const plan = schemas.plan(ENVELOPE, 0, side);
    return plan && decodeFrame(plan, bytes, 3, 3 + frame.length);
  });
  const [outer, answer] = decoded;
  if (!outer) throw new Error('no request');
  return { outer, forwarded: new ForwardedDecoder(schemas).decode(outer, answer ?? null) };
}

const whole: StructValue = { requestData: inner('request', alteration), requestPrincipal: alice, clientHostAddress: 'CgAACQ==' };

test('an envelope holds a request, its answer, whose they are and where they came from', (t) => {
  const { forwarded } = open(whole);
  t.is(forwarded?.apiKey, INCREMENTAL_ALTER_CONFIGS);
  t.is(forwarded?.apiVersion, 1);
  t.is(forwarded?.correlationId, 7);
  t.is(Buffer.from(forwarded?.clientId ?? []).toString(), 'adm');
  t.is(forwarded?.principal, 'User:alice');
  t.deepEqual([...(forwarded?.clientAddress ?? [])], [10, 0, 0, 9]);
  t.is(bodyValue(forwarded?.request ?? fail(), null)?.['validateOnly'], false);
  t.deepEqual(bodyValue(forwarded?.response ?? fail(), null)?.['throttleTimeMs'], 0);
});

function fail(): never {
  throw new Error('not decoded');
}

test('its offsets are those of the envelope: they say where in its frame the bytes are', (t) => {
  const { outer, forwarded } = open(whole);
  const decoded = forwarded?.request ?? fail();
  t.is(decoded.bytes, outer.bytes);
  t.is(decoded.origin, outer.origin);
  t.deepEqual([...outer.bytes.subarray(outer.origin + (decoded.tape[1] as number)).subarray(0, 4)], [0, INCREMENTAL_ALTER_CONFIGS, 0, 1]);
  t.is(decoded.error, null);
  t.is(decoded.trailingBytes, 0);
});

test('secrets in it are found', (t) => {
  const decoded = open(whole).forwarded?.request ?? fail();
  const text = JSON.stringify(bodyValue(decoded, secretEntries(decoded, false)));
  t.false(text.includes('hush'));
  t.true(text.includes('<redacted, 4 bytes>'));
});

const odd: readonly (readonly [string, StructValue, StructValue | null, Record<string, unknown> | null])[] = [
  ['without an answer', whole, null, { response: null }],
  ['with an answer that holds nothing', whole, { responseData: null, errorCode: 41 }, { response: null }],
  ['without a principal', { ...whole, requestPrincipal: null }, null, { principal: null }],
  ["with a principal in an operator's own form", { ...whole, requestPrincipal: 'aGVsbG8=' }, null, { principal: null }],
  [
    'with a principal that is too long',
    { ...whole, requestPrincipal: Buffer.from(`${atob(alice)}x`, 'latin1').toString('base64') },
    null,
    { principal: null },
  ],
  ['with an address of no kind', { ...whole, clientHostAddress: 'CgAA' }, null, { clientAddress: null }],
  ['with a request that is too short', { ...whole, requestData: 'AAAA' }, null, null],
  [
    'with a request of an unknown version',
    { ...whole, requestData: 'ACwAYwAAAAf//wA=' },
    null,
    { apiVersion: 99, clientId: null, request: null },
  ],
  ['with a request of an unknown API', { ...whole, requestData: 'I/8AAAAAAAf//wA=' }, null, { request: null }],
];

for (const [title, request, response, expected] of odd) {
  test(`an envelope ${title}`, (t) => {
    const { forwarded } = open(request, response);
    if (expected === null) t.is(forwarded, null);
    else t.like(forwarded, expected);
  });
}

test('an IPv6 address has 16 bytes', (t) => {
  const { forwarded } = open({ ...whole, clientHostAddress: Buffer.alloc(16, 1).toString('base64') });
  t.is(forwarded?.clientAddress?.length, 16);
});

const users: readonly (readonly [mechanism: string | null, token: string, user: string | null])[] = [
  ['PLAIN', '\0alice\0secret', 'alice'],
  ['PLAIN', 'admin\0alice\0secret', 'alice'],
  ['PLAIN', '\0\0secret', ''],
  ['PLAIN', 'alice', null],
  ['PLAIN', '', null],
  ['SCRAM-SHA-256', 'n,,n=alice,r=abc', 'alice'],
  ['SCRAM-SHA-512', 'n,a=admin,n=al=3Dice=2C,r=abc,tokenauth=true', 'al=ice,'],
  ['SCRAM-SHA-512', 'p=tls-unique,,m=x,n=alice,r=abc', 'alice'],
  ['SCRAM-SHA-512', 'c=biws,r=abc,p=proof', null],
  ['OAUTHBEARER', 'n,,\x01auth=Bearer x\x01\x01', null],
  ['GSSAPI', '\0alice\0secret', null],
  [null, '\0alice\0secret', null],
];

for (const [mechanism, token, user] of users) {
  test(`the user of ${mechanism} ${JSON.stringify(token)} is ${user}`, (t) => {
    t.is(saslUser(mechanism, Buffer.from(token)), user);
  });
}
