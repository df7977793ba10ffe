/** First size, and what {@link ByteBuffer.clear} goes back to: enough for nearly every exchange. */
const FIRST_BYTES = 1 << 16;

/** Bytes that grow at their end: what an output is built in before it is written. */
export class ByteBuffer {
  private data = Buffer.allocUnsafe(FIRST_BYTES);
  length = 0;

  byte(value: number): void {
    if (this.length === this.data.length) this.reserve(1);
    this.data[this.length++] = value;
  }

  /** Copies `bytes[start, end)`. */
  bytes(bytes: Uint8Array, start: number, end: number): void {
    if (this.length + end - start > this.data.length) this.reserve(end - start);
    const { data } = this;
    let at = this.length;
    if (end - start > 64) data.set(bytes.subarray(start, end), at);
    else for (let i = start; i < end; i++) data[at++] = bytes[i] as number;
    this.length += end - start;
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
    if (this.data.length > FIRST_BYTES) this.data = Buffer.allocUnsafe(FIRST_BYTES);
  }

  private reserve(bytes: number): void {
    const grown = Buffer.allocUnsafe(Math.max(2 * this.data.length, this.length + bytes));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }
}
