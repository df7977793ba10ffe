import { closeSync, openSync, writeSync } from 'node:fs';
import { foldInternetSum, internetSum } from '../../src/wire/checksum.ts';

/** One end of a connection: IPv4 address as an unsigned 32-bit number, and port. */
export interface Endpoint {
  readonly address: number;
  readonly port: number;
}

/** A TCP segment to be written; its payload is `bytes[start, end)`. */
export interface WrittenSegment {
  from: Endpoint;
  to: Endpoint;
  seq: number;
  ack: number;
  flags: number;
  bytes: Uint8Array;
  start: number;
  end: number;
}

/** Ethernet, IPv4, and TCP with its timestamps option: what stands before the payload in every packet here. */
export const PACKET_HEADER_BYTES = 66;
const RECORD_HEADER_BYTES = 16;
const BUFFER_BYTES = 1 << 22;
/** Midnight, 29 November 2026, UTC. */
const FIRST_SECOND = 1_795_910_400;
const TCP = 6;

/** Writes a classic capture of Ethernet packets, with right checksums. */
export class PacketFile {
  /** Microseconds since the capture's begin: the time of the next packet. Never goes back. */
  now = 0;
  bytes = 24;
  packets = 0;
  readonly #descriptor: number;
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  #length = 0;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'w');
    const header = this.#buffer;
    header.writeUInt32LE(0xa1b2c3d4, 0);
    header.writeUInt16LE(2, 4);
    header.writeUInt16LE(4, 6);
    header.writeUInt32LE(262_144, 16);
    header.writeUInt32LE(1, 20);
    this.#length = 24;
  }

  segment(segment: WrittenSegment): void {
    const payloadBytes = segment.end - segment.start;
    const packetBytes = PACKET_HEADER_BYTES + payloadBytes;
    const recordBytes = RECORD_HEADER_BYTES + packetBytes;
    if (this.#length + recordBytes > BUFFER_BYTES) this.#flush();
    const at = this.#length;
    this.#recordHeader(at, packetBytes);
    this.#ethernetAndIp(at + RECORD_HEADER_BYTES, segment, packetBytes - 14);
    this.#tcp(at + RECORD_HEADER_BYTES + 34, segment);
    this.#length += recordBytes;
    this.bytes += recordBytes;
    this.packets++;
  }

  close(): void {
    this.#flush();
    closeSync(this.#descriptor);
  }

  #recordHeader(at: number, packetBytes: number): void {
    const buffer = this.#buffer;
    buffer.writeUInt32LE(FIRST_SECOND + Math.floor(this.now / 1e6), at);
    buffer.writeUInt32LE(Math.floor(this.now) % 1e6, at + 4);
    buffer.writeUInt32LE(packetBytes, at + 8);
    buffer.writeUInt32LE(packetBytes, at + 12);
  }

  #ethernetAndIp(at: number, { from, to }: WrittenSegment, ipBytes: number): void {
    const buffer = this.#buffer;
    buffer.writeUIntBE(0x02_00_00_00_00_01, at, 6);
    buffer.writeUIntBE(0x02_00_00_00_00_02, at + 6, 6);
    buffer.writeUInt16BE(0x0800, at + 12);
    const ip = at + 14;
    buffer.writeUInt16BE(0x4500, ip);
    buffer.writeUInt16BE(ipBytes, ip + 2);
    buffer.writeUInt16BE(this.packets & 0xffff, ip + 4);
    buffer.writeUInt16BE(0x4000, ip + 6);
    buffer.writeUInt16BE((64 << 8) | TCP, ip + 8);
    buffer.writeUInt16BE(0, ip + 10);
    buffer.writeUInt32BE(from.address, ip + 12);
    buffer.writeUInt32BE(to.address, ip + 16);
    buffer.writeUInt16BE(~internetSum(buffer, ip, ip + 20) & 0xffff, ip + 10);
  }

  #tcp(at: number, { from, to, seq, ack, flags, bytes, start, end }: WrittenSegment): void {
    const buffer = this.#buffer;
    const tcpBytes = 32 + end - start;
    buffer.writeUInt16BE(from.port, at);
    buffer.writeUInt16BE(to.port, at + 2);
    buffer.writeInt32BE(seq | 0, at + 4);
    buffer.writeInt32BE(ack | 0, at + 8);
    buffer.writeUInt16BE(0x8000 | flags, at + 12);
    buffer.writeUInt16BE(501, at + 14);
    buffer.writeUInt32BE(0, at + 16);
    // No operation twice, then timestamps (RFC 7323) in milliseconds.
    buffer.writeUInt32BE(0x0101080a, at + 20);
    buffer.writeUInt32BE(Math.floor(this.now / 1e3), at + 24);
    buffer.writeUInt32BE(0, at + 28);
    buffer.set(bytes.subarray(start, end), at + 32);
    const pseudoHeader = words(from.address) + words(to.address) + TCP + tcpBytes;
    const sum = foldInternetSum(pseudoHeader + internetSum(buffer, at, at + tcpBytes));
    buffer.writeUInt16BE(~sum & 0xffff, at + 16);
  }

  #flush(): void {
    for (let at = 0; at < this.#length; ) at += writeSync(this.#descriptor, this.#buffer, at, this.#length - at);
    this.#length = 0;
  }
}

function words(address: number): number {
  return (address >>> 16) + (address & 0xffff);
}
