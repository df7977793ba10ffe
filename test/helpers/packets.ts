import type { Packet } from '../../src/capture/packet.ts';

/** TCP flags by their bits, as RFC 9293 names them. */
export const Flag = { fin: 0x01, syn: 0x02, rst: 0x04, psh: 0x08, ack: 0x10 } as const;

/** EtherTypes that the tests wrap packets in. */
export const EtherType = {
  ipv4: 0x0800,
  vlan: 0x8100,
  ipv6: 0x86dd,
  qinq: 0x88a8,
  mpls: 0x8847,
  pppoe: 0x8864,
  bridged: 0x6558,
} as const;

/** One array holding the parts one after the other. */
export function concat(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Bytes of a hexadecimal text; white space is passed over. */
export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
}

/** The number as `size` big-endian bytes. */
export function bigEndian(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, index) => Math.floor((value >>> 0) / 256 ** (size - 1 - index)) & 0xff);
}

/** The bytes of an IPv4 or IPv6 address given as text. */
export function addressBytes(text: string): number[] {
  if (!text.includes(':')) return text.split('.').map(Number);
  const [head = '', tail] = text.split('::');
  const words = (part: string) =>
    part
      .split(':')
      .filter((word) => word !== '')
      .flatMap((word) => bigEndian(Number.parseInt(word, 16), 2));
  const front = words(head);
  const back = tail === undefined ? [] : words(tail);
  return [...front, ...new Array(16 - front.length - back.length).fill(0), ...back];
}

/** The Internet checksum (RFC 1071) in its plainest form: the oracle of the fast one. */
export function internetChecksum(bytes: Uint8Array | readonly number[]): number {
  let sum = 0;
  for (let offset = 0; offset < bytes.length; offset += 2) sum += (bytes[offset] ?? 0) * 256 + (bytes[offset + 1] ?? 0);
  while (sum > 0xffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}

export interface EthernetFields {
  type?: number;
  /** Tags from the outermost in: [EtherType, tag control information]. */
  tags?: readonly (readonly [type: number, tag: number])[];
  /** Bytes after the payload, as padding or a frame check sequence. */
  trailer?: Uint8Array;
}

/** An Ethernet frame; its type is that of the IP version in the payload unless given. */
export function ethernet(payload: Uint8Array, fields: EthernetFields = {}): Uint8Array {
  const type = fields.type ?? ((payload[0] ?? 0) >> 4 === 6 ? EtherType.ipv6 : EtherType.ipv4);
  const tags = (fields.tags ?? []).flatMap(([tagType, tag]) => [...bigEndian(tagType, 2), ...bigEndian(tag, 2)]);
  return concat([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1], tags, bigEndian(type, 2), payload, fields.trailer ?? []);
}

export interface Ipv4Fields {
  source?: string;
  destination?: string;
  protocol?: number;
  id?: number;
  /** More fragments follow. */
  more?: boolean;
  /** In bytes, a multiple of 8. */
  fragmentOffset?: number;
  /** A multiple of 4 bytes. */
  options?: readonly number[];
  totalLength?: number;
  /** False leaves a TCP checksum of 0 as it is. */
  fillChecksum?: boolean;
}

/** An IPv4 datagram; a TCP checksum of 0 in the payload is replaced by the right one, unless it is a fragment. */
export function ipv4(payload: Uint8Array, fields: Ipv4Fields = {}): Uint8Array {
  const source = addressBytes(fields.source ?? '192.0.2.1');
  const destination = addressBytes(fields.destination ?? '192.0.2.2');
  const protocol = fields.protocol ?? 6;
  const options = fields.options ?? [];
  const headerBytes = 20 + options.length;
  const fragment = (fields.more === true ? 0x2000 : 0) | ((fields.fragmentOffset ?? 0) >> 3);
  const header = [
    0x40 | (headerBytes >> 2),
    0,
    ...bigEndian(fields.totalLength ?? headerBytes + payload.length, 2),
    ...bigEndian(fields.id ?? 0, 2),
    ...bigEndian(fragment, 2),
    64,
    protocol,
    0,
    0,
    ...source,
    ...destination,
    ...options,
  ];
  header.splice(10, 2, ...bigEndian(internetChecksum(header), 2));
  const whole = fragment === 0 && fields.fillChecksum !== false;
  return concat(header, whole ? withTcpChecksum(payload, protocol, source, destination) : payload);
}

export interface Ipv6Fields {
  source?: string;
  destination?: string;
  /** Type of the header that follows the fixed one. */
  nextHeader?: number;
  /** Extension headers, whole, in front of the payload; the caller chains them. */
  extensions?: readonly Uint8Array[];
  payloadLength?: number;
  fillChecksum?: boolean;
}

/** An IPv6 packet; a TCP checksum of 0 in a payload that is TCP (no extensions, or `nextHeader` of the last is 6) is replaced by the right one. */
export function ipv6(payload: Uint8Array, fields: Ipv6Fields = {}): Uint8Array {
  const source = addressBytes(fields.source ?? '2001:db8::1');
  const destination = addressBytes(fields.destination ?? '2001:db8::2');
  const extensions = fields.extensions ?? [];
  const nextHeader = fields.nextHeader ?? 6;
  const protocol = extensions.at(-1)?.[0] ?? nextHeader;
  const extensionBytes = concat(...extensions);
  const header = [
    ...[0x60, 0, 0, 0],
    ...bigEndian(fields.payloadLength ?? extensionBytes.length + payload.length, 2),
    nextHeader,
    64,
    ...source,
    ...destination,
  ];
  return concat(header, extensionBytes, fields.fillChecksum === false ? payload : withTcpChecksum(payload, protocol, source, destination));
}

/** An IPv6 fragment header (RFC 8200, section 4.5). */
export function ipv6FragmentHeader(nextHeader: number, fragmentOffset: number, more: boolean, id: number): Uint8Array {
  return Uint8Array.from([nextHeader, 0, ...bigEndian(fragmentOffset | (more ? 1 : 0), 2), ...bigEndian(id, 4)]);
}

export interface TcpFields {
  sourcePort?: number;
  destinationPort?: number;
  seq?: number;
  ack?: number;
  flags?: number;
  window?: number;
  /** A multiple of 4 bytes. */
  options?: readonly number[];
  /** 0, the default, is replaced by the right one in {@link ipv4} and {@link ipv6}. */
  checksum?: number;
}

/** A TCP segment. */
export function tcp(payload: Uint8Array = new Uint8Array(), fields: TcpFields = {}): Uint8Array {
  const options = fields.options ?? [];
  return concat(
    bigEndian(fields.sourcePort ?? 51234, 2),
    bigEndian(fields.destinationPort ?? 9092, 2),
    bigEndian(fields.seq ?? 1, 4),
    bigEndian(fields.ack ?? 1, 4),
    [(20 + options.length) << 2, fields.flags ?? Flag.ack],
    bigEndian(fields.window ?? 65535, 2),
    bigEndian(fields.checksum ?? 0, 2),
    [0, 0],
    options,
    payload,
  );
}

/** A UDP datagram without checksum. */
export function udp(payload: Uint8Array, sourcePort: number, destinationPort: number): Uint8Array {
  return concat(bigEndian(sourcePort, 2), bigEndian(destinationPort, 2), bigEndian(8 + payload.length, 2), [0, 0], payload);
}

/** The sum over a TCP pseudo-header (RFC 9293, section 3.1), as a checksum of it alone. */
export function pseudoHeaderChecksum(source: readonly number[], destination: readonly number[], lengthBytes: number): number {
  return internetChecksum([...source, ...destination, 0, 6, ...bigEndian(lengthBytes, 4)]);
}

function withTcpChecksum(segment: Uint8Array, protocol: number, source: readonly number[], destination: readonly number[]): Uint8Array {
  if (protocol !== 6 || segment.length < 20 || segment[16] !== 0 || segment[17] !== 0) return segment;
  const sum = internetChecksum([...source, ...destination, 0, 6, ...bigEndian(segment.length, 4), ...segment]);
  const copy = segment.slice();
  copy.set(bigEndian(sum, 2), 16);
  return copy;
}

export interface Endpoint {
  address: string;
  port: number;
}

export interface Conversation {
  client?: Endpoint;
  server?: Endpoint;
  clientIsn?: number;
  serverIsn?: number;
  /** What is said, in order; each payload is cut into segments of at most `mss` bytes. */
  messages: readonly { from: 'client' | 'server'; bytes: Uint8Array }[];
  mss?: number;
  /** False leaves out the three-way handshake. */
  handshake?: boolean;
  /** False leaves out both FINs and the last ACK. */
  close?: boolean;
}

/** One TCP connection as Ethernet frames: handshake, data with ACKs riding on it, both FINs. */
export function tcpConversation(conversation: Conversation): Uint8Array[] {
  const client = conversation.client ?? { address: '192.0.2.1', port: 51234 };
  const server = conversation.server ?? { address: '192.0.2.2', port: 9092 };
  const next = { client: conversation.clientIsn ?? 1000, server: conversation.serverIsn ?? 5000 };
  const frames: Uint8Array[] = [];
  const send = (from: 'client' | 'server', flags: number, payload = new Uint8Array()) => {
    const [source, destination, other] = from === 'client' ? ([client, server, 'server'] as const) : ([server, client, 'client'] as const);
    const ack = (flags & Flag.ack) === 0 ? 0 : next[other];
    const segment = tcp(payload, { sourcePort: source.port, destinationPort: destination.port, seq: next[from], ack, flags });
    const ip = source.address.includes(':') ? ipv6 : ipv4;
    frames.push(ethernet(ip(segment, { source: source.address, destination: destination.address })));
    next[from] = (next[from] + payload.length + ((flags & (Flag.syn | Flag.fin)) === 0 ? 0 : 1)) >>> 0;
  };
  if (conversation.handshake !== false) {
    send('client', Flag.syn);
    send('server', Flag.syn | Flag.ack);
    send('client', Flag.ack);
  } else {
    next.client += 1;
    next.server += 1;
  }
  const mss = conversation.mss ?? 1460;
  for (const { from, bytes } of conversation.messages) {
    for (let start = 0; start < bytes.length; start += mss) {
      send(from, Flag.psh | Flag.ack, bytes.subarray(start, start + mss) as Uint8Array<ArrayBuffer>);
    }
  }
  if (conversation.close !== false) {
    send('client', Flag.fin | Flag.ack);
    send('server', Flag.fin | Flag.ack);
    send('client', Flag.ack);
  }
  return frames;
}

export interface CapturedPacket {
  bytes: Uint8Array;
  seconds?: number;
  nanos?: number;
  /** The captured length unless given. */
  originalLength?: number;
}

export interface PcapOptions {
  linkType?: number;
  snaplen?: number;
  /** Nanosecond timestamps (magic a1b23c4d). */
  nanoseconds?: boolean;
  bigEndian?: boolean;
}

/**
 * A classic capture file. Packets are a millisecond apart from 2023-11-14T22:13:20Z unless they bring a time; those longer than
 * the snapshot length are cut.
 */
export function pcapFile(packets: readonly (Uint8Array | CapturedPacket)[], options: PcapOptions = {}): Uint8Array {
  const snaplen = options.snaplen ?? 262_144;
  const integer = (value: number, size: number) => (options.bigEndian === true ? bigEndian(value, size) : bigEndian(value, size).reverse());
  const words = (...values: number[]) => values.flatMap((value) => integer(value, 4));
  const magic = options.nanoseconds === true ? 0xa1b23c4d : 0xa1b2c3d4;
  const records = packets.flatMap((given, index) => {
    const packet: CapturedPacket = given instanceof Uint8Array ? { bytes: given } : given;
    const captured = packet.bytes.subarray(0, snaplen);
    const seconds = packet.seconds ?? 1_700_000_000 + Math.floor(index / 1000);
    const nanos = packet.nanos ?? (index % 1000) * 1_000_000;
    const fraction = options.nanoseconds === true ? nanos : Math.floor(nanos / 1000);
    return [Uint8Array.from(words(seconds, fraction, captured.length, packet.originalLength ?? packet.bytes.length)), captured];
  });
  const header = [...words(magic), ...integer(2, 2), ...integer(4, 2), ...words(0, 0, snaplen, options.linkType ?? 1)];
  return Uint8Array.from(Buffer.concat([Uint8Array.from(header), ...records]));
}

/** A packet as the capture stage hands it over: Ethernet, whole, number 1, unless told otherwise. */
export function packetOf(bytes: Uint8Array, fields: Partial<Packet> = {}): Packet {
  return {
    capture: 0,
    number: 1,
    seconds: 1_700_000_000,
    nanos: 0,
    fine: false,
    bytes,
    start: 0,
    end: bytes.length,
    originalLength: bytes.length,
    linkType: 1,
    fcsBytes: 0,
    fileOffset: 24,
    ...fields,
  };
}
