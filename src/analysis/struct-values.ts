import type { StructValue, Value } from '../decode/values.ts';

/** The structs in a member that is an array; none where it is absent or null. */
export function structsIn(struct: StructValue | null, member: string): StructValue[] {
  const value = struct?.[member];
  return Array.isArray(value) ? value.filter(isStruct) : [];
}

/** A member that is a text; null where it is absent. */
export function textIn(struct: StructValue, member: string): string | null {
  const value = struct[member];
  return typeof value === 'string' ? value : null;
}

/** A member that is a number; null where it is absent. */
export function numberIn(struct: StructValue | null, member: string): number | null {
  const value = struct?.[member];
  return typeof value === 'number' ? value : null;
}

/** A member of bytes; null where it is null or absent. */
export function bytesIn(struct: StructValue | null, member: string): Buffer | null {
  const value = struct?.[member];
  return typeof value === 'string' ? Buffer.from(value, 'base64') : null;
}

function isStruct(value: Value): value is StructValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
