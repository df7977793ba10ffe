import { assignPosition, type PacketPosition } from '../capture/packet.ts';
import type { DiagnosticCode, Side } from '../diagnostics.ts';
import { UNDECIDED_BYTES_IN_ALL } from '../limits.ts';
import type { CloseCause, Direction, Finding, GapCause, StreamSink, TcpConnection } from '../tcp/stream-sink.ts';
import { Conversation, closeReason, type FrameCounts, type KafkaOptions } from './conversation.ts';
import { EarlyFindings } from './early-findings.ts';
import type { KafkaConnection } from './exchange.ts';
import { type ForeignProtocol, foreignProtocol } from './foreign-protocol.ts';
import { RequestFinder, ResponseFinder } from './frame-finder.ts';
import type { KeptBytes } from './kept-bytes.ts';
import { Lane } from './lane.ts';
import { type FirstRequestListener, RequestSide } from './request-side.ts';
import { ResponseSide } from './response-side.ts';
import { SeekBuffer } from './seek-buffer.ts';
import { Undecided, type Unsorted } from './undecided.ts';

/** Connections by what they turned out to speak, and frames. */
export interface KafkaCounts extends FrameCounts {
  kafka: number;
  tls: number;
}

const findings: Record<Finding | GapCause, { code: DiagnosticCode; message: (bytes: number) => string }> = {
  gap: { code: 'tcp-gap', message: (bytes) => `${bytes} bytes missing` },
  snaplen: { code: 'tcp-snaplen', message: (bytes) => `${bytes} bytes cut by the snapshot length` },
  conflict: { code: 'tcp-conflict', message: () => 'two copies of a segment differ: the first with a right checksum is used' },
  damaged: { code: 'tcp-checksum', message: () => 'a segment with a wrong checksum is used, since no other copy of it came' },
  'damaged-copy': { code: 'tcp-checksum', message: () => 'a segment with a wrong checksum is not used' },
  late: { code: 'tcp-dropped', message: (bytes) => `${bytes} bytes came too late: what is behind them had been passed on` },
  'missing-beginning': { code: 'tcp-gap', message: (bytes) => `${bytes} bytes missing before the first that are there` },
  stray: { code: 'tcp-dropped', message: (bytes) => `a segment of ${bytes} bytes with a sequence number that can't be one` },
};

const nothingLikeIt: ForeignProtocol = { name: 'unknown', detail: 'nothing like a Kafka request was seen' };

/** What a connection that could be Kafka has once its sides are known. */
interface Sides {
  readonly client: Direction;
  readonly conversation: Conversation;
  readonly lanes: readonly [Lane, Lane];
}

/**
 * One connection: finds out whether it speaks Kafka and which side is the broker, and has both directions split into the frames of a
 * conversation. SYN tells the client where the capture has it; else what parses and pairs does.
 */
export class KafkaStream implements StreamSink, FirstRequestListener {
  ignoring = false;
  readonly #tcp: TcpConnection;
  readonly #options: KafkaOptions;
  readonly #counts: KafkaCounts;
  readonly #kept: KeptBytes;
  /** One of the two is null: the sides are known or not. */
  #sides: Sides | null = null;
  #undecided: Undecided | null = null;
  /** A first request was seen: the connection counts as Kafka. */
  #isKafka = false;
  /** Bytes before that, and whether a client may have sent some of them. */
  #bytesBefore = 0;
  #clientSpoke = false;
  #lostBytes = false;
  readonly #lastPosition: PacketPosition = { capture: 0, number: 0, seconds: Number.NaN, nanos: 0, fine: false };
  readonly #diagnostics: EarlyFindings;

  constructor(tcp: TcpConnection, options: KafkaOptions, counts: KafkaCounts, kept: KeptBytes) {
    this.#tcp = tcp;
    this.#options = options;
    this.#counts = counts;
    this.#kept = kept;
    this.#diagnostics = new EarlyFindings(options.diagnostics);
    const client = tcp.opener;
    if (client === null) this.#undecided = new Undecided(kept, options.oracle);
    else this.#sides = this.#makeSides(client, this.#beginning(client), this.#beginning((1 - client) as Direction));
  }

  /** Null where the next byte of a direction begins a frame, as its first byte does. */
  #beginning(direction: Direction): Unsorted | null {
    return this.#tcp.beginsWhole(direction)
      ? null
      : { buffer: new SeekBuffer(this.#kept.spare), passed: 0, skippedBytes: 0, skippedFrom: 0 };
  }

  #makeSides(client: Direction, requests: Unsorted | null, responses: Unsorted | null): Sides {
    const conversation = new Conversation(this.#connectionFacts(client), this.#options, this.#counts, this.#kept, this.#diagnostics);
    const { oracle, maxFrameBytes } = this.#options;
    const requestFinder = new RequestFinder(oracle, maxFrameBytes);
    const requestSide = new RequestSide(conversation, requestFinder, this, requests === null);
    const requestLane = new Lane(requestSide, requestFinder, this.#kept, requests);
    requestSide.lane = requestLane;
    const responseSide = new ResponseSide(conversation);
    const responseFinder = new ResponseFinder(conversation.pending, oracle, maxFrameBytes);
    const responseLane = new Lane(responseSide, responseFinder, this.#kept, responses);
    responseSide.lane = responseLane;
    return { client, conversation, lanes: client === 0 ? [requestLane, responseLane] : [responseLane, requestLane] };
  }

  wants(direction: Direction, length: number): boolean {
    return !this.ignoring && (this.#sides === null || this.#sides.lanes[direction].wants(length));
  }

  data(direction: Direction, bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    if (this.ignoring) return;
    if (!this.#isKafka && this.#isForeign(direction, bytes, start, end, position)) return;
    if (this.#sides !== null) this.#sides.lanes[direction].data(bytes, start, end, position);
    else {
      this.#undecided?.data(direction, bytes, start, end, position);
      this.#decide(false);
    }
    if (!this.#isKafka) this.#countBefore(direction, end - start, position);
  }

  /** After so much a Kafka client would have shown itself. */
  #countBefore(direction: Direction, bytes: number, position: PacketPosition): void {
    this.#bytesBefore += bytes;
    assignPosition(this.#lastPosition, position);
    if (this.#sides === null || direction === this.#sides.client) this.#clientSpoke = true;
    if (this.#bytesBefore > UNDECIDED_BYTES_IN_ALL) this.#notKafka(nothingLikeIt, position);
  }

  gap(direction: Direction, length: number, cause: GapCause, position: PacketPosition): void {
    if (this.ignoring) return;
    this.#report(cause, direction, length, position);
    this.#lostBytes = true;
    const sides = this.#sides;
    if (sides === null) {
      this.#undecided?.gap(direction, length);
      return;
    }
    const { conversation } = sides;
    this.#options.traffic?.gap(conversation.connection);
    if (direction === sides.client) conversation.requestGap();
    else conversation.responseGap(cause);
    sides.lanes[direction].gap(length, cause);
  }

  skip(direction: Direction, length: number): void {
    this.#sides?.lanes[direction].splitter.skip(length);
  }

  missing(direction: Direction, length: number, before: number, position: PacketPosition): void {
    if (!this.ignoring) this.#report('gap', direction, length, position, before);
  }

  suspect(direction: Direction, finding: Finding, length: number, position: PacketPosition): void {
    if (!this.ignoring) this.#report(finding, direction, length, position);
  }

  end(direction: Direction): void {
    const sides = this.#sides;
    if (this.ignoring || sides === null) return;
    const lane = sides.lanes[direction];
    lane.end('connection-closed', lane.splitter.first);
    if (direction !== sides.client) sides.conversation.giveUpPending('closed', true);
  }

  close(cause: CloseCause): void {
    if (this.ignoring) return;
    if (this.#sides === null) this.#decide(true);
    this.#undecided?.forget();
    if (this.#sides !== null) this.#closeSides(this.#sides, cause);
    if (this.#isKafka) return;
    if (this.#clientSpoke && !this.#lostBytes) this.#notKafka(nothingLikeIt, this.#lastPosition);
    else this.#diagnostics.open();
  }

  #closeSides({ client, conversation, lanes }: Sides, cause: CloseCause): void {
    const server = (1 - client) as Direction;
    for (const direction of [client, server]) lanes[direction].end(closeReason(cause), lanes[direction].splitter.first);
    conversation.giveUpPending(cause, this.#tcp.hasPackets(server));
  }

  isKafka(): void {
    this.#isKafka = true;
    this.#counts.kafka++;
    this.#diagnostics.open();
  }

  isNotKafka(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    this.#notKafka(foreignProtocol(bytes, start, end, false) ?? { name: 'unknown', detail: 'the first bytes are no request' }, position);
  }

  /** Says so where bytes of a connection that may not be Kafka are of another protocol. */
  #isForeign(direction: Direction, bytes: Uint8Array, start: number, end: number, position: PacketPosition): boolean {
    const foreign = foreignProtocol(bytes, start, end, this.#sides === null);
    if (foreign === null) return false;
    // A server that greets first says what it is; what looks like an answer from a broker isn't looked at.
    const isTelling =
      this.#sides === null
        ? foreign.name !== 'unknown'
        : direction === this.#sides.client || foreign.name === 'SSH' || foreign.name === 'HTTP';
    if (isTelling) this.#notKafka(foreign, position);
    return isTelling;
  }

  #notKafka(foreign: ForeignProtocol, position: PacketPosition): void {
    this.ignoring = true;
    if (foreign.name === 'TLS') this.#counts.tls++;
    const connection = this.#connectionFacts(this.#sides?.client ?? 0);
    this.#options.diagnostics.report({
      code: 'not-kafka',
      message: foreign.name === 'unknown' ? `not Kafka: ${foreign.detail}` : `${foreign.detail}, not Kafka in plain text: can't be decoded`,
      capture: position.capture,
      packet: position.number,
      stream: this.#tcp.stream,
      connection: `${connection.client} → ${connection.server}`,
    });
    this.#options.traffic?.notKafka(connection, foreign.name, foreign.detail, position);
    this.#diagnostics.drop();
    this.#undecided?.forget();
    this.#undecided = null;
    this.#sides = null;
  }

  #connectionFacts(client: Direction): KafkaConnection {
    return {
      stream: this.#tcp.stream,
      client: this.#tcp.endpoint(client),
      server: this.#tcp.endpoint((1 - client) as Direction),
      fromStart: this.#tcp.opener !== null,
    };
  }

  /** Looks whether what came so far tells which side is the broker; then looks at all of it again. */
  #decide(isFinal: boolean): void {
    const undecided = this.#undecided;
    const client = undecided?.client(isFinal) ?? null;
    if (undecided === null || client === null) return;
    const server = (1 - client) as Direction;
    const sides = this.#makeSides(client, undecided.take(client), undecided.take(server));
    this.#sides = sides;
    this.#undecided = null;
    sides.lanes[client].search();
    sides.lanes[server].search();
  }

  /** `before`: bytes from there to the next one of the direction. */
  #report(what: Finding | GapCause, direction: Direction, bytes: number, position: PacketPosition, before = 0): void {
    const passed = this.#sides?.lanes[direction].splitter.passed ?? this.#undecided?.passed(direction) ?? 0;
    const { code, message } = findings[what];
    const client = this.#sides?.client ?? null;
    const side: Side | null = client === null ? null : direction === client ? 'client' : 'server';
    this.#diagnostics.report({
      code,
      message: message(bytes),
      capture: position.capture,
      packet: position.number,
      stream: this.#tcp.stream,
      connection: `${this.#tcp.endpoint(direction)} → ${this.#tcp.endpoint((1 - direction) as Direction)}`,
      ...(side === null ? {} : { side }),
      streamOffset: passed - before,
      bytes,
    });
  }
}
