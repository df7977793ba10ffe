const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** Most bytes that a byte of a string becomes: a control character is `\u001b`. */
const MAX_GROWTH = 6;

/** 1 for the bytes that stand for themselves in JSON and are safe on a terminal: printable ASCII but quote and backslash. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0));

/** JSON's short escapes, by byte; 0 where there is none. */
const SHORT_ESCAPES = Uint8Array.from(
  { length: 128 },
  (_, byte) => ({ 8: 0x62, 9: 0x74, 10: 0x6e, 12: 0x66, 13: 0x72, 34: 0x22, 92: 0x5c })[byte] ?? 0,
);

const HEX = Uint8Array.from(Buffer.from('0123456789abcdef'));

/** Most bytes that {@link writeJsonString} writes for `length` bytes. */
export function jsonStringRoom(length: number): number {
  return length * MAX_GROWTH + 2;
}

/**
 * Writes the UTF-8 of `bytes[start, end)` as a JSON string into `out` at `at`, and returns the index behind it. `out` must have
 * {@link jsonStringRoom} for it. Bytes that aren't UTF-8 become U+FFFD as the WHATWG's decoder does it; what a terminal could act on, or
 * what turns its text around, becomes an escape: C0, DEL, C1, bidi controls, line separators, the byte order mark.
 *
 * Copies byte by byte, since most strings are shorter than what makes `set` pay.
 */
export function writeJsonString(out: Uint8Array, at: number, bytes: Uint8Array, start: number, end: number): number {
  let to = at;
  out[to++] = QUOTE;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (PLAIN[byte] === 0) return writeRest(out, to, bytes, i, end);
    out[to++] = byte;
  }
  out[to++] = QUOTE;
  return to;
}

function writeRest(out: Uint8Array, at: number, bytes: Uint8Array, start: number, end: number): number {
  let to = at;
  let i = start;
  while (i < end) {
    const byte = bytes[i] as number;
    if (PLAIN[byte] === 1) {
      out[to++] = byte;
      i++;
    } else if (byte < 0x80) {
      to = writeEscape(out, to, byte);
      i++;
    } else {
      const length = sequenceLength(bytes, i, end);
      to = length > 0 ? writeSequence(out, to, bytes, i, length) : writeReplacement(out, to);
      i += Math.abs(length);
    }
  }
  out[to++] = QUOTE;
  return to;
}

/**
 * Bytes of the UTF-8 sequence at `at`, whose first byte isn't ASCII; negative for one that isn't well-formed: as many as one U+FFFD stands
 * for. (The Unicode Standard, table 3-7, and the WHATWG Encoding Standard's UTF-8 decoder.)
 */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0xc2 || first > 0xf4) return -1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  let most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let i = 1; i < length; i++) {
    const byte = at + i < end ? (bytes[at + i] as number) : 0;
    if (byte < least || byte > most) return -i;
    least = 0x80;
    most = 0xbf;
  }
  return length;
}

function writeSequence(out: Uint8Array, at: number, bytes: Uint8Array, from: number, length: number): number {
  const first = bytes[from] as number;
  const second = bytes[from + 1] as number;
  if (length === 2) {
    const code = ((first & 0x1f) << 6) | (second & 0x3f);
    if (code < 0xa0 || code === 0x061c) return writeEscape(out, at, code);
  } else if (length === 3) {
    const code = ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | ((bytes[from + 2] as number) & 0x3f);
    if (isUnsafe(code)) return writeEscape(out, at, code);
  }
  for (let i = 0; i < length; i++) out[at + i] = bytes[from + i] as number;
  return at + length;
}

/** Marks and controls of bidi text, separators of lines and paragraphs, the byte order mark. */
function isUnsafe(code: number): boolean {
  return code === 0x200e || code === 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code === 0xfeff;
}

function writeEscape(out: Uint8Array, at: number, code: number): number {
  out[at] = BACKSLASH;
  const short = code < 0x80 ? (SHORT_ESCAPES[code] as number) : 0;
  if (short !== 0) {
    out[at + 1] = short;
    return at + 2;
  }
  out[at + 1] = LOWER_U;
  for (let i = 0; i < 4; i++) out[at + 2 + i] = HEX[(code >> (12 - 4 * i)) & 0xf] as number;
  return at + 6;
}

function writeReplacement(out: Uint8Array, at: number): number {
  out[at] = 0xef;
  out[at + 1] = 0xbf;
  out[at + 2] = 0xbd;
  return at + 3;
}
