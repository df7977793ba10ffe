import type { FieldDefinition, MessageDefinition } from './definition.ts';
import { codedField } from './enums.ts';
import { Kind, type MessagePlan, type PlanNode } from './plan.ts';
import { hasVersion } from './versions.ts';

/** Deepest nesting of a message definition. Kafka's deepest is 6; the interpreter's recursion is bounded by it. */
const MAX_DEPTH = 32;

const NO_FIELDS: readonly PlanNode[] = [];
const NO_TAGS: ReadonlyMap<number, PlanNode> = new Map();

/** Types of Kafka's message JSON that aren't structs; `nullable_string` is the message pages' word for the client id's type. */
const primitives: ReadonlyMap<string, Kind> = new Map([
  ['bool', Kind.bool],
  ['int8', Kind.int8],
  ['int16', Kind.int16],
  ['uint16', Kind.uint16],
  ['int32', Kind.int32],
  ['uint32', Kind.uint32],
  ['int64', Kind.int64],
  ['float64', Kind.float64],
  ['uuid', Kind.uuid],
  ['string', Kind.string],
  ['nullable_string', Kind.string],
  ['bytes', Kind.bytes],
  ['records', Kind.records],
]);

/** `ResourceType` → `resourceType`, as Kafka's JSON converters do; the headers' `client_id` → `clientId`. */
function jsonNameOf(name: string): string {
  const joined = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

interface NodeFacts {
  kind: Kind;
  name: string;
  type: string;
  about?: string;
  nullable?: boolean;
  compact?: boolean;
  names?: ReadonlyMap<number, string> | null;
  nameMember?: string | null;
  element?: PlanNode | null;
  fields?: readonly PlanNode[];
  known?: ReadonlyMap<number, PlanNode>;
}

/** Numbers the nodes of one plan. */
class Nodes {
  readonly list: PlanNode[] = [];

  add(facts: NodeFacts): PlanNode {
    const node: PlanNode = {
      id: this.list.length,
      kind: facts.kind,
      name: facts.name,
      jsonName: jsonNameOf(facts.name),
      type: facts.type,
      about: facts.about ?? '',
      nullable: facts.nullable ?? false,
      compact: facts.compact ?? false,
      names: facts.names ?? null,
      nameMember: facts.nameMember ?? null,
      element: facts.element ?? null,
      fields: facts.fields ?? NO_FIELDS,
      known: facts.known ?? NO_TAGS,
    };
    this.list.push(node);
    return node;
  }
}

/** Compiles one message definition (a body or a header) in one version into plan nodes. */
class DefinitionCompiler {
  private readonly nodes: Nodes;
  private readonly definition: MessageDefinition;
  private readonly version: number;
  private readonly apiKey: number;
  private readonly tag: PlanNode;
  private readonly tagsAbout: string;
  readonly flexible: boolean;

  constructor(nodes: Nodes, definition: MessageDefinition, version: number, apiKey: number, tag: PlanNode) {
    this.nodes = nodes;
    this.definition = definition;
    this.version = version;
    this.apiKey = apiKey;
    this.tag = tag;
    this.tagsAbout = `number of tagged fields in ${definition.type === 'header' ? 'the header' : 'this struct'}`;
    this.flexible = hasVersion(definition.flexibleVersions, version);
  }

  root(type: string, about: string): PlanNode {
    return this.struct(this.definition.name, type, about, this.definition.fields, false, 0);
  }

  private struct(
    name: string,
    type: string,
    about: string,
    definitions: readonly FieldDefinition[],
    nullable: boolean,
    depth: number,
  ): PlanNode {
    if (depth > MAX_DEPTH) throw new Error(`${this.definition.name} nests deeper than ${MAX_DEPTH}`);
    const fields: PlanNode[] = [];
    const known = new Map<number, PlanNode>();
    for (const field of definitions) {
      if (!hasVersion(field.versions, this.version)) continue;
      const node = this.field(field, depth);
      if (field.tag !== undefined && hasVersion(field.taggedVersions, this.version)) known.set(field.tag, node);
      else fields.push(node);
    }
    if (this.flexible) {
      fields.push(
        this.nodes.add({ kind: Kind.tags, name: 'tagged_fields', type: 'uvarint', about: this.tagsAbout, element: this.tag, known }),
      );
    }
    return this.nodes.add({ kind: Kind.struct, name, type, about, nullable, fields });
  }

  private field(field: FieldDefinition, depth: number): PlanNode {
    const { name, type, about = '' } = field;
    const nullable = hasVersion(field.nullableVersions, this.version);
    if (!type.startsWith('[]')) return this.value(field, type, name, nullable, about, depth);
    const elementType = type.slice(2);
    const element = this.value(field, elementType, elementType, false, '', depth);
    return this.nodes.add({ kind: Kind.array, name, type, about, nullable, compact: this.isCompact(field), element });
  }

  private value(field: FieldDefinition, type: string, name: string, nullable: boolean, about: string, depth: number): PlanNode {
    const kind = primitives.get(type);
    if (kind === undefined) return this.struct(name, type, about, this.fieldsOf(field, type), nullable, depth + 1);
    const compact = kind >= Kind.string && this.isCompact(field);
    const coded = codedField(this.apiKey, field.name, field.type);
    return this.nodes.add({
      kind,
      name,
      type,
      about,
      nullable,
      compact,
      names: coded?.names ?? null,
      nameMember: coded?.nameMember ?? null,
    });
  }

  private isCompact(field: FieldDefinition): boolean {
    return field.flexibleVersions === undefined ? this.flexible : hasVersion(field.flexibleVersions, this.version);
  }

  private fieldsOf(field: FieldDefinition, type: string): readonly FieldDefinition[] {
    const fields = field.fields ?? this.definition.commonStructs?.find((struct) => struct.name === type)?.fields;
    if (fields === undefined) throw new Error(`${this.definition.name} has no type ${type}`);
    return fields;
  }
}

/**
 * Makes the plan of a message in one version: the frame from its size prefix on, or without that where it stands in another message
 * (`embedded`). Throws if the definition isn't sound (a type that isn't
 * there, nesting without end): a mistake in our data, never input.
 */
export function compileMessage(
  definition: MessageDefinition,
  version: number,
  headerDefinition: MessageDefinition,
  headerVersion: number,
  embedded = false,
): MessagePlan {
  const apiKey = definition.apiKey ?? -1;
  const nodes = new Nodes();
  const frame = embedded ? null : frameNode(nodes);
  const tag = nodes.add({ kind: Kind.tag, name: 'tag', type: 'bytes', about: 'unknown tagged field' });
  const side = definition.type === 'request' ? 'request' : 'response';
  const header = new DefinitionCompiler(nodes, headerDefinition, headerVersion, -1, tag).root(`v${headerVersion}`, `common ${side} header`);
  const compiler = new DefinitionCompiler(nodes, definition, version, apiKey, tag);
  const body = compiler.root('struct', `message body, version ${version}`);
  const root = nodes.add({
    kind: Kind.struct,
    name: definition.name,
    type: `message v${version}`,
    fields: frame === null ? [header, body] : [frame, header, body],
  });
  return {
    name: definition.name,
    apiKey,
    version,
    side,
    flexible: compiler.flexible,
    headerVersion,
    root,
    frame,
    header,
    body,
    nodes: nodes.list,
  };
}

function frameNode(nodes: Nodes): PlanNode {
  const size = nodes.add({ kind: Kind.int32, name: 'size', type: 'int32', about: 'number of bytes that follow' });
  return nodes.add({ kind: Kind.struct, name: 'Frame', type: '', about: 'length-delimited framing', fields: [size] });
}
