import { openCaptures } from '../capture/open-captures.ts';
import { copyPosition, type PacketPosition, Step } from '../capture/packet.ts';
import type { DiagnosticSink } from '../diagnostics.ts';
import type { Frame } from '../kafka/exchange.ts';
import { hostPort } from '../net/address.ts';
import { PacketDecoder } from '../net/packet-decoder.ts';
import type { Segment, SegmentSink } from '../net/segment.ts';

/** A frame whose packets are looked for. */
export interface WantedFrame {
  /** Who sent it, to whom: `192.0.2.1:51234`. */
  readonly source: string;
  readonly destination: string;
  readonly frame: Frame;
}

/** A packet that carries bytes of a frame. */
export interface FramePacket {
  readonly at: PacketPosition;
  /** Bytes of the frame in it, on the wire. */
  readonly bytes: number;
  /** All of them stood in packets before it: sent again, or recorded twice. */
  readonly isRepeat: boolean;
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
  /** Sequence number of the frame's first byte; null while it isn't known. */
  #begin: number | null = null;
  #segmentsBehind = 0;

  constructor({ source, destination, frame }: WantedFrame) {
    this.#source = source;
    this.#destination = destination;
    this.#sourcePort = portOf(source);
    this.#destinationPort = portOf(destination);
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
    if (this.#begin === null && this.#recent.length > NEIGHBOURS) this.#recent.shift();
    if (packet.number === first.number && packet.capture === first.capture) this.#begin = this.#locate(segment);
    const end = last ?? first;
    if (this.#segmentsBehind > 0 || (packet.number === end.number && packet.capture === end.capture)) this.#segmentsBehind++;
  }

  /** The packets found; null where the frame wasn't. */
  found(): FramePacket[] | null {
    if (this.#begin === null) return null;
    const size = this.#frame.size + SIZE_BYTES;
    const covered = new Coverage();
    const packets: FramePacket[] = [];
    for (const { at, seq, length } of this.#recent) {
      const start = Math.max(0, (seq - this.#begin) | 0);
      const end = Math.min(size, ((seq - this.#begin) | 0) + length);
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

  /** Where the frame begins in its first packet: where most bytes agree. */
  #locate({ bytes, start, end, seq }: Segment): number | null {
    const frame = this.#frame.bytes;
    let best = 0;
    let bestAt = start;
    for (let at = start; at < end; at++) {
      const length = Math.min(frame.length, end - at);
      let agreed = 0;
      while (agreed < length && bytes[at + agreed] === frame[agreed]) agreed++;
      if (agreed === length && agreed > best) {
        best = agreed;
        bestAt = at;
      }
    }
    return best >= Math.min(TELLING_BYTES, frame.length) ? (seq + (bestAt - start)) | 0 : null;
  }
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

function portOf(endpoint: string): number {
  return Number(endpoint.slice(endpoint.lastIndexOf(':') + 1));
}
