import { TcpFlag } from '../../src/net/segment.ts';
import type { Endpoint, PacketFile, WrittenSegment } from './packet-file.ts';

/** Work that goes on later: each value is how many microseconds to wait before the next step. */
export type Steps = Generator<number, void, undefined>;

const NOTHING = new Uint8Array();
/** From one packet of a burst to the next: the time of a full packet on a link of 10 Gbit/s. */
const BURST_MICROS = 1.3;
const HALF_ROUND_TRIP_MICROS = 120;
/** Full segments that a receiver acknowledges at once (RFC 9293, section 3.8.6.3). */
const SEGMENTS_ACKNOWLEDGED = 2;

/** Both ends of one TCP connection without loss, as a capture close to the server sees them. */
export class TcpPair {
  readonly #file: PacketFile;
  readonly #segmentBytes: number;
  readonly #ends: readonly [Endpoint, Endpoint];
  readonly #next: [number, number];
  readonly #segment: WrittenSegment;

  /** `client` opens it. `segmentBytes` is the most payload of a packet. */
  constructor(file: PacketFile, client: Endpoint, server: Endpoint, firstSeqs: readonly [number, number], segmentBytes: number) {
    this.#file = file;
    this.#segmentBytes = segmentBytes;
    this.#ends = [client, server];
    this.#next = [firstSeqs[0], firstSeqs[1]];
    this.#segment = { from: client, to: server, seq: 0, ack: 0, flags: 0, bytes: NOTHING, start: 0, end: 0 };
  }

  *open(): Steps {
    this.#control(0, TcpFlag.syn);
    yield HALF_ROUND_TRIP_MICROS / 10;
    this.#control(1, TcpFlag.syn | TcpFlag.ack);
    yield 2 * HALF_ROUND_TRIP_MICROS;
    this.#control(0, TcpFlag.ack);
  }

  /** One side sends; the other acknowledges all but the end, which its answer acknowledges. */
  *send(side: 0 | 1, bytes: Uint8Array): Steps {
    let unacknowledged = 0;
    for (let at = 0; at < bytes.length; at += this.#segmentBytes) {
      const end = Math.min(bytes.length, at + this.#segmentBytes);
      this.#write(side, TcpFlag.ack | (end === bytes.length ? TcpFlag.psh : 0), bytes, at, end);
      yield BURST_MICROS;
      if (++unacknowledged < SEGMENTS_ACKNOWLEDGED || end === bytes.length) continue;
      unacknowledged = 0;
      this.#control(side === 0 ? 1 : 0, TcpFlag.ack);
      yield BURST_MICROS / 10;
    }
    yield HALF_ROUND_TRIP_MICROS;
  }

  /** The client closes. */
  *close(): Steps {
    this.#control(0, TcpFlag.fin | TcpFlag.ack);
    yield HALF_ROUND_TRIP_MICROS / 10;
    this.#control(1, TcpFlag.fin | TcpFlag.ack);
    yield 2 * HALF_ROUND_TRIP_MICROS;
    this.#control(0, TcpFlag.ack);
  }

  #control(side: 0 | 1, flags: number): void {
    this.#write(side, flags, NOTHING, 0, 0);
    if ((flags & (TcpFlag.syn | TcpFlag.fin)) !== 0) this.#next[side]++;
  }

  #write(side: 0 | 1, flags: number, bytes: Uint8Array, start: number, end: number): void {
    const segment = this.#segment;
    segment.from = this.#ends[side];
    segment.to = this.#ends[1 - side] as Endpoint;
    segment.seq = this.#next[side];
    segment.ack = (flags & TcpFlag.ack) === 0 ? 0 : (this.#next[1 - side] as number);
    segment.flags = flags;
    segment.bytes = bytes;
    segment.start = start;
    segment.end = end;
    this.#file.segment(segment);
    this.#next[side] += end - start;
  }
}
