import fc from 'fast-check';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { type Decoded, ENTRY_WORDS, Word } from '../../src/decode/decoded.ts';
import type { Value } from '../../src/decode/values.ts';
import { type EncodableStruct, type RawTag, rawTags } from '../../src/encode/encode.ts';
import { Kind, type MessagePlan, type PlanNode } from '../../src/schema/plan.ts';
import { Schemas } from '../../src/schema/schemas.ts';

/** The plan of a message that has one; throws otherwise. */
export function planOf(apiKey: number, version: number, side: MessagePlan['side'], schemas = new Schemas()): MessagePlan {
  const plan = schemas.plan(apiKey, version, side);
  if (plan === null) throw new Error(`no plan for ${side} ${apiKey} version ${version}`);
  return plan;
}

/** Decodes the bytes that a hexadecimal text says; spaces are left out. */
export function decodeHex(plan: MessagePlan, hex: string): Decoded {
  const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));
  return decodeFrame(plan, bytes, 0, bytes.length);
}

/** A frame: the size prefix of what the text says, and that. */
export function frameHex(hex: string): string {
  const plain = hex.replaceAll(/\s/g, '');
  return (plain.length / 2).toString(16).padStart(8, '0') + plain;
}

/** Texts with what is hard about them: quotes, controls, bidi, marks, other planes. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', '"\\', '\u001b[2J', '\u0000', '\u007f\u0085', '\u202e\u2066', '\ufeff\u2028', 'é日💩', 'x'.repeat(200)),
);

/** Any value of a node as `bodyValue` would give it, without the names of codes. */
export function arbitraryValue(node: PlanNode): fc.Arbitrary<Value> {
  const value = arbitraryNonNull(node);
  return node.nullable ? fc.option(value, { nil: null, freq: 4 }) : value;
}

function arbitraryNonNull(node: PlanNode): fc.Arbitrary<Value> {
  switch (node.kind) {
    case Kind.bool:
      return fc.boolean();
    case Kind.int8:
      return fc.integer({ min: -0x80, max: 0x7f });
    case Kind.int16:
      return fc.integer({ min: -0x8000, max: 0x7fff });
    case Kind.uint16:
      return fc.integer({ min: 0, max: 0xffff });
    case Kind.int32:
      return fc.integer();
    case Kind.uint32:
      return fc.integer({ min: 0, max: 0xffffffff });
    case Kind.int64:
      return fc
        .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
        .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
    case Kind.float64:
      return fc.double().map((value) => (Number.isFinite(value) ? value : String(value)));
    case Kind.uuid:
      return fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
    case Kind.string:
      return text;
    case Kind.bytes:
    case Kind.records:
      return fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case Kind.array:
      return fc.array(arbitraryValue(node.element as PlanNode), { maxLength: 3 });
    default:
      return arbitraryStruct(node);
  }
}

/** Any value of a struct; `tags` gives the tagged fields that its schema doesn't know. */
export function arbitraryStruct(node: PlanNode): fc.Arbitrary<EncodableStruct> {
  const members: Record<string, fc.Arbitrary<Value>> = {};
  const tagged: string[] = [];
  for (const field of node.fields) {
    if (field.kind !== Kind.tags) members[field.jsonName] = arbitraryValue(field);
    for (const known of field.known.values()) {
      members[known.jsonName] = arbitraryNonNull(known);
      tagged.push(known.jsonName);
    }
  }
  const required = Object.keys(members).filter((name) => !tagged.includes(name));
  return fc.record(members, { requiredKeys: required, noNullPrototype: true });
}

/** Tagged fields with tags that no message of Kafka knows. */
export const arbitraryRawTags: fc.Arbitrary<RawTag[]> = fc.uniqueArray(
  fc.record({ tag: fc.integer({ min: 100, max: 2 ** 31 - 1 }), content: fc.uint8Array({ maxLength: 200 }) }),
  { selector: ({ tag }) => tag, maxLength: 3 },
);

/** The struct and all below it with these tagged fields added, where the version is flexible. */
export function withRawTags(value: EncodableStruct, tags: readonly RawTag[]): EncodableStruct {
  const copy: EncodableStruct = {};
  for (const [name, member] of Object.entries(value)) copy[name] = withTagsInside(member, tags);
  copy[rawTags] = tags;
  return copy;
}

function withTagsInside(value: Value, tags: readonly RawTag[]): Value {
  if (Array.isArray(value)) return value.map((element) => withTagsInside(element, tags));
  return typeof value === 'object' && value !== null ? withRawTags(value, tags) : value;
}

/** The body without the names of codes and without the marks of redaction. */
export function withoutNames(value: Value, plan: MessagePlan): Value {
  const names = new Set(plan.nodes.map((node) => node.nameMember));
  const strip = (inner: Value): Value => {
    if (Array.isArray(inner)) return inner.map(strip);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner)
        .filter(([name]) => !names.has(name))
        .map(([name, member]) => [name, strip(member)]),
    );
  };
  return strip(value);
}

/**
 * What is wrong with a tape's spans: children lie within their parent, in order, and between them lie only the lengths, markers and tags of
 * the parent. Null if nothing is.
 */
export function spanProblem(decoded: Decoded): string | null {
  const { tape, tapeLength, plan } = decoded;
  const covered = new Uint8Array(decoded.length);
  for (let index = 0; index < tapeLength; index += ENTRY_WORDS) {
    const [id, start, end, , next] = tape.subarray(index, index + ENTRY_WORDS) as unknown as [number, number, number, number, number];
    const node = plan.nodes[id] as PlanNode;
    if (start > end || end > decoded.length || next > tapeLength) return `${node.name} at ${index}: [${start}, ${end}) next ${next}`;
    let at = node.kind === Kind.struct && !node.nullable ? start : Number.NaN;
    for (let child = index + ENTRY_WORDS; child < next; child = tape[child + Word.next] as number) {
      const from = tape[child + Word.start] as number;
      const until = tape[child + Word.end] as number;
      if (from < start || until > end) return `child of ${node.name} at ${child}: [${from}, ${until}) is not inside [${start}, ${end})`;
      if (from < at || (node.kind === Kind.struct && !Number.isNaN(at) && from !== at)) return `hole or overlap in ${node.name} at ${from}`;
      at = until;
    }
    if (next > index + ENTRY_WORDS) continue;
    if (covered.subarray(start, end).includes(1)) return `${node.name} at ${start} lies where another field does`;
    covered.fill(1, start, end);
  }
  return null;
}
