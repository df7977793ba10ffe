import { type Decoded, ENTRY_WORDS, Word } from '../decode/decoded.ts';
import { nextAt, nodeAt } from '../decode/walk.ts';
import { Kind } from '../schema/plan.ts';
import { type Holder, pseudonymAt } from './frame-pseudonyms.ts';
import type { Pseudonyms } from './pseudonyms.ts';

const SIZE_BYTES = 4;
const SIZE_ENTRY = 2 * ENTRY_WORDS;

/**
 * The message as if it had been sent with pseudonyms: another frame, on whose tape every entry stands where it stood, so that whatever prints
 * messages prints this one. Its offsets and sizes are its own. Bytes, tagged fields without a schema and what isn't decoded become zeros.
 */
export function redactDecoded(decoded: Decoded, pseudonyms: Pseudonyms): Decoded {
  const rewriter = new FrameRewriter(decoded);
  const holders: (Holder & { readonly next: number })[] = [];
  for (let index = 0; index < decoded.tapeLength; index += ENTRY_WORDS) {
    while (holders.length > 0 && (holders.at(-1)?.next ?? 0) <= index) holders.pop();
    const node = nodeAt(decoded, index);
    const holder = holders.at(-1);
    if (node.kind === Kind.string && holder !== undefined) rewriter.string(index, (at) => pseudonymAt(decoded, at, holder, pseudonyms));
    else if (node.kind === Kind.uuid) rewriter.uuid(index, pseudonyms);
    else if (isOpaque(decoded, index)) rewriter.blank(index);
    if (node.kind < Kind.array) continue;
    const array = holder?.node.kind === Kind.array ? holder.node : (holder?.array ?? null);
    holders.push({ index, node, array: node.kind === Kind.array ? null : array, next: nextAt(decoded, index) });
  }
  return rewriter.finish();
}

/** Bytes that aren't looked into. */
function isOpaque(decoded: Decoded, index: number): boolean {
  const { kind } = nodeAt(decoded, index);
  return kind === Kind.bytes || kind === Kind.records || (kind === Kind.tag && nextAt(decoded, index) === index + ENTRY_WORDS);
}

/** Builds the other frame from front to back. */
class FrameRewriter {
  readonly #decoded: Decoded;
  readonly #tape: Int32Array;
  readonly #parts: Uint8Array[] = [];
  /** Offset in the old frame up to which parts were made. */
  #until = 0;
  #length = 0;
  /** Old offsets, ascending, from which on everything stands by the shift beside it elsewhere. */
  readonly #from: number[] = [0];
  readonly #shifts: number[] = [0];

  constructor(decoded: Decoded) {
    this.#decoded = decoded;
    this.#tape = decoded.tape.slice(0, decoded.tapeLength);
  }

  string(index: number, pseudonym: (index: number) => string | null): void {
    const content = this.#word(index, Word.aux);
    const text = content < 0 ? null : pseudonym(index);
    if (text === null) return;
    const bytes = Buffer.from(text);
    const prefix = nodeAt(this.#decoded, index).compact ? varint(bytes.length + 1) : [bytes.length >> 8, bytes.length & 0xff];
    const start = this.#word(index, Word.start);
    this.#replace(start, this.#word(index, Word.end), Buffer.concat([Uint8Array.from(prefix), bytes]));
    this.#tape[index + Word.aux] = content + prefix.length - (content - start);
  }

  uuid(index: number, pseudonyms: Pseudonyms): void {
    const start = this.#word(index, Word.start);
    const end = this.#word(index, Word.end);
    const bytes = this.#old(start, end);
    if (bytes.some((byte) => byte !== 0)) this.#replace(start, end, pseudonyms.uuid(bytes));
  }

  /** Zeros in the place of the content; the lengths before it stay. */
  blank(index: number): void {
    const end = this.#word(index, Word.end);
    const isTag = nodeAt(this.#decoded, index).kind === Kind.tag;
    const content = isTag ? this.#tagContent(index) : this.#word(index, Word.aux);
    if (content >= 0 && content < end) this.#replace(content, end, new Uint8Array(end - content));
  }

  finish(): Decoded {
    const { tapeLength, length, plan, error, unknownTags } = this.#decoded;
    const known = tapeLength === 0 ? 0 : Math.max(this.#until, this.#word(0, Word.end));
    this.#copy(Math.min(known, length));
    this.#add(new Uint8Array(length - this.#until));
    const bytes = Buffer.concat(this.#parts);
    for (let index = 0; index < tapeLength; index += ENTRY_WORDS) this.#moveEntry(index);
    if (plan.frame !== null && tapeLength > SIZE_ENTRY && bytes.length >= SIZE_BYTES) this.#setSize(bytes);
    return {
      ...this.#decoded,
      bytes,
      origin: 0,
      length: bytes.length,
      tape: this.#tape,
      error: error && { ...error, offset: this.#moved(error.offset) },
      unknownTags: unknownTags.map((tag) => ({ ...tag, start: this.#moved(tag.start), end: this.#moved(tag.end) })),
    };
  }

  #moveEntry(index: number): void {
    const { kind } = nodeAt(this.#decoded, index);
    const start = this.#word(index, Word.start);
    const moved = this.#moved(start);
    const isContent = kind === Kind.string || kind === Kind.bytes || kind === Kind.records;
    const aux = this.#tape[index + Word.aux] as number;
    if (isContent && aux >= 0) this.#tape[index + Word.aux] = aux + moved - start;
    this.#tape[index + Word.start] = moved;
    this.#tape[index + Word.end] = this.#moved(this.#word(index, Word.end));
  }

  /** The size says what the old one said, of the new frame. */
  #setSize(bytes: Buffer): void {
    const size = (this.#decoded.tape[SIZE_ENTRY + Word.aux] as number) + (this.#shifts.at(-1) ?? 0);
    this.#tape[SIZE_ENTRY + Word.aux] = size;
    bytes.writeInt32BE(size, 0);
  }

  /** Where the content of a tagged field begins: behind its tag and its size. */
  #tagContent(index: number): number {
    const bytes = this.#old(this.#word(index, Word.start), this.#word(index, Word.end));
    let at = 0;
    for (let varints = 0; varints < 2; at++) if ((bytes[at] ?? 0) < 0x80) varints++;
    return this.#word(index, Word.start) + at;
  }

  /** Puts `bytes` in the place of `[start, end)`. */
  #replace(start: number, end: number, bytes: Uint8Array): void {
    this.#copy(start);
    this.#add(bytes);
    this.#until = end;
    this.#from.push(end);
    this.#shifts.push(this.#length - end);
  }

  #copy(until: number): void {
    if (until <= this.#until) return;
    this.#add(this.#old(this.#until, until));
    this.#until = until;
  }

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  #old(start: number, end: number): Uint8Array {
    const { bytes, origin } = this.#decoded;
    return bytes.subarray(origin + start, origin + end);
  }

  #word(index: number, word: number): number {
    return this.#decoded.tape[index + word] as number;
  }

  #moved(offset: number): number {
    let low = 0;
    let high = this.#from.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#from[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return offset + (this.#shifts[low] as number);
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
