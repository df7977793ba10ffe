import type { Random } from '../bench/random.ts';

/** Values at the borders of what lengths, counts, ids and versions may be. */
const INTERESTING = [
  0, 1, 2, 3, 4, 5, 32, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x640_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe,
  0xffff_ffff,
];
const VARINTS = [
  [0x80, 0],
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 1],
  [0x80, 0x80, 0x80, 0x80, 0x00],
  [0xfe, 0xff, 0xff, 0xff, 0x07],
];
/** What a terminal, JSON or a decoder of UTF-8 might stumble over. */
const TEXTS = ['\u001b[2J\u001b]0;x\u0007', '\u202e\u2066', '\u009b31m', '\r\n', '\u0000', '"\\', '\ud83d\ude00', '\ufeff\u2028'].map(
  (text) => Buffer.from(text),
);
const BROKEN_TEXTS = [[0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xff], [0xe2, 0x80]];

/** Returns changed bytes, of another length perhaps; the ones given are left alone. */
export function mutateBytes(random: Random, given: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(given);
  const at = random.below(bytes.length + 1);
  switch (random.below(9)) {
    case 0:
      for (let i = random.below(4); i >= 0; i--) flipBit(random, bytes);
      return bytes;
    case 1:
      putInteger(bytes, at, random.pick(INTERESTING), random.pick([1, 2, 4]));
      return bytes;
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return splice(bytes, at, 0, random.pick(TEXTS));
    case 4:
      return splice(bytes, at, random.below(8), []);
    case 5:
      return splice(bytes, at, random.below(4), random.pick([...VARINTS, ...BROKEN_TEXTS]));
    case 6:
      return splice(bytes, at, 0, bytes.subarray(at, at + random.below(64)));
    case 7:
      addTo(bytes, at, random.pick([-2, -1, 1, 2, 16, 128]));
      return bytes;
    default:
      return splice(bytes, at, 0, new Uint8Array(random.below(1 << random.below(12))).fill(random.pick([0, 1, 0x7f, 0x80, 0xff])));
  }
}

/** Writes a big-endian integer as far as it fits. */
export function putInteger(bytes: Uint8Array, at: number, value: number, size: number): void {
  for (let i = 0; i < size && at + i < bytes.length; i++) bytes[at + i] = (value / 256 ** (size - 1 - i)) & 0xff;
}

/** One of {@link putInteger}'s border values, or any other. */
export function borderValue(random: Random): number {
  return random.below(4) === 0 ? random.below(2 ** 32) : random.pick(INTERESTING);
}

function flipBit(random: Random, bytes: Uint8Array): void {
  const at = random.below(bytes.length);
  if (bytes.length > 0) bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
}

function addTo(bytes: Uint8Array, at: number, change: number): void {
  if (at < bytes.length) bytes[at] = (bytes[at] as number) + change;
}

function splice(bytes: Uint8Array, at: number, removed: number, added: Iterable<number>): Uint8Array {
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, at), Uint8Array.from(added), bytes.subarray(at + removed)]));
}
