import { gzipSync } from 'node:zlib';
import type { Random } from '../bench/random.ts';
import { type CapturedPacket, pcapFile, tcpConversation } from '../helpers/packets.ts';
import { PcapngWriter } from '../helpers/pcapng.ts';
import { sampleMessages } from '../helpers/sample-capture.ts';
import type { Corpus, Seed } from './corpus.ts';
import { borderValue, mutateBytes, putInteger } from './mutate-bytes.ts';
import { mutatePackets } from './mutate-packets.ts';
import { relink } from './packet-fields.ts';

/** A capture to be tried. */
export interface FuzzCase {
  readonly file: Uint8Array;
  /** The untouched connection of {@link witnessPackets} is in it, and the file's structure is whole. */
  readonly hasWitness: boolean;
  /** The packets, for the corpus. */
  readonly seed: Seed;
}

/** The untouched connection: whatever goes on around it, its exchanges stay what they are. */
export const witness = { client: { address: '203.0.113.9', port: 40404 }, server: { address: '203.0.113.10', port: 9092 }, exchanges: 3 };

const witnessFrames = tcpConversation({ ...witness, messages: sampleMessages(witness.exchanges) });

/** The untouched connection's packets for a link type; none for one that isn't known here. */
export function witnessPackets(linkType: number): Uint8Array[] {
  const packets: Uint8Array[] = [];
  for (const frame of witnessFrames) {
    const packet = relink(frame, linkType);
    if (packet !== null) packets.push(packet);
  }
  return packets;
}

/** Makes a capture of what the corpus holds, changed at random. */
export function buildCase(random: Random, corpus: Corpus): FuzzCase {
  const { linkType, packets: original, name } = random.below(3) === 0 ? conversationOf(random, corpus) : random.pick(corpus.seeds);
  const packets = [...original];
  for (let i = random.below(8); i >= 0; i--) mutatePackets(random, packets, linkType, random.pick(corpus.seeds));
  const seed = { name, linkType, packets: [...packets] };
  const witnesses = witnessPackets(linkType);
  interleave(random, packets, witnesses);
  const file =
    random.below(8) === 0
      ? pcapngFile(packets, linkType)
      : pcapFile(packets, { linkType, snaplen: 1 << 20, nanoseconds: random.below(4) === 0, bigEndian: random.below(4) === 0 });
  if (random.below(8) > 0) return { file, hasWitness: witnesses.length > 0, seed };
  const damaged = random.below(3) === 0 ? Uint8Array.from(gzipSync(file)) : file;
  return { file: mutateBytes(random, random.below(2) === 0 ? mutateBytes(random, damaged) : damaged), hasWitness: false, seed };
}

/** A connection that says changed frames of other connections, in segments of any size. */
function conversationOf(random: Random, corpus: Corpus): Seed {
  const messages = Array.from({ length: 1 + random.below(8) }, () => {
    const frame = random.pick(corpus.frames);
    const bytes = random.below(2) === 0 ? frame : mutateFrame(random, frame);
    return { from: isRequest(frame) !== (random.below(16) === 0) ? ('client' as const) : ('server' as const), bytes };
  });
  const packets = tcpConversation({
    messages,
    mss: random.pick([1, 2, 3, 7, 64, 536, 1460, 9000]),
    clientIsn: random.pick([1000, 0xffff_fff0, 0x7fff_fff0]),
    handshake: random.below(4) > 0,
    close: random.below(2) === 0,
  });
  return { name: 'conversation', linkType: 1, packets: packets.slice(0, 2000).map((bytes) => ({ bytes })) };
}

/** Mutates what stands behind the size prefix, which then is right, or lies. */
function mutateFrame(random: Random, frame: Uint8Array): Uint8Array {
  let body = frame.subarray(4);
  for (let i = random.below(4); i >= 0; i--) body = mutateBytes(random, body);
  const bytes = Uint8Array.from(Buffer.concat([frame.subarray(0, 4), body]));
  putInteger(bytes, 0, random.below(6) === 0 ? borderValue(random) : body.length, 4);
  return bytes;
}

/** By its looks: a known API and version where a request has them. */
function isRequest(frame: Uint8Array): boolean {
  return frame[4] === 0 && (frame[5] as number) < 100 && frame[6] === 0 && (frame[7] as number) < 20;
}

function interleave(random: Random, packets: CapturedPacket[], others: readonly Uint8Array[]): void {
  let at = 0;
  for (const bytes of others) {
    at += random.below(packets.length - at + 1);
    packets.splice(at++, 0, { bytes });
  }
}

function pcapngFile(packets: readonly CapturedPacket[], linkType: number): Uint8Array {
  const writer = new PcapngWriter();
  const blocks = packets.map(({ bytes, seconds = 1_700_000_000, nanos = 0, originalLength }, index) =>
    writer.enhanced([...bytes], {
      time: BigInt(seconds) * 1_000_000n + BigInt(Math.floor(nanos / 1000) + index),
      ...(originalLength === undefined ? {} : { original: originalLength }),
    }),
  );
  return Uint8Array.from(Buffer.concat([writer.section(), writer.interface(linkType), ...blocks]));
}
