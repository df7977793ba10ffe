/**
 * Big-endian numbers (network order) out of bytes. The caller has checked that the bytes are there: a hot path checks once for
 * a whole header. Beyond the array's end the missing bytes read as 0.
 */

/** The two bytes at `offset`, 0 to 65,535. */
export function uint16(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number);
}

/** The two bytes at `offset`, -32,768 to 32,767. */
export function int16(bytes: Uint8Array, offset: number): number {
  return (((bytes[offset] as number) << 24) >> 16) | (bytes[offset + 1] as number);
}

/** The four bytes at `offset`, -2,147,483,648 to 2,147,483,647. */
export function int32(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset] as number) << 24) |
    ((bytes[offset + 1] as number) << 16) |
    ((bytes[offset + 2] as number) << 8) |
    (bytes[offset + 3] as number)
  );
}

/** The four bytes at `offset`, 0 to 4,294,967,295. */
export function uint32(bytes: Uint8Array, offset: number): number {
  return int32(bytes, offset) >>> 0;
}
