import { Readable } from 'node:stream';
import type { GlobalHeader } from 'pcap-parser';

/** Length of a classic capture's file header. */
export const FILE_HEADER_BYTES = 24;

/** What the file header of a classic capture says about its records (draft-ietf-opsawg-pcap, section 4). */
export interface ClassicHeader {
  readonly littleEndian: boolean;
  /** The fraction of a record's time counts nanoseconds, not microseconds. */
  readonly nanoseconds: boolean;
  /** Record headers have eight more bytes: interface, protocol and packet type (the "modified" format of patched libpcaps). */
  readonly modified: boolean;
  readonly majorVersion: number;
  readonly minorVersion: number;
  /** As written; 0 or nonsense in many files. */
  readonly snaplen: number;
  readonly linkType: number;
  /** Frame check sequence behind each packet, 0 where the header doesn't tell. */
  readonly fcsBytes: number;
  /** Bits of the link type field that have no meaning yet were set. */
  readonly reservedBits: boolean;
}

const MICROSECOND_MAGIC = [0xa1, 0xb2, 0xc3, 0xd4] as const;
const FCS_LENGTH_KNOWN = 0x04000000;
const RESERVED_BITS = 0x0bff0000;

/**
 * Parses the {@link FILE_HEADER_BYTES} bytes of a file header with pcap-parser. That package knows the two microsecond magics alone; the
 * other formats have the same header, so it is shown their microsecond twin. Null where it refuses the version, most of which nobody wrote.
 */
export async function parseClassicHeader(bytes: Uint8Array): Promise<ClassicHeader | null> {
  const littleEndian = bytes[3] === 0xa1;
  const magic = Buffer.from(littleEndian ? bytes.slice(0, 4).reverse() : bytes.slice(0, 4)).toString('hex');
  const twin = Buffer.from(bytes);
  twin.set(littleEndian ? MICROSECOND_MAGIC.toReversed() : MICROSECOND_MAGIC);
  const header = await parseWithPackage(twin);
  if (header === null) return null;
  const linkType = header.linkLayerType;
  return {
    littleEndian,
    nanoseconds: magic === 'a1b23c4d',
    modified: magic === 'a1b2cd34',
    majorVersion: header.majorVersion,
    minorVersion: header.minorVersion,
    snaplen: header.snapshotLength,
    linkType: linkType & 0xffff,
    // The length counts 16-bit words.
    fcsBytes: (linkType & FCS_LENGTH_KNOWN) === 0 ? 0 : (linkType >>> 28) * 2,
    reservedBits: (linkType & RESERVED_BITS) !== 0,
  };
}

async function parseWithPackage(header: Buffer): Promise<GlobalHeader | null> {
  const { parse } = await import('pcap-parser');
  return new Promise((resolve) => {
    parse(Readable.from([header]))
      .on('globalHeader', resolve)
      .on('error', () => resolve(null));
  });
}
