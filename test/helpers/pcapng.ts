/** Writes the blocks of a pcapng section in one byte order. */
export class PcapngWriter {
  readonly #littleEndian: boolean;

  constructor(littleEndian = true) {
    this.#littleEndian = littleEndian;
  }

  /** The value as an integer of `size` bytes in the section's order. */
  integer(value: number | bigint, size: number): number[] {
    const bytes = Array.from({ length: size }, (_, index) => Number((BigInt.asUintN(64, BigInt(value)) >> BigInt(8 * index)) & 0xffn));
    return this.#littleEndian ? bytes : bytes.reverse();
  }

  words(...values: number[]): number[] {
    return values.flatMap((value) => this.integer(value, 4));
  }

  /** A block of any type, its body padded. */
  block(type: number, body: readonly number[]): Uint8Array {
    const padded = [...body, ...new Array((4 - (body.length % 4)) % 4).fill(0)];
    return Uint8Array.from([...this.words(type, padded.length + 12), ...padded, ...this.words(padded.length + 12)]);
  }

  option(code: number, value: readonly number[]): number[] {
    return [...this.integer(code, 2), ...this.integer(value.length, 2), ...value, ...new Array((4 - (value.length % 4)) % 4).fill(0)];
  }

  section(major = 1, minor = 0): Uint8Array {
    return this.block(0x0a0d0d0a, [
      ...this.words(0x1a2b3c4d),
      ...this.integer(major, 2),
      ...this.integer(minor, 2),
      ...this.integer(-1, 8),
    ]);
  }

  interface(linkType = 1, snaplen = 0, options: readonly number[] = []): Uint8Array {
    return this.block(1, [...this.integer(linkType, 2), 0, 0, ...this.words(snaplen), ...options]);
  }

  enhanced(data: readonly number[], fields: { interface?: number; time?: bigint; captured?: number; original?: number } = {}): Uint8Array {
    const time = fields.time ?? 1_700_000_000_000_000n;
    return this.block(6, [
      ...this.words(fields.interface ?? 0, Number(time >> 32n), Number(time & 0xffffffffn)),
      ...this.words(fields.captured ?? data.length, fields.original ?? data.length),
      ...data,
    ]);
  }

  obsolete(data: readonly number[], fields: { interface?: number; drops?: number; time?: bigint } = {}): Uint8Array {
    const time = fields.time ?? 1_700_000_000_000_000n;
    return this.block(2, [
      ...this.integer(fields.interface ?? 0, 2),
      ...this.integer(fields.drops ?? 0, 2),
      ...this.words(Number(time >> 32n), Number(time & 0xffffffffn), data.length, data.length),
      ...data,
    ]);
  }

  simple(data: readonly number[], original = data.length): Uint8Array {
    return this.block(3, [...this.words(original), ...data]);
  }
}
