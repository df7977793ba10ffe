import type { Packet } from '../../src/capture/packet.ts';
import type { Diagnostic } from '../../src/diagnostics.ts';
import { hostPort } from '../../src/net/address.ts';
import { PacketDecoder } from '../../src/net/packet-decoder.ts';
import { type Checksum, Checksum as ChecksumStates, type Segment } from '../../src/net/segment.ts';
import { packetOf } from './packets.ts';

/** What a test keeps of a segment. */
export interface KeptSegment {
  packet: number;
  source: string;
  destination: string;
  seq: number;
  ack: number;
  flags: number;
  window: number;
  payload: string;
  payloadLength: number;
  checksum: keyof typeof ChecksumStates;
}

/** Runs packets through the net stage, numbering those given as bytes from 1, and keeps all that comes out. */
export function decodePackets(packets: readonly (Uint8Array | Packet)[]): { segments: KeptSegment[]; diagnostics: Diagnostic[] } {
  const segments: KeptSegment[] = [];
  const diagnostics: Diagnostic[] = [];
  const decoder = new PacketDecoder(
    { segment: (segment) => segments.push(keep(segment)) },
    { report: (diagnostic) => diagnostics.push(diagnostic) },
  );
  packets.forEach((packet, index) => {
    decoder.packet(packet instanceof Uint8Array ? packetOf(packet, { number: index + 1 }) : packet);
  });
  decoder.end();
  return { segments, diagnostics };
}

function keep(segment: Segment): KeptSegment {
  const { ipVersion, source0, source1, source2, source3, destination0, destination1, destination2, destination3 } = segment;
  return {
    packet: segment.packet.number,
    source: hostPort(ipVersion, source0, source1, source2, source3, segment.sourcePort),
    destination: hostPort(ipVersion, destination0, destination1, destination2, destination3, segment.destinationPort),
    seq: segment.seq >>> 0,
    ack: segment.ack >>> 0,
    flags: segment.flags,
    window: segment.window,
    payload: Buffer.from(segment.bytes.subarray(segment.start, segment.end)).toString('latin1'),
    payloadLength: segment.payloadLength,
    checksum: checksumName(segment.checksum()),
  };
}

function checksumName(checksum: Checksum): keyof typeof ChecksumStates {
  const names = Object.keys(ChecksumStates) as (keyof typeof ChecksumStates)[];
  return names.find((name) => ChecksumStates[name] === checksum) ?? 'unknown';
}
