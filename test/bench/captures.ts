import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compress } from './compress.ts';
import { damage } from './damage.ts';
import { PacketFile } from './packet-file.ts';
import { writeDense, writeMany, writeMix, writeSmall } from './traffic.ts';

export type CaptureName = 'mix-1500' | 'mix-64k' | 'small' | 'lossy' | 'many' | 'dense' | 'gz';

/** A capture of the bench: how large it is unless said otherwise, and what writes it. */
interface CaptureKind {
  readonly megabytes: number;
  readonly name: string;
  write(path: string, bytes: number): Promise<void> | void;
}

const FILE_HEADER_BYTES = 24;
const RECORD_HEADER_BYTES = 16;
const ETHERNET_SEGMENT_BYTES = 1448;
const LOOPBACK_SEGMENT_BYTES = 65_483;

export const captureKinds: Readonly<Record<CaptureName, CaptureKind>> = {
  'mix-1500': { megabytes: 1000, name: 'mix-1500.pcap', write: toFile((file, bytes) => writeMix(file, bytes, ETHERNET_SEGMENT_BYTES)) },
  'mix-64k': { megabytes: 1000, name: 'mix-64k.pcap', write: toFile((file, bytes) => writeMix(file, bytes, LOOPBACK_SEGMENT_BYTES)) },
  small: { megabytes: 500, name: 'small.pcap', write: toFile(writeSmall) },
  lossy: { megabytes: 1000, name: 'lossy.pcap', write: async (path, bytes) => damage(await captureOf('mix-1500', bytes), path) },
  /** About a million connections. */
  many: { megabytes: 1690, name: 'many.pcap', write: toFile(writeMany) },
  dense: { megabytes: 300, name: 'dense.pcap', write: toFile(writeDense) },
  gz: { megabytes: 1000, name: 'mix-1500.pcap.gz', write: async (path, bytes) => compress(await captureOf('mix-1500', bytes), path) },
};

/** Changes whenever what is generated does, so that no file of before is taken for one of now. */
const GENERATION = 2;

/** Path of a capture of about so many bytes, which is made unless it is there. Same name and size, same bytes. */
export async function captureOf(name: CaptureName, bytes = captureKinds[name].megabytes * 1e6): Promise<string> {
  const folder = join(tmpdir(), 'kafka-dissect-bench');
  mkdirSync(folder, { recursive: true });
  const kind: CaptureKind = captureKinds[name];
  const path = join(folder, `${GENERATION}-${Math.round(bytes / 1e6)}MB-${kind.name}`);
  if (existsSync(path)) return path;
  process.stderr.write(`making ${path}\n`);
  await kind.write(`${path}.part`, bytes);
  renameSync(`${path}.part`, path);
  return path;
}

/** Packets of a little-endian classic capture. */
export function packetsOf(path: string): number {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(1 << 20);
  let packets = 0;
  let next = FILE_HEADER_BYTES;
  for (let offset = 0; ; ) {
    const length = readSync(file, bytes, 0, bytes.length, offset);
    if (length < RECORD_HEADER_BYTES) break;
    for (; next + RECORD_HEADER_BYTES <= offset + length; packets++) next += RECORD_HEADER_BYTES + bytes.readUInt32LE(next - offset + 8);
    offset = next;
  }
  closeSync(file);
  return packets;
}

function toFile(write: (file: PacketFile, bytes: number) => void): CaptureKind['write'] {
  return (path, bytes) => {
    const file = new PacketFile(path);
    write(file, bytes);
    file.close();
  };
}
