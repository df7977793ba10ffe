import type { Packet } from '../capture/packet.ts';

/** TCP flags as RFC 9293 section 3.1 numbers them. */
export const TcpFlag = { fin: 0x01, syn: 0x02, rst: 0x04, psh: 0x08, ack: 0x10 } as const;

/** What the TCP checksum of a segment says. */
export const Checksum = {
  /** Cut by the snapshot length, a fragment's, or otherwise not to be computed. */
  unknown: 0,
  right: 1,
  wrong: 2,
  /** The field holds the pseudo-header's sum alone: left to the network card, or rewritten by receive offloading. Says nothing. */
  offloaded: 3,
} as const;
export type Checksum = (typeof Checksum)[keyof typeof Checksum];

/**
 * One TCP segment. The net stage reuses one object and its bytes are borrowed: both are valid only during the call of
 * {@link SegmentSink.segment}.
 *
 * Addresses are big-endian 32-bit words as signed int32, so that they hash and compare without allocation: IPv6 fills all four,
 * IPv4 only the last, with `ipVersion` telling them apart.
 */
export interface Segment {
  readonly packet: Packet;
  ipVersion: 4 | 6;
  source0: number;
  source1: number;
  source2: number;
  source3: number;
  destination0: number;
  destination1: number;
  destination2: number;
  destination3: number;
  sourcePort: number;
  destinationPort: number;
  /** Sequence and acknowledgment number as signed int32: only their differences mean anything. */
  seq: number;
  ack: number;
  /** Bits of {@link TcpFlag}. */
  flags: number;
  window: number;
  /** The captured payload is `bytes[start, end)`. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Payload bytes on the wire; `end - start` is less where the snapshot length cut the packet. */
  payloadLength: number;
  /** Verifies the TCP checksum; costs a pass over the segment, so ask only for segments whose bytes are used. */
  checksum(): Checksum;
  /** Internet sum (RFC 1071) of the captured payload: two that differ have different bytes. The same pass as that of {@link checksum}. */
  payloadSum(): number;
}

/** Takes the segments of the net stage, in the order of the capture. */
export interface SegmentSink {
  segment(segment: Segment): void;
}
