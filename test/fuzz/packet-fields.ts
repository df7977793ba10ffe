import { bigEndian, internetChecksum } from '../helpers/packets.ts';

/** Bytes before the IP header, by link type: those whose packets the mutations understand. */
const LINK_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 4],
  [1, 14],
  [101, 0],
  [113, 16],
  [276, 20],
]);

/** Where the headers of a plain IPv4 or IPv6 packet with TCP lie. */
export interface PacketFields {
  readonly ip: number;
  readonly tcp: number;
  readonly payload: number;
  readonly end: number;
}

/** The headers' offsets; null for anything but a plain TCP packet. */
export function packetFields(bytes: Uint8Array, linkType: number): PacketFields | null {
  const ip = LINK_BYTES.get(linkType);
  if (ip === undefined || bytes.length < ip + 40) return null;
  const version = (bytes[ip] as number) >> 4;
  if (version !== 4 && version !== 6) return null;
  const tcp = version === 4 ? ip + 4 * ((bytes[ip] as number) & 15) : ip + 40;
  const protocol = bytes[version === 4 ? ip + 9 : ip + 6];
  const length = version === 4 ? word(bytes, ip + 2) : 40 + word(bytes, ip + 4);
  const end = Math.min(bytes.length, ip + length);
  if (protocol !== 6 || tcp + 20 > end) return null;
  const payload = Math.min(end, tcp + 4 * ((bytes[tcp + 12] as number) >> 4));
  return payload < tcp + 20 ? null : { ip, tcp, payload, end };
}

/** What a TCP packet carries; null where it isn't one or carries nothing. */
export function tcpPayload(bytes: Uint8Array, linkType: number): Uint8Array | null {
  const fields = packetFields(bytes, linkType);
  return fields === null || fields.payload === fields.end ? null : bytes.slice(fields.payload, fields.end);
}

/** Makes the TCP checksum right, so that what was changed is believed. */
export function fixChecksum(bytes: Uint8Array, linkType: number): void {
  const fields = packetFields(bytes, linkType);
  if (fields === null) return;
  const { ip, tcp, end } = fields;
  bytes.fill(0, tcp + 16, tcp + 18);
  const addresses = (bytes[ip] as number) >> 4 === 4 ? bytes.subarray(ip + 12, ip + 20) : bytes.subarray(ip + 8, ip + 40);
  const sum = internetChecksum([...addresses, 0, 6, ...bigEndian(end - tcp, 4), ...bytes.subarray(tcp, end)]);
  bytes.set(bigEndian(sum, 2), tcp + 16);
}

/** An Ethernet frame with IPv4 as a packet of another link type; null for one that isn't known here. */
export function relink(frame: Uint8Array, linkType: number): Uint8Array | null {
  const datagram = frame.subarray(14);
  switch (linkType) {
    case 0:
      return Uint8Array.from([2, 0, 0, 0, ...datagram]);
    case 1:
      return frame;
    case 101:
      return datagram;
    case 113:
      return Uint8Array.from([0, 0, 0, 1, 0, 6, ...new Array(8).fill(0), 8, 0, ...datagram]);
    case 276:
      return Uint8Array.from([8, 0, ...new Array(6).fill(0), 0, 1, 0, 6, ...new Array(8).fill(0), ...datagram]);
    default:
      return null;
  }
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) * 256 + (bytes[at + 1] as number);
}
