import { codeName } from '../schema/enums.ts';
import { Kind } from '../schema/plan.ts';
import { contentBuffer, contentBytes, float64At, int64At, redactedText, textAt, uuidAt } from './content.ts';
import type { Decoded } from './decoded.ts';
import { auxAt, bodyEntry, childEntries, NO_ENTRY, nodeAt } from './walk.ts';

/** A field's value as Kafka's JSON has it; int64 beyond ±2^53 is a bigint. */
export type Value = null | boolean | number | bigint | string | Value[] | StructValue;
/** A structure: its members by name, in the order of the wire. */
export interface StructValue {
  [member: string]: Value;
}

/** Tape indexes, null where there are none. */
type Entries = ReadonlySet<number> | null;

/**
 * The body as plain objects, with the names and values of Kafka's own JSON converters and the names of codes beside them. Members that
 * weren't decoded are absent; null if nothing of the body was. The entries in `hidden` (of `secretEntries`) are redacted, the elements of
 * arrays in `leftOut` are absent.
 */
export function bodyValue(decoded: Decoded, hidden: Entries, leftOut: Entries = null): StructValue | null {
  const index = bodyEntry(decoded);
  return index === NO_ENTRY ? null : structValue(decoded, index, hidden, leftOut);
}

function structValue(decoded: Decoded, index: number, hidden: Entries, leftOut: Entries): StructValue {
  const value: StructValue = {};
  for (const child of childEntries(decoded, index)) {
    if (nodeAt(decoded, child).kind !== Kind.tags) setMember(value, decoded, child, hidden, leftOut);
    else for (const field of knownTagEntries(decoded, child)) setMember(value, decoded, field, hidden, leftOut);
  }
  return value;
}

function* knownTagEntries(decoded: Decoded, tags: number): Generator<number> {
  for (const tag of childEntries(decoded, tags)) yield* childEntries(decoded, tag);
}

function setMember(value: StructValue, decoded: Decoded, index: number, hidden: Entries, leftOut: Entries): void {
  const node = nodeAt(decoded, index);
  const { jsonName } = node;
  if (hidden?.has(index)) {
    value[jsonName] = redactedText(contentBytes(decoded, index));
    value[`${jsonName}Redacted`] = true;
    return;
  }
  // Kafka's converters don't print records, only how large they are.
  if (node.kind === Kind.records && auxAt(decoded, index) >= 0) {
    value[`${jsonName}SizeInBytes`] = contentBytes(decoded, index);
    return;
  }
  value[jsonName] = entryValue(decoded, index, hidden, leftOut);
  if (node.nameMember !== null && node.names !== null) value[node.nameMember] = codeName(node.names, auxAt(decoded, index));
}

/** The value of the entry at `index`. */
export function entryValue(decoded: Decoded, index: number, hidden: Entries, leftOut: Entries = null): Value {
  const { kind } = nodeAt(decoded, index);
  const aux = auxAt(decoded, index);
  switch (kind) {
    case Kind.bool:
      return aux !== 0;
    case Kind.int8:
    case Kind.int16:
    case Kind.uint16:
    case Kind.int32:
      return aux;
    case Kind.uint32:
      return aux >>> 0;
    case Kind.int64:
      return safeInteger(int64At(decoded, index));
    case Kind.float64:
      return finite(float64At(decoded, index));
    case Kind.uuid:
      return uuidAt(decoded, index);
    case Kind.string:
      return textAt(decoded, index);
    case Kind.bytes:
    case Kind.records:
      return aux < 0 ? null : contentBuffer(decoded, index).toString('base64');
    case Kind.array:
      return aux < 0 ? null : elements(decoded, index, leftOut).map((child) => entryValue(decoded, child, hidden, leftOut));
    case Kind.struct:
      return aux < 0 ? null : structValue(decoded, index, hidden, leftOut);
    default:
      return auxAt(decoded, index);
  }
}

function elements(decoded: Decoded, array: number, leftOut: Entries): number[] {
  const children = [...childEntries(decoded, array)];
  return leftOut === null ? children : children.filter((child) => !leftOut.has(child));
}

function safeInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** What JSON can't say as a number, Kafka's JSON says as a text. */
function finite(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
