/**
 * What stands next in a packet. Each parser takes its own header off the front of the packet and answers which of these follows,
 * so that headers nest in any order without the parsers knowing one another.
 */
export const Layer = {
  /** Nothing that could carry TCP: UDP, ICMP, ARP… */
  ignored: 0,
  /** A header is cut or contradicts itself; the packet's `problem` says how. */
  malformed: 1,
  /** The headers are done with and the segment is complete. */
  segment: 2,
  /** A fragment of a datagram, to be put together with its others. */
  fragment: 3,
  ethernet: 4,
  vlan: 5,
  llc: 6,
  pppoe: 7,
  ppp: 8,
  hdlc: 9,
  pppWithDirection: 10,
  ciscoHdlc: 11,
  mpls: 12,
  linuxCooked1: 13,
  linuxCooked2: 14,
  bsdNull: 15,
  bsdLoop: 16,
  /** IPv4 or IPv6, as the first nibble says. */
  ip: 17,
  ipv4: 18,
  ipv6: 19,
  hopByHop: 20,
  destinationOptions: 21,
  routing: 22,
  ipv6Fragment: 23,
  authentication: 24,
  tcp: 25,
  udp: 26,
  gre: 27,
  erspan2: 28,
  erspan3: 29,
  vxlan: 30,
  geneve: 31,
  gtp: 32,
} as const;
export type Layer = (typeof Layer)[keyof typeof Layer];

/** The layer that an EtherType names (IEEE 802 numbers). */
export function layerOfEtherType(type: number): Layer {
  switch (type) {
    case 0x0800:
      return Layer.ipv4;
    case 0x86dd:
      return Layer.ipv6;
    case 0x8100: // 802.1Q
    case 0x88a8: // 802.1ad
    case 0x9100: // QinQ before 802.1ad
    case 0x9200:
      return Layer.vlan;
    case 0x8847: // unicast
    case 0x8848: // with upstream-assigned label
      return Layer.mpls;
    case 0x8864: // session stage
      return Layer.pppoe;
    case 0x6558: // transparent Ethernet bridging, in GRE and Geneve
      return Layer.ethernet;
    case 0x880b: // PPP, in GRE version 1
      return Layer.ppp;
    case 0x88be:
      return Layer.erspan2;
    case 0x22eb:
      return Layer.erspan3;
    default:
      return Layer.ignored;
  }
}

/** The layer that an IPv4 protocol number names (IANA). */
export function layerOfIpProtocol(protocol: number): Layer {
  switch (protocol) {
    case 6:
      return Layer.tcp;
    case 17:
      return Layer.udp;
    case 4:
      return Layer.ipv4;
    case 41:
      return Layer.ipv6;
    case 47:
      return Layer.gre;
    case 51:
      return Layer.authentication;
    case 137:
      return Layer.mpls;
    default:
      return Layer.ignored;
  }
}

/** The layer that an IPv6 next header names: an extension header, or what an IPv4 protocol of that number is. */
export function layerOfNextHeader(nextHeader: number): Layer {
  switch (nextHeader) {
    case 0:
      return Layer.hopByHop;
    case 43:
      return Layer.routing;
    case 44:
      return Layer.ipv6Fragment;
    case 60:
      return Layer.destinationOptions;
    default:
      return layerOfIpProtocol(nextHeader);
  }
}
