import type { FieldDefinition, MessageDefinition } from '../src/schema/definition.ts';
import { hasVersion, parseVersions } from '../src/schema/versions.ts';

/** Where messages without a key are sorted. */
const LAST_KEY = 0x7fff;

/** A field in the versions found so far. */
interface UnionField {
  readonly name: string;
  readonly type: string;
  readonly tag: number | undefined;
  readonly default: FieldDefinition['default'];
  readonly versions: Set<number>;
  readonly nullable: Set<number>;
  readonly tagged: Set<number>;
  /** Versions in which the field itself is flexible; undefined where it follows its message. */
  readonly flexible: Set<number> | undefined;
}

/** Structs by the name of their type, unique within a message; the body is ''. */
type Structs = Map<string, UnionField[]>;

/** One message in all versions of all releases. */
interface UnionMessage {
  readonly newest: MessageDefinition;
  readonly formerNames: Set<string>;
  readonly versions: Set<number>;
  readonly flexible: Set<number>;
  readonly structs: Structs;
}

/**
 * The union of several releases' definitions, newest release first: each version of a message is laid out as in the newest release that has
 * it, so newer field names win, and so do the final layouts of versions that older releases had as a preview. Throws where releases can't
 * be put into one definition (a field whose versions have a hole, fields in another order).
 */
export function unionOfDefinitions(releases: readonly (readonly MessageDefinition[])[]): MessageDefinition[] {
  const messages = new Map<string, UnionMessage>();
  for (const definition of releases.flat()) {
    const key = definition.apiKey === undefined ? definition.name : `${definition.type} ${definition.apiKey}`;
    const message = messages.get(key) ?? {
      newest: definition,
      formerNames: new Set<string>(),
      versions: new Set<number>(),
      flexible: new Set<number>(),
      structs: new Map(),
    };
    messages.set(key, message);
    if (definition.name !== message.newest.name) message.formerNames.add(definition.name);
    // From the last version down, so that the order of fields is the newest one's.
    const { first, last } = parseVersions(definition.validVersions);
    for (let version = last; version >= first; version--) addVersion(message, definition, version);
  }
  return [...messages.values()].map(toDefinition).sort(byKeyThenName);
}

function byKeyThenName(a: MessageDefinition, b: MessageDefinition): number {
  return (a.apiKey ?? LAST_KEY) - (b.apiKey ?? LAST_KEY) || (a.name < b.name ? -1 : 1);
}

function addVersion(message: UnionMessage, definition: MessageDefinition, version: number): void {
  if (message.versions.has(version)) return;
  message.versions.add(version);
  if (hasVersion(definition.flexibleVersions, version)) message.flexible.add(version);
  const common = new Map(definition.commonStructs?.map(({ name, fields }) => [name, fields]));
  const done = new Set<string>();
  const addStruct = (name: string, fields: readonly FieldDefinition[]): void => {
    if (done.has(name)) return;
    done.add(name);
    const present = fields.filter((field) => hasVersion(field.versions, version));
    const union = message.structs.get(name) ?? [];
    message.structs.set(name, union);
    mergeFields(union, present, version, `${definition.name} v${version} ${name}`);
    for (const field of present) {
      const type = structOf(field.type);
      const inner = field.fields ?? common.get(type);
      if (inner !== undefined) addStruct(type, inner);
    }
  };
  addStruct('', definition.fields);
}

/** Adds one version's fields to a struct, each new one behind the field it follows. */
function mergeFields(union: UnionField[], present: readonly FieldDefinition[], version: number, where: string): void {
  let behind = 0;
  for (const field of present) {
    let index = union.findIndex((known) => isSameField(known, field));
    if (index < 0) {
      index = behind;
      union.splice(index, 0, newField(field));
    }
    if (index < behind) throw new Error(`${where}: ${field.name} stands elsewhere in a newer version`);
    const known = union[index] as UnionField;
    behind = index + 1;
    known.versions.add(version);
    for (const member of ['nullable', 'tagged', 'flexible'] as const) {
      if (hasVersion(field[`${member}Versions`], version)) known[member]?.add(version);
    }
  }
}

function isSameField(known: UnionField, field: FieldDefinition): boolean {
  return (
    known.name === field.name && known.type === field.type && (known.flexible === undefined) === (field.flexibleVersions === undefined)
  );
}

function newField({ name, type, tag, default: byDefault, flexibleVersions }: FieldDefinition): UnionField {
  const flexible = flexibleVersions === undefined ? undefined : new Set<number>();
  return { name, type, tag, default: byDefault, versions: new Set(), nullable: new Set(), tagged: new Set(), flexible };
}

function structOf(type: string): string {
  return type.replace(/^\[\]/, '');
}

function toDefinition({ newest, formerNames, versions, flexible, structs }: UnionMessage): MessageDefinition {
  const last = Math.max(...versions);
  const uses = new Map<string, number>();
  for (const { type } of [...structs.values()].flat()) uses.set(structOf(type), (uses.get(structOf(type)) ?? 0) + 1);
  const isCommon = (name: string): boolean => structs.has(name) && (uses.get(name) ?? 0) > 1;
  const toFields = (struct: string): FieldDefinition[] => (structs.get(struct) ?? []).map(toField);
  const toField = (field: UnionField): FieldDefinition => {
    const struct = structOf(field.type);
    return {
      name: field.name,
      type: field.type,
      versions: toRange(field.versions, last),
      ...(field.nullable.size > 0 && { nullableVersions: toRange(field.nullable, last) }),
      ...(field.tagged.size > 0 && { taggedVersions: toRange(field.tagged, last), tag: field.tag as number }),
      ...(field.flexible !== undefined && { flexibleVersions: toRange(field.flexible, last) }),
      ...(field.default !== undefined && { default: field.default }),
      ...(structs.has(struct) && !isCommon(struct) && { fields: toFields(struct) }),
    };
  };
  const commonStructs = [...structs.keys()].filter(isCommon).map((name) => ({ name, fields: toFields(name) }));
  return {
    ...(newest.apiKey !== undefined && { apiKey: newest.apiKey }),
    type: newest.type,
    name: newest.name,
    ...(formerNames.size > 0 && { formerNames: [...formerNames] }),
    validVersions: toRange(versions, last)
      .replace('+', `-${last}`)
      .replace(/^(\d+)-\1$/, '$1'),
    flexibleVersions: toRange(flexible, last),
    fields: toFields(''),
    ...(commonStructs.length > 0 && { commonStructs }),
  };
}

function toRange(versions: ReadonlySet<number>, last: number): string {
  if (versions.size === 0) return 'none';
  const start = Math.min(...versions);
  const end = Math.max(...versions);
  if (end - start + 1 !== versions.size) throw new Error(`versions with a hole: ${[...versions]}`);
  if (end === last) return `${start}+`;
  return start === end ? `${start}` : `${start}-${end}`;
}
