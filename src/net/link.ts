import { int32, uint16 } from '../wire/bytes.ts';
import { Layer, layerOfEtherType } from './layer.ts';
import type { PeeledSegment } from './peeled-segment.ts';

/** The layer that packets of a link type begin with; {@link Layer.ignored} for those not supported. Numbers: https://www.tcpdump.org/linktypes.html */
export function layerOfLinkType(linkType: number): Layer {
  switch (linkType) {
    case 1:
      return Layer.ethernet;
    case 0:
      return Layer.bsdNull;
    case 9:
      return Layer.ppp;
    case 12: // LINKTYPE_RAW is 101; files hold the DLT_RAW of their system too
    case 14:
    case 101:
      return Layer.ip;
    case 50:
      return Layer.hdlc;
    case 51:
      return Layer.pppoe;
    case 104:
      return Layer.ciscoHdlc;
    case 108:
      return Layer.bsdLoop;
    case 113:
      return Layer.linuxCooked1;
    case 204:
      return Layer.pppWithDirection;
    case 219:
      return Layer.mpls;
    case 228:
      return Layer.ipv4;
    case 229:
      return Layer.ipv6;
    case 276:
      return Layer.linuxCooked2;
    default:
      return Layer.ignored;
  }
}

/** IEEE 802.3: two addresses, then an EtherType or the length of an LLC frame. */
export function ethernet(segment: PeeledSegment): Layer {
  if (!segment.has(14)) return segment.short('Ethernet header', 14);
  const type = uint16(segment.bytes, segment.start + 12);
  segment.peel(14);
  return etherTypeOrLength(segment, type);
}

/** The rest of an 802.1Q or 802.1ad tag: tag control information, then what {@link ethernet} ends with. */
export function vlan(segment: PeeledSegment): Layer {
  if (!segment.has(4)) return segment.short('VLAN tag', 4);
  const type = uint16(segment.bytes, segment.start + 2);
  segment.peel(4);
  return etherTypeOrLength(segment, type);
}

function etherTypeOrLength(segment: PeeledSegment, type: number): Layer {
  if (type > 1500) return layerOfEtherType(type);
  segment.shortenTo(type);
  return Layer.llc;
}

/** IEEE 802.2: IP by its own service access point, or by EtherType after a SNAP header (RFC 1042, 802.1H). */
export function llc(segment: PeeledSegment): Layer {
  if (!segment.has(3)) return segment.short('LLC header', 3);
  const accessPoints = uint16(segment.bytes, segment.start);
  if (segment.bytes[segment.start + 2] !== 3) return Layer.ignored;
  if (accessPoints === 0x0606) {
    segment.peel(3);
    return Layer.ipv4;
  }
  if (accessPoints !== 0xaaaa) return Layer.ignored;
  if (!segment.has(8)) return segment.short('SNAP header', 8);
  const organization = int32(segment.bytes, segment.start + 2) & 0xffffff;
  const type = uint16(segment.bytes, segment.start + 6);
  segment.peel(8);
  return organization === 0x000000 || organization === 0x0000f8 ? layerOfEtherType(type) : Layer.ignored;
}

/** LINKTYPE_LINUX_SLL: 16 bytes that end with an EtherType, or with a small number of Linux' own. */
export function linuxCooked1(segment: PeeledSegment): Layer {
  if (!segment.has(16)) return segment.short('Linux cooked header', 16);
  const type = uint16(segment.bytes, segment.start + 14);
  segment.peel(16);
  return layerOfCookedProtocol(type);
}

/** LINKTYPE_LINUX_SLL2: 20 bytes that begin with the protocol. */
export function linuxCooked2(segment: PeeledSegment): Layer {
  if (!segment.has(20)) return segment.short('Linux cooked header v2', 20);
  const type = uint16(segment.bytes, segment.start);
  segment.peel(20);
  return layerOfCookedProtocol(type);
}

function layerOfCookedProtocol(type: number): Layer {
  return type === 0x0004 ? Layer.llc : layerOfEtherType(type);
}

/** LINKTYPE_NULL: an address family in the byte order of the capturing machine; families are small, so the larger reading is the wrong one. */
export function bsdNull(segment: PeeledSegment): Layer {
  if (!segment.has(4)) return segment.short('BSD loopback header', 4);
  const bytes = segment.bytes;
  const low = uint16(bytes, segment.start + 2);
  const high = uint16(bytes, segment.start);
  segment.peel(4);
  return layerOfFamily(high === 0 ? low : low === 0 ? ((high & 0xff) << 8) | (high >> 8) : 0);
}

/** LINKTYPE_LOOP: the same in network order. */
export function bsdLoop(segment: PeeledSegment): Layer {
  if (!segment.has(4)) return segment.short('BSD loopback header', 4);
  const family = int32(segment.bytes, segment.start);
  segment.peel(4);
  return layerOfFamily(family);
}

function layerOfFamily(family: number): Layer {
  switch (family) {
    case 2:
      return Layer.ipv4;
    case 10: // AF_INET6 of Linux
    case 24: // NetBSD, OpenBSD
    case 28: // FreeBSD
    case 30: // macOS
      return Layer.ipv6;
    default:
      return Layer.ignored;
  }
}

/** PPPoE (RFC 2516), session stage; the discovery stage carries nothing. */
export function pppoe(segment: PeeledSegment): Layer {
  if (!segment.has(6)) return segment.short('PPPoE header', 6);
  if (uint16(segment.bytes, segment.start) !== 0x1100) return Layer.ignored;
  const length = uint16(segment.bytes, segment.start + 4);
  segment.peel(6);
  segment.shortenTo(length);
  return Layer.ppp;
}

/** PPP (RFC 1661) with or without address and control bytes; an odd first byte is a protocol compressed to one byte. */
export function ppp(segment: PeeledSegment): Layer {
  if (!segment.has(1)) return segment.short('PPP header', 1);
  if (segment.bytes[segment.start] === 0xff) {
    if (!segment.has(3)) return segment.short('PPP header', 3);
    if (segment.bytes[segment.start + 1] !== 3) return Layer.ignored;
    segment.peel(2);
  }
  const first = segment.bytes[segment.start] as number;
  const protocolBytes = first & 1 ? 1 : 2;
  if (!segment.has(protocolBytes)) return segment.short('PPP header', protocolBytes);
  const protocol = protocolBytes === 1 ? first : uint16(segment.bytes, segment.start);
  segment.peel(protocolBytes);
  switch (protocol) {
    case 0x0021:
      return Layer.ipv4;
    case 0x0057:
      return Layer.ipv6;
    case 0x0281:
    case 0x0283:
      return Layer.mpls;
    default:
      return Layer.ignored;
  }
}

/** LINKTYPE_PPP_WITH_DIR: a byte that says sent or received, then PPP. */
export function pppWithDirection(segment: PeeledSegment): Layer {
  if (!segment.has(1)) return segment.short('PPP direction', 1);
  segment.peel(1);
  return Layer.ppp;
}

/** LINKTYPE_PPP_HDLC: PPP in HDLC-like framing (RFC 1662), or Cisco's framing, told apart by the address byte. */
export function hdlc(segment: PeeledSegment): Layer {
  if (!segment.has(1)) return segment.short('HDLC address', 1);
  const address = segment.bytes[segment.start];
  return address === 0x0f || address === 0x8f ? Layer.ciscoHdlc : Layer.ppp;
}

/** Cisco HDLC: address and control bytes, then an EtherType. */
export function ciscoHdlc(segment: PeeledSegment): Layer {
  if (!segment.has(4)) return segment.short('Cisco HDLC header', 4);
  const type = uint16(segment.bytes, segment.start + 2);
  segment.peel(4);
  return layerOfEtherType(type);
}

/**
 * One MPLS label (RFC 3032). What follows the bottom of the stack isn't named: as Wireshark does, the first nibble tells IPv4, IPv6, a
 * pseudowire's control word before an Ethernet frame (0, RFC 4448) and its channel for management (1, RFC 4385); all else is an Ethernet
 * frame without control word.
 */
export function mpls(segment: PeeledSegment): Layer {
  if (!segment.has(4)) return segment.short('MPLS label', 4);
  const bottom = (segment.bytes[segment.start + 2] as number) & 1;
  segment.peel(4);
  if (bottom === 0) return Layer.mpls;
  if (!segment.has(4)) return segment.short('MPLS payload', 4);
  switch ((segment.bytes[segment.start] as number) >> 4) {
    case 4:
      return Layer.ipv4;
    case 6:
      return Layer.ipv6;
    case 0:
      segment.peel(4);
      return Layer.ethernet;
    case 1:
      return Layer.ignored;
    default:
      return Layer.ethernet;
  }
}
