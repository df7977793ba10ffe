import { emptyPacket, type Packet } from '../capture/packet.ts';
import { MAX_RECORD_BYTES } from '../limits.ts';
import { uint16 } from '../wire/bytes.ts';
import { foldInternetSum, internetSum } from '../wire/checksum.ts';
import { WordSum } from '../wire/word-sum.ts';
import { Layer } from './layer.ts';
import { Checksum, type Segment } from './segment.ts';

const noBytes = new Uint8Array();
const noPacket = emptyPacket();

const tcpProtocol = 6;
const tcpChecksumOffset = 16;

/**
 * The net stage's one reused segment, which begins as a whole packet. Each parser peels its header off the front: what is left, `bytes[start, end)`
 * as captured and `payloadLength` on the wire, is what that header carried; once the TCP header is gone it is the segment's payload. Inner
 * headers overwrite what outer ones said, so that the addresses are those of the innermost IP header.
 *
 * A header is read only after `has` said that it is there, on the wire and in the capture.
 */
export class PeeledSegment implements Segment {
  packet: Packet = noPacket;
  ipVersion: 4 | 6 = 4;
  source0 = 0;
  source1 = 0;
  source2 = 0;
  source3 = 0;
  destination0 = 0;
  destination1 = 0;
  destination2 = 0;
  destination3 = 0;
  sourcePort = 0;
  destinationPort = 0;
  seq = 0;
  ack = 0;
  flags = 0;
  window = 0;
  bytes: Uint8Array = noBytes;
  start = 0;
  end = 0;
  payloadLength = 0;

  /** Where the TCP header begins in `bytes`, and how long header and payload were on the wire. */
  tcpStart = 0;
  tcpLength = 0;
  /** A source route may put another destination into the pseudo-header than stands in the IP header. */
  mayBeRerouted = false;
  /** The IPv6 header leaves its payload's length to the jumbo payload option (RFC 2675) or, by offloading, to the frame. */
  lengthIsOpen = false;

  /** Of an IP fragment: its datagram's identification and protocol, its place in it, and whether it isn't the last. */
  fragmentId = 0;
  fragmentProtocol = 0;
  fragmentOffset = 0;
  moreFragments = false;

  /** Why the packet is malformed, once a parser answered {@link Layer.malformed}. */
  problem = '';
  readonly #wordSum = new WordSum();
  #payloadSum = -1;

  /** Begins a packet. An original length that can't be right (below the captured length, or beyond any packet) gives way to the captured one. */
  load(packet: Packet): void {
    const captured = packet.end - packet.start;
    const original = packet.originalLength;
    this.packet = packet;
    this.bytes = packet.bytes;
    this.start = packet.start;
    this.end = packet.end;
    this.payloadLength = original > captured && original <= MAX_RECORD_BYTES ? original : captured;
    this.mayBeRerouted = false;
    this.#payloadSum = -1;
    if (packet.fcsBytes > 0) this.shortenTo(Math.max(0, this.payloadLength - packet.fcsBytes));
  }

  /** The next `count` bytes were on the wire and are captured. */
  has(count: number): boolean {
    return this.end - this.start >= count && this.payloadLength >= count;
  }

  /** Takes `count` bytes off the front, which may be more than was captured. */
  peel(count: number): void {
    this.start += count;
    this.payloadLength -= count;
    if (this.start > this.end) this.start = this.end;
  }

  /** What is left has `wireBytes` on the wire, as a header says that is to be believed over the capture's lengths. */
  resize(wireBytes: number): void {
    this.payloadLength = wireBytes;
    if (this.end - this.start > wireBytes) this.end = this.start + wireBytes;
  }

  /** What is left has at most `wireBytes` on the wire: cuts off padding and trailers. */
  shortenTo(wireBytes: number): void {
    if (wireBytes < this.payloadLength) this.resize(wireBytes);
  }

  /** Replaces what is left by a datagram put together from its fragments. */
  replace(bytes: Uint8Array, end: number, wireBytes: number): void {
    this.bytes = bytes;
    this.start = 0;
    this.end = end;
    this.payloadLength = wireBytes;
  }

  malformed(problem: string): Layer {
    this.problem = problem;
    return Layer.malformed;
  }

  /** The answer of a parser whose header isn't there whole. */
  short(header: string, neededBytes: number): Layer {
    const captured = this.end - this.start;
    if (this.payloadLength > captured) return this.malformed(`${header} needs ${neededBytes} bytes, ${captured} were captured`);
    return this.malformed(`${header} needs ${neededBytes} bytes, ${captured} are left in the packet`);
  }

  /**
   * See {@link Segment.checksum}. Offloading leaves the folded sum of the pseudo-header in the field, with the segment's length or (for segmentation
   * by the network card) without it, or 0.
   */
  checksum(): Checksum {
    if (this.end - this.tcpStart < this.tcpLength) return Checksum.unknown;
    const addresses = this.#addressSum();
    const length = (this.tcpLength >>> 16) + (this.tcpLength & 0xffff);
    const sum = addresses + tcpProtocol + length + internetSum(this.bytes, this.tcpStart, this.start) + this.payloadSum();
    if (foldInternetSum(sum) === 0xffff) return Checksum.right;
    const field = uint16(this.bytes, this.tcpStart + tcpChecksumOffset);
    if (field === 0) return Checksum.offloaded;
    if (field === foldInternetSum(addresses + tcpProtocol + length)) return Checksum.offloaded;
    if (field === foldInternetSum(addresses + tcpProtocol)) return Checksum.offloaded;
    return this.mayBeRerouted ? Checksum.unknown : Checksum.wrong;
  }

  payloadSum(): number {
    if (this.#payloadSum < 0) this.#payloadSum = this.#wordSum.of(this.bytes, this.start, this.end);
    return this.#payloadSum;
  }

  /** Sum of the addresses' 16-bit words; IPv4 leaves 0 in the words it doesn't use. */
  #addressSum(): number {
    return (
      words(this.source0) +
      words(this.source1) +
      words(this.source2) +
      words(this.source3) +
      words(this.destination0) +
      words(this.destination1) +
      words(this.destination2) +
      words(this.destination3)
    );
  }
}

function words(word: number): number {
  return (word >>> 16) + (word & 0xffff);
}
