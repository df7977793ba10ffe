import type { StructValue, Value } from '../decode/values.ts';
import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import { WireWriter } from './wire-writer.ts';

/** A tagged field that is written as it is. */
export interface RawTag {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** Member of a struct that holds tagged fields to be added to those that the schema knows. Their tags must be others than the known ones. */
export const rawTags: unique symbol = Symbol('raw tagged fields');

/** A struct to encode: values by their JSON names in the form of `bodyValue`; members that the version lacks are ignored. */
export interface EncodableStruct extends StructValue {
  [rawTags]?: readonly RawTag[];
}

/**
 * Encodes a message as a frame, size prefix first. `header` needs a `correlationId` and, for requests, a `clientId`; api key and version are
 * the plan's. Throws a TypeError or RangeError where a value is missing or not of its field's type: what is encoded is ours, never input.
 * A tagged field that is absent or null is left out.
 */
export function encodeFrame(plan: MessagePlan, header: EncodableStruct, body: EncodableStruct): Uint8Array {
  const writer = new WireWriter();
  writer.int32(0);
  writeStruct(writer, plan.header, { requestApiKey: plan.apiKey, requestApiVersion: plan.version, ...header });
  writeStruct(writer, plan.body, body);
  const frame = writer.take();
  new DataView(frame.buffer).setInt32(0, frame.length - 4);
  return frame;
}

function writeStruct(writer: WireWriter, node: PlanNode, value: EncodableStruct): void {
  for (const field of node.fields) {
    if (field.kind === Kind.tags) writeTags(writer, field, value);
    else writeValue(writer, field, value[field.jsonName]);
  }
}

function writeTags(writer: WireWriter, node: PlanNode, value: EncodableStruct): void {
  const tags: RawTag[] = [...(value[rawTags] ?? [])];
  for (const [tag, field] of node.known) {
    const member = value[field.jsonName];
    if (member === undefined || member === null) continue;
    const content = new WireWriter();
    writeValue(content, field, member);
    tags.push({ tag, content: content.take() });
  }
  tags.sort((one, other) => one.tag - other.tag);
  writer.varint(tags.length);
  for (const { tag, content } of tags) {
    writer.varint(tag);
    writer.varint(content.length);
    writer.bytes(content);
  }
}

function writeValue(writer: WireWriter, node: PlanNode, value: Value | undefined): void {
  switch (node.kind) {
    case Kind.bool:
      writer.int8(expect(node, value, 'boolean') ? 1 : 0);
      break;
    case Kind.int8:
      writer.int8(expect(node, value, 'number'));
      break;
    case Kind.int16:
      writer.int16(expect(node, value, 'number'));
      break;
    case Kind.uint16:
      writer.uint16(expect(node, value, 'number'));
      break;
    case Kind.int32:
      writer.int32(expect(node, value, 'number'));
      break;
    case Kind.uint32:
      writer.uint32(expect(node, value, 'number'));
      break;
    case Kind.int64:
      writer.int64(typeof value === 'bigint' ? value : BigInt(expect(node, value, 'number')));
      break;
    case Kind.float64:
      writer.float64(typeof value === 'string' ? Number(value) : expect(node, value, 'number'));
      break;
    case Kind.uuid:
      writer.bytes(Buffer.from(expect(node, value, 'string'), 'base64url'));
      break;
    case Kind.string:
      writeContent(writer, node, value, 'utf8');
      break;
    case Kind.array:
      writeArray(writer, node, value);
      break;
    case Kind.struct:
      writeNullableStruct(writer, node, value);
      break;
    default:
      writeContent(writer, node, value, 'base64');
  }
}

function writeContent(writer: WireWriter, node: PlanNode, value: Value | undefined, encoding: 'utf8' | 'base64'): void {
  if (isNull(node, value)) {
    writeLength(writer, node, -1);
    return;
  }
  const content = Buffer.from(expect(node, value, 'string'), encoding);
  writeLength(writer, node, content.length);
  writer.bytes(content);
}

function writeArray(writer: WireWriter, node: PlanNode, value: Value | undefined): void {
  if (isNull(node, value)) {
    writeLength(writer, node, -1);
    return;
  }
  if (!Array.isArray(value)) throw unfit(node, value);
  writeLength(writer, node, value.length);
  for (const element of value) writeValue(writer, node.element as PlanNode, element);
}

/** A nullable struct has a byte before it: -1 for null, 1 otherwise. */
function writeNullableStruct(writer: WireWriter, node: PlanNode, value: Value | undefined): void {
  if (isNull(node, value)) {
    writer.int8(-1);
    return;
  }
  if (node.nullable) writer.int8(1);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unfit(node, value);
  writeStruct(writer, node, value);
}

function writeLength(writer: WireWriter, node: PlanNode, length: number): void {
  if (node.compact) writer.varint(length + 1);
  else if (node.kind === Kind.string) writer.int16(length);
  else writer.int32(length);
}

function isNull(node: PlanNode, value: Value | undefined): boolean {
  return node.nullable && value === null;
}

interface Primitives {
  boolean: boolean;
  number: number;
  string: string;
}

function expect<T extends keyof Primitives>(node: PlanNode, value: Value | undefined, type: T): Primitives[T] {
  if (typeof value === type) return value as Primitives[T];
  throw unfit(node, value);
}

function unfit(node: PlanNode, value: Value | undefined): TypeError {
  return new TypeError(`${node.name} can't be ${value === undefined ? 'missing' : String(value)}: it is ${node.type}`);
}
