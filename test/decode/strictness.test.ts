import test from 'ava';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { bodyValue } from '../../src/decode/values.ts';
import { MAX_UNKNOWN_TAGS } from '../../src/limits.ts';
import { decodeHex, frameHex, planOf } from '../helpers/messages.ts';

/** Headers of a request from client "h" with correlation id 2. */
const head = { 2: '0020 0002 00000002 0001 68', 4: '0020 0004 00000002 0001 68 00' };

interface Refusal {
  readonly title: string;
  readonly version: 2 | 4;
  readonly body: string;
  readonly message: RegExp;
  /** Counted from the body's start. */
  readonly offset: number;
  readonly path: string;
}

const refusals: readonly Refusal[] = [
  { title: 'no body', version: 2, body: '', message: /ends inside the field: 4 bytes needed, 0 left/, offset: 0, path: 'resources' },
  { title: 'an array count of -2', version: 2, body: 'fffffffe', message: /array count -2 is not valid/, offset: 0, path: 'resources' },
  { title: 'a null array', version: 2, body: 'ffffffff 01', message: /Resources is not nullable/, offset: 0, path: 'resources' },
  { title: 'a null compact array', version: 4, body: '00 01 00 00', message: /not nullable/, offset: 0, path: 'resources' },
  {
    title: 'an array count of 2^31-1',
    version: 2,
    body: '7fffffff 02 0001 74 ffffffff 01',
    message: /array count 2147483647 exceeds the frame: 9 bytes left/,
    offset: 0,
    path: 'resources',
  },
  {
    title: 'a compact array count of 2^32-2',
    version: 4,
    body: 'ffffffff0f 02 0274 00 00 01 00 00',
    message: /array count 4294967294 exceeds the frame/,
    offset: 0,
    path: 'resources',
  },
  {
    title: 'a varint of six bytes',
    version: 4,
    body: '828080808000 0000',
    message: /varint longer than 5 bytes/,
    offset: 0,
    path: 'resources',
  },
  {
    title: 'a string length of -2',
    version: 2,
    body: '00000001 02 fffe 000000000000',
    message: /string length -2 is not valid/,
    offset: 5,
    path: 'resources[0].resourceName',
  },
  {
    title: 'a null string',
    version: 2,
    body: '00000001 02 ffff 000000000000',
    message: /ResourceName is not nullable/,
    offset: 5,
    path: 'resources[0].resourceName',
  },
  {
    title: 'a string beyond the frame',
    version: 2,
    body: '00000001 02 7fff 74000000000000',
    message: /string length 32767 exceeds the frame: 7 bytes left/,
    offset: 5,
    path: 'resources[0].resourceName',
  },
  {
    title: 'a compact string beyond the frame',
    version: 4,
    body: '02 02 7f 74 00 00',
    message: /string length 126 exceeds the frame/,
    offset: 2,
    path: 'resources[0].resourceName',
  },
  {
    title: 'a compact string longer than a string may be',
    version: 4,
    body: `02 02 818002 ${'61'.repeat(32_768)} 00 00 00 00 00`,
    message: /string length 32768 exceeds Kafka's limit of 32767/,
    offset: 2,
    path: 'resources[0].resourceName',
  },
  {
    title: 'a null key among the keys',
    version: 2,
    body: '00000001 02 0001 74 00000002 0001 6b ffff 01',
    message: /string is not nullable/,
    offset: 15,
    path: 'resources[0].configurationKeys[1]',
  },
  {
    title: 'a tagged field count of 2^32-1',
    version: 4,
    body: '01 00 00 ffffffff0f',
    message: /tagged field count 4294967295 exceeds the frame/,
    offset: 3,
    path: 'taggedFields',
  },
  {
    title: 'a tagged field beyond the frame',
    version: 4,
    body: '01 00 00 01 05 04 dead',
    message: /size 4 of tag 5 exceeds the frame: 2 bytes left/,
    offset: 4,
    path: 'taggedFields',
  },
  {
    title: 'tags that are not in ascending order',
    version: 4,
    body: '01 00 00 02 05 00 05 00',
    message: /tag 5 after tag 5/,
    offset: 6,
    path: 'taggedFields',
  },
  {
    title: 'a tag beyond 31 bits',
    version: 4,
    body: '01 00 00 01 8080808008 00',
    message: /tag 2147483648 is not valid/,
    offset: 4,
    path: 'taggedFields',
  },
  {
    title: 'a bad tagged field of an array element',
    version: 4,
    body: '03 02 0274 00 00 02 0275 00 01 07 09 0000',
    message: /size 9 of tag 7/,
    offset: 11,
    path: 'resources[1].taggedFields',
  },
];

for (const { title, version, body, message, offset, path } of refusals) {
  test(`refused as malformed: ${title}`, (t) => {
    const decoded = decodeHex(planOf(32, version, 'request'), frameHex(head[version] + body));
    t.is(decoded.error?.code, 'malformed');
    t.regex(decoded.error?.message ?? '', message);
    t.is(decoded.error?.path, path);
    t.is((decoded.error?.offset ?? 0) - 4 - head[version].replaceAll(' ', '').length / 2, offset);
    t.is(decoded.trailingBytes, 0);
  });
}

const wholeBodies: readonly (readonly [title: string, version: 2 | 4, body: string, value: object, trailing: number])[] = [
  ['a boolean of 2, which is true', 2, '00000000 02', { resources: [], includeSynonyms: true }, 0],
  ['over-long varints', 4, '818000 00 00 8000', { resources: [], includeSynonyms: false, includeDocumentation: false }, 0],
  ['bytes after the body', 2, '00000000 00 dead', { resources: [], includeSynonyms: false }, 2],
  ['an empty tagged field', 4, '01 00 00 01 05 00', { resources: [], includeSynonyms: false, includeDocumentation: false }, 0],
];

for (const [title, version, body, value, trailing] of wholeBodies) {
  test(`accepted, as Kafka does: ${title}`, (t) => {
    const decoded = decodeHex(planOf(32, version, 'request'), frameHex(head[version] + body));
    t.is(decoded.error, null);
    t.deepEqual(bodyValue(decoded, null), value);
    t.is(decoded.trailingBytes, trailing);
  });
}

const headers: readonly (readonly [title: string, hex: string, code: 'truncated' | 'malformed', path: string])[] = [
  ['no byte at all', '', 'truncated', 'size'],
  ['half a size prefix', '0000', 'truncated', 'size'],
  ['a negative size', 'ffffffff', 'malformed', 'size'],
  ['an empty frame', '00000000', 'malformed', 'header.requestApiKey'],
  ['a frame that ends in its header', '00000004 00200002', 'malformed', 'header.correlationId'],
  ['a client id beyond the frame', '0000000d 00200002 00000002 7fff 616263', 'malformed', 'header.clientId'],
  ['a client id that was not captured', '0000001d 00200002 00000002 0005 616263', 'truncated', 'header.clientId'],
];

for (const [title, hex, code, path] of headers) {
  test(`${code}: ${title}`, (t) => {
    const decoded = decodeHex(planOf(32, 2, 'request'), hex);
    t.is(decoded.error?.code, code);
    t.is(decoded.error?.path, path);
    t.is(bodyValue(decoded, null), null);
  });
}

test('bytes that are missing are told from those the frame never had, even when more is missing than both', (t) => {
  const plan = planOf(32, 2, 'request');
  const body = '00000001 02 0009 74';
  t.is(decodeHex(plan, `00000020 ${head[2]} ${body}`).error?.code, 'truncated');
  t.is(decodeHex(plan, `00000015 ${head[2]} ${body}`).error?.code, 'malformed');
});

test('what stands behind the frame is not looked at', (t) => {
  const plan = planOf(32, 2, 'request');
  const decoded = decodeHex(plan, `${frameHex(`${head[2]} 00000000 01`)} ffffffffffff`);
  t.is(decoded.error, null);
  t.is(decoded.trailingBytes, 0);
  t.deepEqual(bodyValue(decoded, null), { resources: [], includeSynonyms: true });
});

test('a frame is decoded where it lies', (t) => {
  const plan = planOf(32, 2, 'request');
  const hex = frameHex(`${head[2]} 00000000 01`);
  const bytes = Uint8Array.from(Buffer.from(`ffffff${hex}`, 'hex'));
  const decoded = decodeFrame(plan, bytes, 3, bytes.length);
  t.is(decoded.origin, 3);
  t.is(decoded.error, null);
  t.deepEqual(bodyValue(decoded, null), { resources: [], includeSynonyms: true });
});

test('where decoding stops, what came before is there', (t) => {
  const decoded = decodeHex(planOf(32, 2, 'request'), frameHex(`${head[2]} 00000002 02 0001 74 00000001 0001 6b 04 0001`));
  t.is(decoded.error?.path, 'resources[1].resourceName');
  t.deepEqual(bodyValue(decoded, null), {
    resources: [
      { resourceType: 2, resourceTypeName: 'TOPIC', resourceName: 't', configurationKeys: ['k'] },
      { resourceType: 4, resourceTypeName: 'BROKER' },
    ],
  });
});

test('unknown tags are kept with the struct they stand in', (t) => {
  const decoded = decodeHex(
    planOf(32, 4, 'request'),
    frameHex('0020 0004 00000002 0001 68 01 63 01 aa  03 02 0274 00 00 02 0275 00 02 07 02 bbcc 09 00 00 00 01 8001 01 dd'),
  );
  t.is(decoded.error, null);
  t.deepEqual(
    decoded.unknownTags.map(({ path, tag, start, end }) => [path, tag, Buffer.from(decoded.bytes.subarray(start, end)).toString('hex')]),
    [
      ['header', 99, 'aa'],
      ['resources[1]', 7, 'bbcc'],
      ['resources[1]', 9, ''],
      ['', 128, 'dd'],
    ],
  );
});

for (const [count, code] of [
  [MAX_UNKNOWN_TAGS, undefined],
  [MAX_UNKNOWN_TAGS + 1, 'too-large'],
] as const) {
  test(`${count} unknown tags are ${code ?? 'kept'}`, (t) => {
    const body: number[] = [1, 0, 0, (count & 0x7f) | 0x80, ((count >> 7) & 0x7f) | 0x80, count >> 14];
    for (let tag = 0; tag < count; tag++) body.push((tag & 0x7f) | 0x80, ((tag >> 7) & 0x7f) | 0x80, tag >> 14, 0);
    const decoded = decodeHex(planOf(32, 4, 'request'), frameHex(head[4] + Buffer.from(body).toString('hex')));
    t.is(decoded.error?.code, code);
    t.is(decoded.unknownTags.length, MAX_UNKNOWN_TAGS);
  });
}
