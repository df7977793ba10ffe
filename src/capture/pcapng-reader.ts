import { MAX_INTERFACES, MAX_RECORD_BYTES, MAX_SEARCHED_RECORD_BYTES } from '../limits.ts';
import { uint16, uint32 } from './integers.ts';
import { Step } from './packet.ts';
import { type PcapngInterface, parseInterface } from './pcapng-interface.ts';
import { UnitSplitter } from './pcapng-time.ts';
import { Chain, type DAMAGED, RecordReader } from './record-reader.ts';

/** Block types that mean something here (draft-ietf-opsawg-pcapng, section 11.1); all others are skipped. */
const Block = { interface: 1, obsoletePacket: 2, simplePacket: 3, enhancedPacket: 6, sectionHeader: 0x0a0d0d0a } as const;
/** Types 1 to 10 are registered, and these two are custom blocks: what a search takes for a block. */
const LAST_REGISTERED_TYPE = 10;
const CUSTOM_TYPES: readonly number[] = [0x0bad, 0x40000bad];

const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const SECTION_HEADER_BYTES = 28;
const INTERFACE_BYTES = 20;
const MIN_BLOCK_BYTES = 12;
/** A simple packet block's bytes before and after its data; then those of an enhanced or obsolete one. */
const SIMPLE_DATA_OFFSET = 12;
const PACKET_DATA_OFFSET = 28;
const TRAILER_BYTES = 4;
const KNOWN_MAJOR_VERSION = 1;
/** Blocks in a row, with their lengths at both ends, that noise won't give. */
const CHAIN_BLOCKS = 2;

/** Reads the blocks of a pcapng capture: sections of either byte order, each with interfaces of its own. The window stands at the first section header. */
export class PcapngReader extends RecordReader {
  #littleEndian = true;
  /** The section's version is known. */
  #known = false;
  #interfaces: PcapngInterface[] = [];
  readonly #time = new UnitSplitter();

  protected override walk(): Step | typeof DAMAGED {
    const window = this.window;
    for (;;) {
      const bytes = window.bytes;
      const offset = window.start;
      const available = window.end - offset;
      if (available < MIN_BLOCK_BYTES) return this.incomplete(MIN_BLOCK_BYTES, 'block header');
      const little = this.#byteOrderAt(offset, this.#littleEndian);
      if (little === null) return this.corrupt('a section header without a byte-order magic');
      const type = uint32(bytes, offset, little);
      const length = uint32(bytes, offset + 4, little);
      if (length < MIN_BLOCK_BYTES || length % 4 !== 0 || length > MAX_RECORD_BYTES) {
        return this.corrupt(`a block length of ${length} bytes can't be right`);
      }
      if (available < length) return this.incomplete(length, 'block');
      const trailer = uint32(bytes, offset + length - TRAILER_BYTES, little);
      if (trailer !== length) return this.corrupt(`a block of ${length} bytes says at its end that it has ${trailer}`);
      this.#littleEndian = little;
      window.start = offset + length;
      if (this.#block(type, offset, length)) return Step.packet;
    }
  }

  protected override chainAt(offset: number): number {
    const window = this.window;
    let at = offset;
    let little = this.#littleEndian;
    for (let block = 0; block < CHAIN_BLOCKS; block++) {
      if (at + MIN_BLOCK_BYTES > window.end) {
        if (!window.ended) return at + MIN_BLOCK_BYTES - offset;
        return block > 0 && at === window.end ? Chain.found : Chain.none;
      }
      const order = this.#byteOrderAt(at, little);
      if (order === null) return Chain.none;
      little = order;
      if (!isRegistered(uint32(window.bytes, at, little))) return Chain.none;
      const length = uint32(window.bytes, at + 4, little);
      if (length < MIN_BLOCK_BYTES || length % 4 !== 0 || length > MAX_SEARCHED_RECORD_BYTES) return Chain.none;
      if (at + length > window.end) {
        if (!window.ended) return at + length - offset;
        return block > 0 ? Chain.found : Chain.none;
      }
      if (uint32(window.bytes, at + length - TRAILER_BYTES, little) !== length) return Chain.none;
      at += length;
    }
    return Chain.found;
  }

  /** Whether the block at `offset` is little-endian: the `current` order, or for a section header its own; null where that isn't one. */
  #byteOrderAt(offset: number, current: boolean): boolean | null {
    const bytes = this.window.bytes;
    if (uint32(bytes, offset, true) !== Block.sectionHeader) return current;
    if (uint32(bytes, offset + 8, true) === BYTE_ORDER_MAGIC) return true;
    return uint32(bytes, offset + 8, false) === BYTE_ORDER_MAGIC ? false : null;
  }

  /** Takes a whole block; true if it gives a packet. */
  #block(type: number, offset: number, length: number): boolean {
    if (type === Block.sectionHeader) {
      this.#beginSection(offset, length);
      return false;
    }
    if (!this.#known) return false;
    switch (type) {
      case Block.enhancedPacket:
        return this.#packet(offset, length, 4);
      case Block.simplePacket:
        return this.#simplePacket(offset, length);
      case Block.obsoletePacket:
        return this.#packet(offset, length, 2);
      case Block.interface:
        this.#interface(offset, length);
        return false;
      default:
        return false;
    }
  }

  #beginSection(offset: number, length: number): void {
    const fileOffset = this.window.offsetOf(offset);
    this.#interfaces = [];
    this.#known = false;
    if (length < SECTION_HEADER_BYTES) {
      this.report('capture-corrupt', 'a section header that is too short; its section is skipped', fileOffset, length);
      return;
    }
    const major = uint16(this.window.bytes, offset + 12, this.#littleEndian);
    const minor = uint16(this.window.bytes, offset + 14, this.#littleEndian);
    this.#known = major === KNOWN_MAJOR_VERSION;
    if (!this.#known) {
      this.report(
        'capture-unreadable',
        `a section of pcapng version ${major}.${minor}, of which only 1 is known; it is skipped`,
        fileOffset,
      );
    }
  }

  #interface(offset: number, length: number): void {
    const fileOffset = this.window.offsetOf(offset);
    if (length < INTERFACE_BYTES) {
      this.report('capture-corrupt', 'an interface description that is too short; it is skipped', fileOffset, length);
      return;
    }
    if (this.#interfaces.length < MAX_INTERFACES) {
      this.#interfaces.push(parseInterface(this.window.bytes, offset, offset + length, this.#littleEndian));
    }
  }

  /** An enhanced or an obsolete packet block: they differ in how long the interface's number is. */
  #packet(offset: number, length: number, interfaceBytes: 2 | 4): boolean {
    const bytes = this.window.bytes;
    const little = this.#littleEndian;
    if (length < PACKET_DATA_OFFSET + TRAILER_BYTES) return this.#unusable(offset, length, 'a packet block that is too short');
    const capturedLength = uint32(bytes, offset + 20, little);
    if (capturedLength > length - PACKET_DATA_OFFSET - TRAILER_BYTES) {
      return this.#unusable(offset, length, `a captured length of ${capturedLength} bytes in a block of ${length}`);
    }
    const number = interfaceBytes === 4 ? uint32(bytes, offset + 8, little) : uint16(bytes, offset + 8, little);
    const described = this.#interfaces[number];
    if (described === undefined) return this.#unknownInterface(offset, number, capturedLength);
    this.#give(offset, PACKET_DATA_OFFSET, capturedLength, uint32(bytes, offset + 24, little), described);
    const time = this.#time;
    time.split(uint32(bytes, offset + 12, little), uint32(bytes, offset + 16, little), described.unitsPerSecond);
    this.setTime(time.seconds + described.offsetSeconds, time.nanos);
    return true;
  }

  /** A simple packet block: of the first interface, without a time, its captured length left to be worked out. */
  #simplePacket(offset: number, length: number): boolean {
    if (length < SIMPLE_DATA_OFFSET + TRAILER_BYTES) return this.#unusable(offset, length, 'a packet block that is too short');
    const originalLength = uint32(this.window.bytes, offset + 8, this.#littleEndian);
    const described = this.#interfaces[0];
    const available = length - SIMPLE_DATA_OFFSET - TRAILER_BYTES;
    if (described === undefined) return this.#unknownInterface(offset, 0, Math.min(originalLength, available));
    const snaplen = described.snaplen === 0 ? available : described.snaplen;
    this.#give(offset, SIMPLE_DATA_OFFSET, Math.min(originalLength, snaplen, available), originalLength, described);
    this.packet.seconds = Number.NaN;
    this.packet.nanos = 0;
    return true;
  }

  #give(offset: number, dataOffset: number, capturedLength: number, originalLength: number, described: PcapngInterface): void {
    const packet = this.packet;
    packet.number++;
    packet.bytes = this.window.bytes;
    packet.start = offset + dataOffset;
    packet.end = offset + dataOffset + capturedLength;
    packet.originalLength = originalLength;
    packet.linkType = described.linkType;
    packet.fcsBytes = described.fcsBytes;
    packet.fine = described.unitsPerSecond > 1_000_000;
    packet.fileOffset = this.window.offsetOf(offset);
    if (capturedLength > originalLength) this.reportLengths(capturedLength);
  }

  /** Counts and reports a packet that can't be used; its block's own lengths are good, so nothing else is lost. */
  #unusable(offset: number, length: number, what: string): false {
    this.packet.number++;
    this.report('capture-corrupt', `${what} can't be right; the block is skipped`, this.window.offsetOf(offset), length);
    return false;
  }

  #unknownInterface(offset: number, number: number, capturedLength: number): false {
    this.packet.number++;
    this.report(
      'interface-unknown',
      `a packet of interface ${number}, which no block describes`,
      this.window.offsetOf(offset),
      capturedLength,
    );
    return false;
  }
}

function isRegistered(type: number): boolean {
  return (type >= 1 && type <= LAST_REGISTERED_TYPE) || type === Block.sectionHeader || CUSTOM_TYPES.includes(type);
}
