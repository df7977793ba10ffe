/** Numbers of either byte order, which captures have. The caller has checked that the bytes are there. */

/** The two bytes at `offset`, 0 to 65,535. */
export function uint16(bytes: Uint8Array, offset: number, littleEndian: boolean): number {
  const first = bytes[offset] as number;
  const second = bytes[offset + 1] as number;
  return littleEndian ? first | (second << 8) : (first << 8) | second;
}

/** The four bytes at `offset`, 0 to 4,294,967,295. */
export function uint32(bytes: Uint8Array, offset: number, littleEndian: boolean): number {
  const first = bytes[offset] as number;
  const second = bytes[offset + 1] as number;
  const third = bytes[offset + 2] as number;
  const fourth = bytes[offset + 3] as number;
  return littleEndian
    ? (first | (second << 8) | (third << 16) | (fourth << 24)) >>> 0
    : ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0;
}
