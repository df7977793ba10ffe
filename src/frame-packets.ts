import { openCaptures } from './capture/open-captures.ts';
import { copyPosition, type PacketPosition, Step } from './capture/packet.ts';
import type { DiagnosticSink } from './diagnostics.ts';
import type { Frame } from './kafka/exchange.ts';
import { hostPort } from './net/address.ts';
import { PacketDecoder } from './net/packet-decoder.ts';
import type { Segment, SegmentSink } from './net/segment.ts';
import { portOf } from './records/address.ts';
import type { FramePacket } from './records/exchange-detail.ts';

/** A frame whose packets are looked for. */
export interface WantedFrame {
  /** Who sent it, to whom: `192.0.2.1:51234`. */
  readonly source: string;
  readonly destination: string;
  readonly frame: Frame;
}

/** Packets of a connection's direction that are looked at before a frame's first packet and behind its last one: others came too early or late. */
const NEIGHBOURS = 4096;
/** Fewer bytes of a frame at the end of a packet may stand there by chance. */
const TELLING_BYTES = 8;
const SIZE_BYTES = 4;

/** Carries on quietly: the first reading said what there was to say. */
const silent: DiagnosticSink = { report() {} };

/**
 * Reads files once more, as far as needed, and finds the packets that carry each frame, in the order of the capture, repeated ones and those
 * out of order among them. Null for a frame whose place in its first packet isn't certain.
 */
export async function findFramePackets(captures: readonly string[], wanted: readonly WantedFrame[]): Promise<(FramePacket[] | null)[]> {
  const searches = wanted.map((frame) => new Search(frame));
  const sink: SegmentSink = {
    segment(segment) {
      for (const search of searches) search.segment(segment);
    },
  };
  const packets = new PacketDecoder(sink, silent);
  const reader = await openCaptures(captures, silent);
  try {
    while (searches.some((search) => !search.isOver)) {
      const step = reader.next();
      if (step === Step.packet) packets.packet(reader.packet);
      else if (step === Step.ended) break;
      else await reader.fill();
    }
  } finally {
    await reader.close();
  }
  return searches.map((search) => search.found());
}

/** A segment with payload, without its bytes. */
interface Seen {
  readonly at: PacketPosition;
  readonly seq: number;
  readonly length: number;
}

/** Looks for the packets of one frame. */
class Search {
  readonly #source: string;
  readonly #destination: string;
  readonly #sourcePort: number;
  readonly #destinationPort: number;
  readonly #frame: Frame;
  readonly #recent: Seen[] = [];
  /** Where in its first packet the frame may begin; null while that packet wasn't met. */
  #places: Place[] | null = null;
  #segmentsBehind = 0;

  constructor({ source, destination, frame }: WantedFrame) {
    this.#source = source;
    this.#destination = destination;
    this.#sourcePort = Number(portOf(source));
    this.#destinationPort = Number(portOf(destination));
    this.#frame = frame;
  }

  /** Nothing more of the frame is to be expected. */
  get isOver(): boolean {
    return this.#segmentsBehind > NEIGHBOURS;
  }

  segment(segment: Segment): void {
    if (segment.sourcePort !== this.#sourcePort || segment.destinationPort !== this.#destinationPort) return;
    if (segment.payloadLength === 0 || this.isOver || !this.#isOurs(segment)) return;
    const { packet } = segment;
    const { first, last } = this.#frame;
    this.#recent.push({ at: copyPosition(packet), seq: segment.seq, length: segment.payloadLength });
    if (this.#places === null && this.#recent.length > NEIGHBOURS) this.#recent.shift();
    if (isSame(packet, first)) this.#places = this.#placesIn(segment);
    if (this.#segmentsBehind > 0 || isSame(packet, last ?? first)) this.#segmentsBehind++;
  }

  /** The packets found; null where the frame wasn't. */
  found(): FramePacket[] | null {
    const begin = this.#begin();
    if (begin === null) return null;
    const size = this.#frame.size + SIZE_BYTES;
    const covered = new Coverage();
    const packets: FramePacket[] = [];
    for (const { at, seq, length } of this.#recent) {
      const start = Math.max(0, (seq - begin) | 0);
      const end = Math.min(size, ((seq - begin) | 0) + length);
      if (end > start) packets.push({ at, bytes: end - start, isRepeat: !covered.add(start, end) });
    }
    return packets;
  }

  #isOurs(segment: Segment): boolean {
    const { ipVersion, source0, source1, source2, source3, destination0, destination1, destination2, destination3 } = segment;
    return (
      hostPort(ipVersion, source0, source1, source2, source3, segment.sourcePort) === this.#source &&
      hostPort(ipVersion, destination0, destination1, destination2, destination3, segment.destinationPort) === this.#destination
    );
  }

  /** Where the frame's bytes stand, or as many of them as the packet has room for; the place where most do comes first. */
  #placesIn({ bytes, start, end, seq }: Segment): Place[] {
    const frame = this.#frame.bytes;
    const places: Place[] = [];
    for (let at = start; at < end; at++) {
      const length = Math.min(frame.length, end - at);
      let agreed = 0;
      while (agreed < length && bytes[at + agreed] === frame[agreed]) agreed++;
      if (agreed === length) places.push({ seq: (seq + (at - start)) | 0, agreed });
    }
    return places.sort((a, b) => b.agreed - a.agreed);
  }

  /** Sequence number of the frame's first byte: its last byte must stand in its last packet. Null where that leaves a choice. */
  #begin(): number | null {
    const { size, last } = this.#frame;
    const seen = last === null ? undefined : this.#recent.find(({ at }) => isSame(at, last));
    const places = (this.#places ?? []).filter(({ seq }) => {
      if (seen === undefined) return true;
      const end = (seq + SIZE_BYTES + size - seen.seq) | 0;
      return end > 0 && end <= seen.length;
    });
    const [best] = places;
    return best !== undefined && (places.length === 1 || best.agreed >= TELLING_BYTES) ? best.seq : null;
  }
}

/** A place where a frame may begin. */
interface Place {
  readonly seq: number;
  /** Bytes of the frame that stand there. */
  readonly agreed: number;
}

function isSame(a: PacketPosition, b: PacketPosition): boolean {
  return a.number === b.number && a.capture === b.capture;
}

/** Which bytes of a frame were seen, as ranges. */
class Coverage {
  readonly #ranges: { start: number; end: number }[] = [];

  /** Adds a range; returns whether any byte of it is new. */
  add(start: number, end: number): boolean {
    let from = start;
    for (const range of this.#ranges) {
      if (range.start <= from && from < range.end) from = range.end;
    }
    this.#ranges.push({ start, end });
    this.#ranges.sort((a, b) => a.start - b.start);
    return from < end;
  }
}
