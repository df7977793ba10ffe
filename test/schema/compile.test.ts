import test from 'ava';
import { compileMessage } from '../../src/schema/compile.ts';
import type { FieldDefinition, MessageDefinition } from '../../src/schema/definition.ts';
import { requestHeader } from '../../src/schema/headers.ts';
import { Kind, type PlanNode } from '../../src/schema/plan.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { planOf } from '../helpers/messages.ts';

function bodyOf(fields: readonly FieldDefinition[], version: number, more: Partial<MessageDefinition> = {}): PlanNode {
  const definition: MessageDefinition = {
    apiKey: 1000,
    type: 'request',
    name: 'TestRequest',
    validVersions: '0-9',
    flexibleVersions: '2+',
    fields,
    ...more,
  };
  return compileMessage(definition, version, requestHeader, 1).body;
}

/** `name:type`, with `?` for nullable and `*` for compact, in wire order. */
function shape(node: PlanNode): string {
  return node.fields.map((field) => `${field.jsonName}:${field.type}${field.nullable ? '?' : ''}${field.compact ? '*' : ''}`).join(' ');
}

const describeConfigs: readonly (readonly [side: 'request' | 'response', version: number, body: string])[] = [
  ['request', 0, 'resources:[]DescribeConfigsResource'],
  ['request', 1, 'resources:[]DescribeConfigsResource includeSynonyms:bool'],
  ['request', 2, 'resources:[]DescribeConfigsResource includeSynonyms:bool'],
  ['request', 3, 'resources:[]DescribeConfigsResource includeSynonyms:bool includeDocumentation:bool'],
  ['request', 4, 'resources:[]DescribeConfigsResource* includeSynonyms:bool includeDocumentation:bool taggedFields:uvarint'],
];

for (const [side, version, body] of describeConfigs) {
  test(`the ${side} of DescribeConfigs ${version} has the fields of that version`, (t) => {
    t.is(shape(planOf(32, version, side).body), body);
  });
}

const configs: readonly (readonly [version: number, fields: string])[] = [
  [0, 'name:string value:string? readOnly:bool isDefault:bool isSensitive:bool'],
  [1, 'name:string value:string? readOnly:bool configSource:int8 isSensitive:bool synonyms:[]DescribeConfigsSynonym'],
  [2, 'name:string value:string? readOnly:bool configSource:int8 isSensitive:bool synonyms:[]DescribeConfigsSynonym'],
  [
    3,
    'name:string value:string? readOnly:bool configSource:int8 isSensitive:bool synonyms:[]DescribeConfigsSynonym configType:int8 documentation:string?',
  ],
  [
    4,
    'name:string* value:string?* readOnly:bool configSource:int8 isSensitive:bool synonyms:[]DescribeConfigsSynonym* configType:int8 documentation:string?* taggedFields:uvarint',
  ],
];

for (const [version, fields] of configs) {
  test(`a config of version ${version} has the fields of that version`, (t) => {
    const results = planOf(32, version, 'response').body.fields[1];
    const config = results?.element?.fields.find(({ name }) => name === 'Configs')?.element;
    t.is(config?.name, 'DescribeConfigsResourceResult');
    if (config) t.is(shape(config), fields);
  });
}

test('the frame and headers have the names, types and meanings of the message page', (t) => {
  const { root, header } = planOf(32, 4, 'request');
  t.like(root, { name: 'DescribeConfigsRequest', type: 'message v4' });
  t.deepEqual(
    root.fields.map(({ name, type, about }) => [name, type, about]),
    [
      ['Frame', '', 'length-delimited framing'],
      ['RequestHeader', 'v2', 'common request header'],
      ['DescribeConfigsRequest', 'struct', 'message body, version 4'],
    ],
  );
  t.deepEqual(
    header.fields.map(({ name, type, about }) => [name, type, about]),
    [
      ['request_api_key', 'int16', 'numeric id of the API being invoked'],
      ['request_api_version', 'int16', 'version of the API being invoked'],
      ['correlation_id', 'int32', 'echoed back by the broker in the response'],
      ['client_id', 'nullable_string', 'always a non-flexible int16-prefixed string'],
      ['tagged_fields', 'uvarint', 'number of tagged fields in the header'],
    ],
  );
  t.is(header.fields[0]?.names?.get(32), 'DescribeConfigs');
  t.is(root.fields[2]?.fields.at(-1)?.about, 'number of tagged fields in this struct');
});

test('the client id keeps its int16 length in flexible versions', (t) => {
  t.like(planOf(32, 4, 'request').header.fields[3], { kind: Kind.string, compact: false, nullable: true });
});

test('a field is tagged in its tagged versions and plain in others', (t) => {
  const fields: FieldDefinition[] = [{ name: 'Epoch', type: 'int64', versions: '1+', taggedVersions: '2+', tag: 3 }];
  t.is(shape(bodyOf(fields, 0)), '');
  t.is(shape(bodyOf(fields, 1)), 'epoch:int64');
  const body = bodyOf(fields, 2);
  t.is(shape(body), 'taggedFields:uvarint');
  t.is(body.fields[0]?.known.get(3)?.jsonName, 'epoch');
});

test('common structs are found by name, and may be nullable', (t) => {
  const fields: FieldDefinition[] = [
    { name: 'One', type: 'Point', versions: '0+', nullableVersions: '0+' },
    { name: 'Many', type: '[]Point', versions: '0+' },
  ];
  const commonStructs = [{ name: 'Point', versions: '0+', fields: [{ name: 'X', type: 'uint16', versions: '0+' }] }];
  const body = bodyOf(fields, 0, { commonStructs });
  t.is(shape(body), 'one:Point? many:[]Point');
  t.like(body.fields[0], { kind: Kind.struct, nullable: true });
  t.like(body.fields[1]?.element, { kind: Kind.struct, nullable: false });
});

test('definitions that are not sound are refused', (t) => {
  t.throws(() => bodyOf([{ name: 'A', type: 'Missing', versions: '0+' }], 0), { message: /no type Missing/ });
  const commonStructs = [{ name: 'Loop', fields: [{ name: 'Next', type: 'Loop', versions: '0+', nullableVersions: '0+' }] }];
  t.throws(() => bodyOf([{ name: 'A', type: 'Loop', versions: '0+' }], 0, { commonStructs }), { message: /nests deeper/ });
});

test('a plan is compiled once, and there is none for an unknown API or version', (t) => {
  const schemas = new Schemas();
  t.is(schemas.plan(32, 4, 'request'), schemas.plan(32, 4, 'request'));
  t.not(schemas.plan(32, 4, 'request'), null);
  t.is(schemas.plan(32, 5, 'request'), null);
  t.is(schemas.plan(32, -1, 'request'), null);
  t.is(schemas.plan(33, 0, 'request'), null);
});

test('each node stands in the plan under its id', (t) => {
  const { nodes, root } = planOf(32, 4, 'response');
  for (const [index, node] of nodes.entries()) t.is(node.id, index);
  t.is(nodes[root.id], root);
});
