import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '../helpers/capture-bytes.ts';
import type { CapturedPacket } from '../helpers/packets.ts';
import { sampleMessages } from '../helpers/sample-capture.ts';
import { tcpPayload } from './packet-fields.ts';

/** Packets of one link type, to be mutated. */
export interface Seed {
  readonly name: string;
  readonly linkType: number;
  readonly packets: readonly CapturedPacket[];
}

/** What mutations start from. */
export interface Corpus {
  readonly seeds: Seed[];
  /** Pieces of Kafka streams that begin with a frame. */
  readonly frames: readonly Uint8Array[];
}

/** More of a seed would make a mutation slow. */
const MAX_SEED_PACKETS = 300;
const MAX_FRAMES = 400;
const CAPTURE_NAME = /\.(pcap|pcapng)(\.gz|\.zst)?$/;

/** Reads the captures of folders. Those that can't be read, and those without packets, are left out. */
export async function loadCorpus(folders: readonly string[]): Promise<Corpus> {
  const seeds: Seed[] = [];
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (CAPTURE_NAME.test(name)) seeds.push(...(await loadSeed(join(folder, name))));
    }
  }
  return { seeds, frames: framesOf(seeds) };
}

async function loadSeed(path: string): Promise<Seed[]> {
  const { packets } = await readBytes(readFileSync(path), [1 << 20], 1 << 20).catch(() => ({ packets: [] }));
  const [first] = packets;
  if (first === undefined) return [];
  const { linkType } = first;
  const kept = packets.filter((packet) => packet.linkType === linkType).slice(0, MAX_SEED_PACKETS);
  const copies = kept.map(({ data, seconds, nanos, originalLength }): CapturedPacket => {
    const time = Number.isNaN(seconds) ? {} : { seconds, nanos };
    return { bytes: Uint8Array.from(Buffer.from(data, 'hex')), originalLength, ...time };
  });
  return [{ name: path, linkType, packets: copies }];
}

/** Payloads of segments that begin as a frame does, and the frames of the tests' own sample. */
function framesOf(seeds: readonly Seed[]): Uint8Array[] {
  const frames = sampleMessages(2).map(({ bytes }) => bytes);
  for (const { linkType, packets } of seeds) {
    for (const { bytes } of packets) {
      const payload = tcpPayload(bytes, linkType);
      if (payload !== null && payload.length > 12 && payload[0] === 0 && frames.length < MAX_FRAMES) frames.push(payload);
    }
  }
  return frames;
}
