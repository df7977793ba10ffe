import { OUTPUT_SPILL_BYTES } from '../limits.ts';

const FIRST_BYTES = 1 << 16;
/** Size that {@link ByteBuffer.clear} keeps; what a rare giant needed beyond it is given back. */
const KEPT_BYTES = 1 << 22;
/** From this length on `set` is faster than a loop, where it needs no view of a part made first; with one, from 64. */
const SET_FROM_BYTES = 24;
const SET_PART_FROM_BYTES = 64;

/** Bytes that grow at their end: what an output is built in before it is written. */
export class ByteBuffer {
  private data = Buffer.allocUnsafe(FIRST_BYTES);
  length = 0;
  /** Writes what is there and clears it, so that no record has to fit into memory. Null where nobody does. */
  drain: (() => void) | null = null;

  /** To be called inside records that may be long, where nothing refers to places in what is there. */
  spill(): void {
    if (this.length >= OUTPUT_SPILL_BYTES && this.drain !== null) this.drain();
  }

  byte(value: number): void {
    if (this.length === this.data.length) this.reserve(1);
    this.data[this.length++] = value;
  }

  /** Copies `bytes[start, end)`. */
  bytes(bytes: Uint8Array, start: number, end: number): void {
    if (this.length + end - start > this.data.length) this.reserve(end - start);
    const { data } = this;
    let at = this.length;
    if (end - start >= SET_PART_FROM_BYTES) data.set(bytes.subarray(start, end), at);
    else for (let i = start; i < end; i++) data[at++] = bytes[i] as number;
    this.length += end - start;
  }

  /** Makes room for `bytes` more, for a caller that writes from {@link length} on itself and raises that. Valid until the next call. */
  room(bytes: number): Uint8Array {
    if (this.length + bytes > this.data.length) this.reserve(bytes);
    return this.data;
  }

  /** Copies all of `bytes`. */
  all(bytes: Uint8Array): void {
    const { length } = bytes;
    if (this.length + length > this.data.length) this.reserve(length);
    const { data } = this;
    let at = this.length;
    if (length >= SET_FROM_BYTES) data.set(bytes, at);
    else for (let i = 0; i < length; i++) data[at++] = bytes[i] as number;
    this.length += length;
  }

  /** Text of ASCII alone; other characters lose their high bits. */
  ascii(text: string): void {
    if (this.length + text.length > this.data.length) this.reserve(text.length);
    const { data } = this;
    let at = this.length;
    for (let i = 0; i < text.length; i++) data[at++] = text.charCodeAt(i);
    this.length = at;
  }

  utf8(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.length + bytes > this.data.length) this.reserve(bytes);
    this.length += this.data.write(text, this.length);
  }

  /** What was added since the last {@link clear}; borrowed until the next call of any other method. */
  view(): Uint8Array {
    return this.data.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
    if (this.data.length > KEPT_BYTES) this.data = Buffer.allocUnsafe(FIRST_BYTES);
  }

  private reserve(bytes: number): void {
    const grown = Buffer.allocUnsafe(Math.max(2 * this.data.length, this.length + bytes));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }
}
