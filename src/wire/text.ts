/** The UTF-8 text in `bytes[start, end)`. What isn't UTF-8 becomes U+FFFD, one for each maximal part of a character (the Unicode Standard, section 3.9). */
export function utf8Text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
}
