import { MAX_RECORD_BYTES } from '../limits.ts';
import { int32, uint16, uint32 } from '../wire/bytes.ts';
import { internetSum } from '../wire/checksum.ts';
import { Layer, layerOfIpProtocol, layerOfNextHeader } from './layer.ts';
import type { PeeledSegment } from './peeled-segment.ts';

/** IPv4 or IPv6, as the first nibble says. */
export function ip(segment: PeeledSegment): Layer {
  if (!segment.has(1)) return segment.short('IP header', 1);
  const version = (segment.bytes[segment.start] as number) >> 4;
  if (version === 4) return Layer.ipv4;
  if (version === 6) return Layer.ipv6;
  return segment.malformed(`IP version ${version}`);
}

/**
 * IPv4 (RFC 791). The total length outranks the frame's: what the frame has more is padding or a trailer, what it has less was not captured.
 * (some tools cut a packet and its original length alike), unless the header checksum tells that the length is damaged. A total length of 0 comes from segmentation offloading: the frame's length stands in.
 */
export function ipv4(segment: PeeledSegment): Layer {
  if (!segment.has(20)) return segment.short('IPv4 header', 20);
  const bytes = segment.bytes;
  const start = segment.start;
  const first = bytes[start] as number;
  if (first >> 4 !== 4) return segment.malformed(`IPv4 header with version ${first >> 4}`);
  const headerBytes = (first & 0x0f) << 2;
  if (headerBytes < 20) return segment.malformed(`IPv4 header length of ${headerBytes} bytes is below 20`);
  const totalLength = uint16(bytes, start + 2);
  if (totalLength !== 0) {
    if (totalLength < headerBytes)
      return segment.malformed(`IPv4 total length of ${totalLength} bytes is below its header's ${headerBytes}`);
    if (totalLength > segment.payloadLength && !headerIsIntact(bytes, start, Math.min(start + headerBytes, segment.end))) {
      return segment.malformed(`IPv4 total length of ${totalLength} bytes in ${segment.payloadLength}, and a wrong header checksum`);
    }
    segment.resize(totalLength);
  }
  if (!segment.has(headerBytes)) return segment.short('IPv4 header', headerBytes);
  segment.ipVersion = 4;
  segment.source0 = 0;
  segment.source1 = 0;
  segment.source2 = 0;
  segment.source3 = int32(bytes, start + 12);
  segment.destination0 = 0;
  segment.destination1 = 0;
  segment.destination2 = 0;
  segment.destination3 = int32(bytes, start + 16);
  segment.mayBeRerouted = headerBytes > 20;
  segment.peel(headerBytes);
  const protocol = bytes[start + 9] as number;
  const layer = layerOfIpProtocol(protocol);
  const fragment = uint16(bytes, start + 6) & 0x3fff;
  if (fragment === 0) return layer;
  segment.fragmentId = uint16(bytes, start + 4);
  return fragmentOf(segment, protocol, layer, (fragment & 0x1fff) << 3, (fragment & 0x2000) !== 0);
}

/**
 * IPv6 (RFC 8200). Lengths as in {@link ipv4}; 0 stands in jumbograms (RFC 2675), whose length a hop-by-hop option gives, and in packets of more
 * than 65,535 bytes that offloading left whole (BIG TCP).
 */
export function ipv6(segment: PeeledSegment): Layer {
  if (!segment.has(40)) return segment.short('IPv6 header', 40);
  const bytes = segment.bytes;
  const start = segment.start;
  const version = (bytes[start] as number) >> 4;
  if (version !== 6) return segment.malformed(`IPv6 header with version ${version}`);
  segment.ipVersion = 6;
  segment.source0 = int32(bytes, start + 8);
  segment.source1 = int32(bytes, start + 12);
  segment.source2 = int32(bytes, start + 16);
  segment.source3 = int32(bytes, start + 20);
  segment.destination0 = int32(bytes, start + 24);
  segment.destination1 = int32(bytes, start + 28);
  segment.destination2 = int32(bytes, start + 32);
  segment.destination3 = int32(bytes, start + 36);
  segment.mayBeRerouted = false;
  segment.peel(40);
  const payloadLength = uint16(bytes, start + 4);
  segment.lengthIsOpen = payloadLength === 0;
  if (payloadLength !== 0) segment.resize(payloadLength);
  return layerOfNextHeader(bytes[start + 6] as number);
}

const padOne = 0;
const jumboPayload = 0xc2;

/** IPv6 hop-by-hop options (RFC 8200, section 4.3). */
export function hopByHop(segment: PeeledSegment): Layer {
  if (segment.lengthIsOpen && segment.has(2)) {
    const length = jumboPayloadLength(segment.bytes, segment.start, segment.end);
    if (length > MAX_RECORD_BYTES) return segment.malformed(`IPv6 jumbo payload of ${length} bytes`);
    if (length > 0) segment.resize(length);
  }
  return options(segment, 'IPv6 hop-by-hop header');
}

/** IPv6 destination options (RFC 8200, section 4.6). */
export function destinationOptions(segment: PeeledSegment): Layer {
  return options(segment, 'IPv6 destination options header');
}

/** An IPv6 routing header (RFC 8200, section 4.4). */
export function routing(segment: PeeledSegment): Layer {
  if (segment.has(4) && segment.bytes[segment.start + 3] !== 0) segment.mayBeRerouted = true;
  return options(segment, 'IPv6 routing header');
}

/** An authentication header (RFC 4302), of IPv4 and IPv6; what it protects is in the clear. */
export function authentication(segment: PeeledSegment): Layer {
  return extension(segment, 'Authentication header', 4, 2);
}

/** An IPv6 fragment header (RFC 8200, section 4.5); one that holds the whole datagram (RFC 6946) is like any other extension. */
export function ipv6Fragment(segment: PeeledSegment): Layer {
  if (!segment.has(8)) return segment.short('IPv6 fragment header', 8);
  const start = segment.start;
  const protocol = segment.bytes[start] as number;
  const place = uint16(segment.bytes, start + 2);
  segment.fragmentId = int32(segment.bytes, start + 4);
  segment.peel(8);
  const layer = layerOfNextHeader(protocol);
  return (place & 0xfff9) === 0 ? layer : fragmentOf(segment, protocol, layer, place & 0xfff8, (place & 1) !== 0);
}

/** The header checksum is right, or 0 as offloading leaves it. */
function headerIsIntact(bytes: Uint8Array, start: number, end: number): boolean {
  return uint16(bytes, start + 10) === 0 || internetSum(bytes, start, end) === 0xffff;
}

function fragmentOf(segment: PeeledSegment, protocol: number, layer: Layer, offset: number, more: boolean): Layer {
  if (layer === Layer.ignored) return layer;
  segment.fragmentProtocol = protocol;
  segment.fragmentOffset = offset;
  segment.moreFragments = more;
  return Layer.fragment;
}

function options(segment: PeeledSegment, name: string): Layer {
  return extension(segment, name, 8, 1);
}

/** Peels an extension header whose second byte counts units beyond the first `more` ones. */
function extension(segment: PeeledSegment, name: string, unitBytes: number, more: number): Layer {
  if (!segment.has(2)) return segment.short(name, unitBytes * more);
  const protocol = segment.bytes[segment.start] as number;
  const headerBytes = ((segment.bytes[segment.start + 1] as number) + more) * unitBytes;
  if (!segment.has(headerBytes)) return segment.short(name, headerBytes);
  segment.peel(headerBytes);
  return segment.ipVersion === 6 ? layerOfNextHeader(protocol) : layerOfIpProtocol(protocol);
}

/** The length that a jumbo payload option in the options header at `start` gives, 0 where there is none. */
function jumboPayloadLength(bytes: Uint8Array, start: number, end: number): number {
  const optionsEnd = Math.min(end, start + ((bytes[start + 1] as number) + 1) * 8);
  let offset = start + 2;
  while (offset + 6 <= optionsEnd) {
    const type = bytes[offset];
    if (type === jumboPayload && bytes[offset + 1] === 4) return uint32(bytes, offset + 2);
    offset += type === padOne ? 1 : (bytes[offset + 1] as number) + 2;
  }
  return 0;
}
