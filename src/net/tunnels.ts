import { uint16 } from '../wire/bytes.ts';
import { Layer, layerOfEtherType } from './layer.ts';
import type { PeeledSegment } from './peeled-segment.ts';

/** The tunnel that a UDP destination port stands for (IANA; 8472 is what Linux used for VXLAN before it had a number); others carry no TCP. */
export function layerOfUdpPort(destinationPort: number): Layer {
  switch (destinationPort) {
    case 4789:
    case 8472:
      return Layer.vxlan;
    case 6081:
      return Layer.geneve;
    case 2152:
      return Layer.gtp;
    default:
      return Layer.ignored;
  }
}

/** UDP (RFC 768), looked at for tunnels only. */
export function udp(segment: PeeledSegment): Layer {
  if (!segment.has(8)) return Layer.ignored;
  const layer = layerOfUdpPort(uint16(segment.bytes, segment.start + 2));
  if (layer === Layer.ignored) return Layer.ignored;
  const length = uint16(segment.bytes, segment.start + 4);
  if (length >= 8) segment.shortenTo(length);
  segment.peel(8);
  return layer;
}

/** VXLAN (RFC 7348): an Ethernet frame. Without the flag of a valid network identifier it is something else on the same port. */
export function vxlan(segment: PeeledSegment): Layer {
  if (!segment.has(8)) return segment.short('VXLAN header', 8);
  const flags = segment.bytes[segment.start] as number;
  if ((flags & 0x08) === 0) return Layer.ignored;
  segment.peel(8);
  return Layer.ethernet;
}

/** Geneve (RFC 8926), version 0; control packets carry nothing. */
export function geneve(segment: PeeledSegment): Layer {
  if (!segment.has(8)) return segment.short('Geneve header', 8);
  const first = segment.bytes[segment.start] as number;
  const control = ((segment.bytes[segment.start + 1] as number) & 0x80) !== 0;
  if (first >> 6 !== 0 || control) return Layer.ignored;
  const headerBytes = 8 + ((first & 0x3f) << 2);
  if (!segment.has(headerBytes)) return segment.short('Geneve header', headerBytes);
  const type = uint16(segment.bytes, segment.start + 2);
  segment.peel(headerBytes);
  return layerOfEtherType(type);
}

const userData = 0xff;

/** GTP-U version 1 (3GPP TS 29.281): the IP packets of user data; signalling is passed over. */
export function gtp(segment: PeeledSegment): Layer {
  if (!segment.has(8)) return segment.short('GTP-U header', 8);
  const bytes = segment.bytes;
  const flags = bytes[segment.start] as number;
  if (flags >> 4 !== 3 || bytes[segment.start + 1] !== userData) return Layer.ignored;
  let headerBytes = 8;
  if ((flags & 0x07) !== 0) {
    headerBytes = 12;
    if (!segment.has(headerBytes)) return segment.short('GTP-U header', headerBytes);
    let moreExtensions = (flags & 0x04) !== 0 && bytes[segment.start + 11] !== 0;
    while (moreExtensions) {
      if (!segment.has(headerBytes + 4)) return segment.short('GTP-U extension header', headerBytes + 4);
      const extensionBytes = (bytes[segment.start + headerBytes] as number) << 2;
      if (extensionBytes === 0) return segment.malformed('GTP-U extension header of 0 bytes');
      headerBytes += extensionBytes;
      if (!segment.has(headerBytes)) return segment.short('GTP-U extension header', headerBytes);
      moreExtensions = bytes[segment.start + headerBytes - 1] !== 0;
    }
  }
  segment.peel(headerBytes);
  const version = segment.has(1) ? (bytes[segment.start] as number) >> 4 : 0;
  return version === 4 || version === 6 ? Layer.ip : Layer.ignored;
}

const checksumPresent = 0x8000;
const routingPresent = 0x4000;
const keyPresent = 0x2000;
const sequencePresent = 0x1000;
const acknowledgmentPresent = 0x0080;

/** GRE (RFC 2784, with key and sequence number by RFC 2890) and its version 1 for PPTP (RFC 2637). */
export function gre(segment: PeeledSegment): Layer {
  if (!segment.has(4)) return segment.short('GRE header', 4);
  const flags = uint16(segment.bytes, segment.start);
  const type = uint16(segment.bytes, segment.start + 2);
  const version = flags & 0x07;
  if (version > 1) return segment.malformed(`GRE version ${version}`);
  if ((flags & routingPresent) !== 0) return segment.malformed('GRE with source routes, which RFC 2784 took out');
  let headerBytes = 4;
  if ((flags & checksumPresent) !== 0) headerBytes += 4;
  if ((flags & keyPresent) !== 0) headerBytes += 4;
  if ((flags & sequencePresent) !== 0) headerBytes += 4;
  if (version === 1 && (flags & acknowledgmentPresent) !== 0) headerBytes += 4;
  if (!segment.has(headerBytes)) return segment.short('GRE header', headerBytes);
  segment.peel(headerBytes);
  const layer = layerOfEtherType(type);
  const hasSequence = (flags & sequencePresent) !== 0;
  if (layer === Layer.ppp && !hasSequence) return Layer.ignored; // an acknowledgment alone
  if (layer === Layer.erspan2 && !hasSequence) return Layer.ethernet; // type I has no header of its own
  return layer;
}

/** ERSPAN type II (draft-foschiano-erspan): a mirrored Ethernet frame after 8 bytes. */
export function erspan2(segment: PeeledSegment): Layer {
  if (!segment.has(8)) return segment.short('ERSPAN header', 8);
  segment.peel(8);
  return Layer.ethernet;
}

/** ERSPAN type III: the same after 12 bytes, and 8 more where the last bit says so. */
export function erspan3(segment: PeeledSegment): Layer {
  if (!segment.has(12)) return segment.short('ERSPAN header', 12);
  const headerBytes = 12 + (((segment.bytes[segment.start + 11] as number) & 1) << 3);
  if (!segment.has(headerBytes)) return segment.short('ERSPAN header', headerBytes);
  segment.peel(headerBytes);
  return Layer.ethernet;
}
