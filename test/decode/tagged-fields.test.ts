import test from 'ava';
import { bodyValue } from '../../src/decode/values.ts';
import { bodyEntry, memberEntry, NO_ENTRY } from '../../src/decode/walk.ts';
import type { MessageDefinition } from '../../src/schema/definition.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { decodeHex, frameHex, planOf } from '../helpers/messages.ts';

const definition: MessageDefinition = {
  apiKey: 60,
  type: 'request',
  name: 'TaggedRequest',
  validVersions: '0',
  flexibleVersions: '0+',
  fields: [
    { name: 'Epoch', type: 'int64', versions: '0+', taggedVersions: '0+', tag: 0 },
    {
      name: 'Node',
      type: 'Node',
      versions: '0+',
      nullableVersions: '0+',
      taggedVersions: '0+',
      tag: 2,
      fields: [{ name: 'Id', type: 'int32', versions: '0+' }],
    },
    { name: 'Plain', type: 'int8', versions: '0+' },
  ],
};
const schemas = new Schemas();
schemas.add([definition]);
const plan = planOf(60, 0, 'request', schemas);
const head = '003c 0000 00000001 0000 00';

function decodeBody(hex: string) {
  return decodeHex(plan, frameHex(head + hex));
}

test('known tagged fields are members like the others; unknown ones between them are kept apart', (t) => {
  const decoded = decodeBody('05 03 00 08 0000000000000007 01 01 ff 02 06 01 00000009 00');
  t.is(decoded.error, null);
  t.deepEqual(bodyValue(decoded, null), { plain: 5, epoch: 7, node: { id: 9 } });
  t.deepEqual(
    decoded.unknownTags.map(({ path, tag }) => [path, tag]),
    [['', 1]],
  );
  t.not(memberEntry(decoded, bodyEntry(decoded), 'epoch'), NO_ENTRY);
  t.is(memberEntry(decoded, bodyEntry(decoded), 'other'), NO_ENTRY);
});

test('a nullable struct may be null, with its marker alone', (t) => {
  t.deepEqual(bodyValue(decodeBody('05 01 02 01 ff'), null), { plain: 5, node: null });
});

test('an unknown tag inside a known field has the path of that field', (t) => {
  t.is(decodeBody('05 01 02 08 01 00000009 01 07 00').unknownTags[0]?.path, 'node');
});

const refusals: readonly (readonly [title: string, hex: string, message: RegExp, path: string])[] = [
  ['shorter than its field', '05 01 00 04 00000007', /8 bytes needed, 4 left/, 'taggedFields.epoch'],
  ['longer than its field', '05 01 00 09 000000000000000700', /1 byte left over/, 'taggedFields.epoch'],
  ['that ends inside a struct', '05 01 02 03 010000', /4 bytes needed, 2 left/, 'taggedFields.node.id'],
];

for (const [title, hex, message, path] of refusals) {
  test(`a known tagged field ${title} is malformed`, (t) => {
    const { error } = decodeBody(hex);
    t.is(error?.code, 'malformed');
    t.regex(error?.message ?? '', message);
    t.is(error?.path, path);
  });
}
