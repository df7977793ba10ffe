import type { FieldDefinition, MessageDefinition, StructDefinition } from '../schema/definition.ts';
import { hasVersion, parseVersions } from '../schema/versions.ts';

const INDENT = '  ';
/** Members of a field's first line, in Kafka's order. */
const factNames = [
  'name',
  'type',
  'versions',
  'nullableVersions',
  'taggedVersions',
  'tag',
  'flexibleVersions',
  'default',
  'ignorable',
] as const;

/**
 * A message definition in the form of Kafka's own message JSON, comments included, line by line. `version` says for which version it is shown:
 * one that Kafka 4 has is shown as Kafka 4 defines the message, an older one with what Kafka 4 removed.
 */
export function schemaJson(definition: MessageDefinition, version: number): string[] {
  const { apiKey, type, listeners, name, comments = [], flexibleVersions, commonStructs } = definition;
  const { validVersions, pageVersions = validVersions } = definition;
  const shown = hasVersion(pageVersions, version) ? pageVersions : validVersions;
  const members = [
    ...(apiKey === undefined ? [] : [member('apiKey', apiKey)]),
    member('type', type),
    ...(listeners === undefined ? [] : [`"listeners": [${listeners.map((listener) => JSON.stringify(listener)).join(', ')}]`]),
    member('name', name),
  ].map((text) => `${INDENT}${text},`);
  return [
    '{',
    ...members,
    ...comments.map((comment) => `${INDENT}// ${comment}`),
    `${INDENT}${member('validVersions', shown)},`,
    `${INDENT}${member('flexibleVersions', flexibleVersions)},`,
    `${INDENT}"fields": [`,
    ...fieldLines(definition.fields, INDENT + INDENT, shown),
    ...(commonStructs === undefined ? [] : [`${INDENT}],`, `${INDENT}"commonStructs": [`, ...structLines(commonStructs, shown)]),
    `${INDENT}]`,
    '}',
  ];
}

function structLines(structs: readonly StructDefinition[], shown: string): string[] {
  const indent = INDENT + INDENT;
  return structs.flatMap(({ name, versions, fields }, index) => [
    `${indent}{ ${[member('name', name), ...(versions === undefined ? [] : [member('versions', versions)])].join(', ')}, "fields": [`,
    ...fieldLines(fields, indent + INDENT, shown),
    `${indent}]}${index === structs.length - 1 ? '' : ','}`,
  ]);
}

function fieldLines(fields: readonly FieldDefinition[], indent: string, shown: string): string[] {
  const visible = fields.filter((field) => overlap(field.versions, shown));
  return visible.flatMap((field, index) => lines(field, indent, shown, index === visible.length - 1 ? '' : ','));
}

/** One field: what it is on the first line, its meaning on the next, then what it holds. */
function lines(field: FieldDefinition, indent: string, shown: string, comma: string): string[] {
  const { about, fields } = field;
  const head = `${indent}{ ${factNames.flatMap((name) => memberOf(field, name)).join(', ')}`;
  const own = about === undefined ? [head] : [`${head},`, `${indent}  ${member('about', about)}`];
  if (fields === undefined) return withTail(own, ` }${comma}`);
  return [...withTail(own, ', "fields": ['), ...fieldLines(fields, `${indent}  `, shown), `${indent}]}${comma}`];
}

function memberOf(field: FieldDefinition, name: (typeof factNames)[number]): string[] {
  const value: string | number | boolean | undefined = field[name];
  return value === undefined ? [] : [member(name, value)];
}

function withTail(texts: string[], tail: string): string[] {
  return [...texts.slice(0, -1), `${texts.at(-1)}${tail}`];
}

function member(name: string, value: string | number | boolean): string {
  return `"${name}": ${JSON.stringify(value)}`;
}

function overlap(left: string, right: string): boolean {
  const [a, b] = [parseVersions(left), parseVersions(right)];
  return a.first <= b.last && b.first <= a.last;
}
