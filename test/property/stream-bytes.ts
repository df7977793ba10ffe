import { hostPort } from '../../src/net/address.ts';
import { type Segment, TcpFlag } from '../../src/net/segment.ts';

/** What a whole capture, with its handshakes, says of one direction of one connection: the truth that a lossy copy of it is held against. */
export class StreamBytes {
  /** `client → server`, as diagnostics name a direction. */
  readonly name: string;
  /** Bytes that were sent. */
  readonly length: number;
  readonly #isn: number;

  private constructor(name: string, isn: number, length: number) {
    this.name = name;
    this.#isn = isn;
    this.length = length;
  }

  /** The streams of a capture, in which no connection's endpoints are used again. */
  static of(segments: readonly Segment[]): StreamBytes[] {
    const syns = segments.filter(({ flags }) => (flags & TcpFlag.syn) !== 0);
    const names = [...new Set(syns.map(nameOf))];
    return names.map((name) => {
      const own = segments.filter((segment) => nameOf(segment) === name);
      const isn = own.find(({ flags }) => (flags & TcpFlag.syn) !== 0)?.seq ?? 0;
      const length = Math.max(0, ...own.filter(hasData).map((segment) => offsetOf(segment, isn) + segment.payloadLength));
      return new StreamBytes(name, isn, length);
    });
  }

  /** Which of the stream's bytes these segments hold. */
  held(segments: readonly Segment[]): Uint8Array {
    const held = new Uint8Array(this.length);
    for (const segment of segments) {
      const offset = offsetOf(segment, this.#isn);
      if (nameOf(segment) === this.name) held.fill(1, Math.max(0, offset), Math.max(0, offset + segment.end - segment.start));
    }
    return held;
  }

  /**
   * How many bytes are missing between the first and the last that these segments show to exist, by SYN, data and acknowledgments: at least and
   * at most, since without the handshake it depends on their order whether a stream is known to begin before its first data.
   */
  missing(segments: readonly Segment[]): [least: number, most: number] {
    const own = segments.filter((segment) => nameOf(segment) === this.name);
    const others = segments.filter((segment) => this.#isAnswer(segment));
    const acks = others.filter(({ flags }) => (flags & TcpFlag.ack) !== 0).map(({ ack }) => (ack - this.#isn - 1) | 0);
    const endOf = (shown: readonly Segment[]) => shown.map((segment) => offsetOf(segment, this.#isn) + segment.payloadLength);
    const until = Math.min(this.length, Math.max(0, ...acks, ...endOf(own.filter((segment) => hasData(segment) || isFin(segment)))));
    const untilReset = Math.min(this.length, Math.max(until, ...endOf(own.filter(isRst))));
    const held = this.held(segments);
    const missing = (from: number, to: number) => held.subarray(from, to).filter((byte) => byte === 0).length;
    const [latest, earliest] = this.#begins(own, others, acks);
    return [missing(latest, until), missing(earliest, untilReset)];
  }

  /** Where the stream begins, at the latest and at the earliest. */
  #begins(own: readonly Segment[], others: readonly Segment[], acks: readonly number[]): [latest: number, earliest: number] {
    const isSyn = ({ flags }: Segment) => (flags & TcpFlag.syn) !== 0;
    const answers = others.some((segment) => isSyn(segment) && (segment.flags & TcpFlag.ack) !== 0);
    if (own.some(isSyn) || answers) return [0, 0];
    const shown = own.filter((segment) => !isRst(segment)).map((segment) => offsetOf(segment, this.#isn));
    const first = Math.min(...shown, this.length);
    if (others.some(isSyn)) return [Math.min(first, ...acks), Math.min(first, ...acks)];
    const data = own.filter(hasData).map((segment) => offsetOf(segment, this.#isn));
    return [Math.min(...data, this.length), first];
  }

  /** The FIN isn't among the segments: whether one byte that was acknowledged is one, nobody can say. */
  lacksFin(segments: readonly Segment[]): boolean {
    return !segments.some((segment) => nameOf(segment) === this.name && isFin(segment));
  }

  #isAnswer(segment: Segment): boolean {
    const [from, to] = this.name.split(' → ');
    return nameOf(segment) === `${to} → ${from}`;
  }
}

function hasData({ payloadLength }: Segment): boolean {
  return payloadLength > 0;
}

function isFin({ flags }: Segment): boolean {
  return (flags & TcpFlag.fin) !== 0;
}

function isRst({ flags }: Segment): boolean {
  return (flags & TcpFlag.rst) !== 0;
}

function nameOf(segment: Segment): string {
  return `${sender(segment)} → ${receiver(segment)}`;
}

function sender({ ipVersion, source0, source1, source2, source3, sourcePort }: Segment): string {
  return hostPort(ipVersion, source0, source1, source2, source3, sourcePort);
}

function receiver({ ipVersion, destination0, destination1, destination2, destination3, destinationPort }: Segment): string {
  return hostPort(ipVersion, destination0, destination1, destination2, destination3, destinationPort);
}

/** Of a segment's payload in its stream. */
function offsetOf(segment: Segment, isn: number): number {
  return ((segment.seq - isn) | 0) - ((segment.flags & TcpFlag.syn) !== 0 ? 0 : 1);
}
