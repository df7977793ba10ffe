import type { FieldDefinition, MessageDefinition } from '../../schema/definition.ts';
import { codedField } from '../../schema/enums.ts';
import type { JsonSchema } from './json-schema.ts';

const primitives: Readonly<Record<string, JsonSchema>> = {
  bool: { type: 'boolean' },
  int8: { type: 'integer' },
  int16: { type: 'integer' },
  uint16: { type: 'integer' },
  int32: { type: 'integer' },
  uint32: { type: 'integer' },
  int64: { type: 'integer' },
  string: { type: 'string' },
};

/**
 * The schema of a message's body in all its versions, from its definition: Kafka's own JSON, with the names of codes beside them. No member
 * is required: versions differ, and a damaged message ends anywhere. Knows the types that messages about configs have.
 */
export function bodySchema(definition: MessageDefinition): JsonSchema {
  return structSchema(definition.apiKey ?? -1, definition.fields);
}

function structSchema(apiKey: number, fields: readonly FieldDefinition[]): JsonSchema {
  const properties = Object.fromEntries(fields.flatMap((field) => memberSchemas(apiKey, field)));
  return { type: 'object', properties, additionalProperties: false };
}

function memberSchemas(apiKey: number, field: FieldDefinition): [string, JsonSchema][] {
  const name = field.name.charAt(0).toLowerCase() + field.name.slice(1);
  const schema = { ...fieldSchema(apiKey, field), ...(field.about === undefined ? {} : { description: field.about }) };
  const nameMember = codedField(apiKey, field.name, field.type)?.nameMember ?? null;
  return [
    [name, schema],
    ...(nameMember === null ? [] : [[nameMember, { type: 'string' }] as [string, JsonSchema]]),
    ...(name === 'value' ? [['valueRedacted', { const: true }] as [string, JsonSchema]] : []),
  ];
}

function fieldSchema(apiKey: number, { type, nullableVersions, fields = [] }: FieldDefinition): JsonSchema {
  const itemType = type.replace(/^\[\]/, '');
  const item = primitives[itemType] ?? structSchema(apiKey, fields);
  const schema: JsonSchema = type.startsWith('[]') ? { type: 'array', items: item } : item;
  return nullableVersions === undefined ? schema : { ...schema, type: [schema['type'], 'null'] };
}
