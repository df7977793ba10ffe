/** Writes Kafka's primitive types into bytes that grow as needed. */
export class WireWriter {
  private data = Buffer.alloc(256);
  private length = 0;

  int8(value: number): void {
    this.length = this.room(1).writeInt8(value, this.length);
  }

  int16(value: number): void {
    this.length = this.room(2).writeInt16BE(value, this.length);
  }

  uint16(value: number): void {
    this.length = this.room(2).writeUInt16BE(value, this.length);
  }

  int32(value: number): void {
    this.length = this.room(4).writeInt32BE(value, this.length);
  }

  uint32(value: number): void {
    this.length = this.room(4).writeUInt32BE(value, this.length);
  }

  int64(value: bigint): void {
    this.length = this.room(8).writeBigInt64BE(value, this.length);
  }

  float64(value: number): void {
    this.length = this.room(8).writeDoubleBE(value, this.length);
  }

  /** An unsigned varint: little-endian groups of seven bits. `value` is 0 to 2^32 - 1. */
  varint(value: number): void {
    let rest = value >>> 0;
    for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest);
  }

  bytes(bytes: Uint8Array): void {
    this.room(bytes.length).set(bytes, this.length);
    this.length += bytes.length;
  }

  /** All that was written, as a copy. */
  take(): Uint8Array {
    return Uint8Array.from(this.data.subarray(0, this.length));
  }

  private byte(value: number): void {
    this.room(1)[this.length++] = value;
  }

  private room(bytes: number): Buffer {
    if (this.length + bytes > this.data.length) {
      this.data = Buffer.concat([this.data], Math.max(2 * this.data.length, this.length + bytes));
    }
    return this.data;
  }
}
