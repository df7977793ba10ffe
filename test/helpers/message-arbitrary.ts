import fc from 'fast-check';
import type { FieldDefinition, MessageDefinition } from '../../src/schema/definition.ts';
import { hasVersion } from '../../src/schema/versions.ts';

const MAX_ELEMENTS = 3;

/** Any body of a message in one version, in the JSON that Kafka's converters read and print. Records are any bytes. */
export function arbitraryBody(definition: MessageDefinition, version: number): fc.Arbitrary<unknown> {
  const struct = (fields: readonly FieldDefinition[]): fc.Arbitrary<unknown> => {
    const present = fields.filter((field) => hasVersion(field.versions, version));
    return fc.record(Object.fromEntries(present.map((field) => [jsonName(field.name), value(field)])), { noNullPrototype: true });
  };
  const value = (field: FieldDefinition): fc.Arbitrary<unknown> => {
    const isArray = field.type.startsWith('[]');
    const type = isArray ? field.type.slice(2) : field.type;
    const inner = field.fields ?? definition.commonStructs?.find(({ name }) => name === type)?.fields;
    const single = inner === undefined ? primitive(type) : struct(inner);
    const whole = isArray ? fc.array(single, { maxLength: MAX_ELEMENTS }) : single;
    return hasVersion(field.nullableVersions, version) ? fc.option(whole, { nil: null }) : whole;
  };
  return struct(definition.fields);
}

function jsonName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function primitive(type: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'bool':
      return fc.boolean();
    case 'int8':
      return fc.integer({ min: -128, max: 127 });
    case 'int16':
      return fc.integer({ min: -32_768, max: 32_767 });
    case 'uint16':
      return fc.integer({ min: 0, max: 65_535 });
    case 'int32':
      return fc.integer();
    case 'uint32':
      return fc.integer({ min: 0, max: 0xffff_ffff });
    case 'int64':
      return fc.maxSafeInteger();
    case 'float64':
      // Kafka's reader refuses a number without a fraction.
      return fc.integer().map((whole) => whole + 0.5);
    case 'uuid':
      return bytes(16, 16).map((content) => content.toString('base64url'));
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 20 });
    case 'bytes':
    case 'records':
      return bytes(0, 40).map((content) => content.toString('base64'));
    default:
      throw new Error(`${type} isn't a type of Kafka's`);
  }
}

function bytes(minLength: number, maxLength: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength, maxLength }).map((content) => Buffer.from(content));
}
