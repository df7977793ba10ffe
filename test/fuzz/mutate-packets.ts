import type { Random } from '../bench/random.ts';
import type { CapturedPacket } from '../helpers/packets.ts';
import type { Seed } from './corpus.ts';
import { borderValue, mutateBytes, putInteger } from './mutate-bytes.ts';
import { fixChecksum, packetFields } from './packet-fields.ts';

/** Changes the order, the times, the number and the contents of packets, in place; `other` lends some of its own. */
export function mutatePackets(random: Random, packets: CapturedPacket[], linkType: number, other: Seed): void {
  if (packets.length === 0) return;
  const at = random.below(packets.length);
  const packet = packets[at] as CapturedPacket;
  switch (random.below(10)) {
    case 0:
      packets.splice(at, 1 + random.below(3));
      break;
    case 1:
      packets.splice(random.below(packets.length), 0, packet);
      break;
    case 2: {
      const [moved] = packets.splice(at, 1);
      if (moved !== undefined) packets.splice(random.below(packets.length + 1), 0, moved);
      break;
    }
    case 3:
      packets[at] = { ...packet, seconds: random.pick([0, 1, 1_700_000_000 + random.below(100), 0xffff_ffff]), nanos: random.below(1e9) };
      break;
    case 4:
      packets[at] = {
        ...packet,
        bytes: packet.bytes.subarray(0, random.below(packet.bytes.length + 1)),
        originalLength: packet.bytes.length,
      };
      break;
    case 5:
      packets[at] = { ...packet, originalLength: borderValue(random) };
      break;
    case 6:
      if (other.linkType === linkType) packets.splice(at, 0, ...runOf(random, other.packets));
      break;
    default:
      packets[at] = { ...packet, bytes: mutatePacket(random, packet.bytes, linkType) };
  }
}

/** Changes a header's field or the payload of a packet; most changed packets have a right checksum. */
function mutatePacket(random: Random, given: Uint8Array, linkType: number): Uint8Array {
  const fields = packetFields(given, linkType);
  if (fields === null || random.below(6) === 0) return mutateBytes(random, given);
  const { ip, tcp, payload } = fields;
  if (random.below(2) === 0) {
    const body = mutateBytes(random, given.subarray(payload));
    const bytes = Uint8Array.from(Buffer.concat([given.subarray(0, payload), body]));
    fixLength(bytes, ip);
    fixChecksum(bytes, linkType);
    return bytes;
  }
  const bytes = given.slice();
  const [offset, size] = random.pick([
    [ip, 1],
    [ip + 2, 2],
    [ip + 4, 2],
    [ip + 6, 2],
    [ip + 9, 1],
    [tcp, 2],
    [tcp + 2, 2],
    [tcp + 4, 4],
    [tcp + 8, 4],
    [tcp + 12, 1],
    [tcp + 13, 1],
    [payload, 4],
    [payload + 4, 2],
    [payload + 6, 2],
    [payload + 8, 4],
    [payload + 12, 2],
  ] as const);
  putInteger(bytes, offset, borderValue(random), size);
  if (random.below(4) > 0) fixChecksum(bytes, linkType);
  return bytes;
}

/** The IP header's length, after the payload's has changed. */
function fixLength(bytes: Uint8Array, ip: number): void {
  const isIpv4 = (bytes[ip] as number) >> 4 === 4;
  putInteger(bytes, ip + (isIpv4 ? 2 : 4), Math.min(0xffff, bytes.length - ip - (isIpv4 ? 0 : 40)), 2);
}

function runOf(random: Random, packets: readonly CapturedPacket[]): CapturedPacket[] {
  const start = random.below(packets.length);
  return packets.slice(start, start + 1 + random.below(20));
}
