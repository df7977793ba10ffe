import { int32, uint16 } from '../wire/bytes.ts';
import { Layer } from './layer.ts';
import type { PeeledSegment } from './peeled-segment.ts';

/**
 * The TCP header (RFC 9293, section 3.1). Options are passed over; where the snapshot length cut them, the segment has no captured payload. A
 * data offset that points into the fixed header or past the segment's end makes it malformed.
 */
export function tcp(segment: PeeledSegment): Layer {
  if (!segment.has(20)) return segment.short('TCP header', 20);
  const bytes = segment.bytes;
  const start = segment.start;
  const headerBytes = ((bytes[start + 12] as number) >> 4) << 2;
  if (headerBytes < 20) return segment.malformed(`TCP data offset of ${headerBytes} bytes is below 20`);
  if (headerBytes > segment.payloadLength) {
    return segment.malformed(`TCP data offset of ${headerBytes} bytes in a segment of ${segment.payloadLength}`);
  }
  segment.sourcePort = uint16(bytes, start);
  segment.destinationPort = uint16(bytes, start + 2);
  segment.seq = int32(bytes, start + 4);
  segment.ack = int32(bytes, start + 8);
  segment.flags = bytes[start + 13] as number;
  segment.window = uint16(bytes, start + 14);
  segment.tcpStart = start;
  segment.tcpLength = segment.payloadLength;
  segment.peel(headerBytes);
  return Layer.segment;
}
