import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import type { Side } from '../diagnostics.ts';
import { UNDECIDED_BYTES, UNDECIDED_BYTES_IN_ALL } from '../limits.ts';
import type { CloseCause, Direction, GapCause, StreamSink, TcpConnection } from '../tcp/stream-sink.ts';
import { int32 } from '../wire/bytes.ts';
import { Conversation, closeReason, type FrameCounts, type KafkaOptions } from './conversation.ts';
import type { KafkaConnection, Reason } from './exchange.ts';
import { type ForeignProtocol, foreignProtocol } from './foreign-protocol.ts';
import { RequestFinder, ResponseFinder } from './frame-finder.ts';
import { FrameUse } from './frame-splitter.ts';
import { Lane, type LaneConsumer } from './lane.ts';
import { isPossibleHead, requestHeadBytes } from './request-head.ts';
import { clientByContent } from './roles.ts';

/** Connections by what they turned out to speak, and frames. */
export interface KafkaCounts extends FrameCounts {
  kafka: number;
  tls: number;
}

/** The first byte of a GSSAPI token (RFC 2743, section 3.1), which clients of Kafka 0.9 sent without a handshake. */
const GSSAPI_TOKEN = 0x60;
const ID_END = 8;
/** Gaps remembered while it isn't known yet what the connection speaks. */
const MAX_EARLY_GAPS = 16;

interface EarlyGap {
  readonly direction: Direction;
  readonly length: number;
  readonly cause: GapCause;
  readonly offset: number;
  readonly position: PacketPosition;
}

/**
 * One connection: finds out whether it speaks Kafka and which side is the broker, splits both directions into frames and hands them
 * to its conversation. SYN tells the client where the capture has it; else what parses and pairs does.
 */
export class KafkaStream implements StreamSink {
  ignoring = false;
  readonly #tcp: TcpConnection;
  readonly #options: KafkaOptions;
  readonly #counts: KafkaCounts;
  /** Direction of the requests, once known. */
  #client: Direction | null;
  #conversation: Conversation | null = null;
  readonly #lanes: [Lane, Lane];
  #requestFinder: RequestFinder | null = null;
  /** A first request was seen: the connection counts as Kafka. */
  #isKafka = false;
  #undecidedBytes = 0;
  #earlyGaps: EarlyGap[] = [];

  constructor(tcp: TcpConnection, options: KafkaOptions, counts: KafkaCounts) {
    this.#tcp = tcp;
    this.#options = options;
    this.#counts = counts;
    this.#client = tcp.opener;
    if (this.#client === null) this.#lanes = [this.#undecidedLane(), this.#undecidedLane()];
    else this.#lanes = this.#knownLanes(this.#client, true);
  }

  wants(direction: Direction, length: number): boolean {
    return !this.ignoring && this.#lanes[direction].wants(length);
  }

  data(direction: Direction, bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    if (this.ignoring) return;
    if (!this.#isKafka) {
      const foreign = foreignProtocol(bytes, start, end);
      if (foreign !== null && this.#isForeign(foreign, direction)) {
        this.#notKafka(foreign, position);
        return;
      }
    }
    this.#lanes[direction].data(bytes, start, end, position);
    if (this.#client === null) this.#decide(end - start, position);
  }

  gap(direction: Direction, length: number, cause: GapCause, position: PacketPosition): void {
    if (this.ignoring) return;
    const offset = this.#lanes[direction].splitter.passed;
    if (this.#client === null) {
      if (this.#earlyGaps.length < MAX_EARLY_GAPS) {
        this.#earlyGaps.push({ direction, length, cause, offset, position: copyPosition(position) });
      }
    } else this.#reportGap({ direction, length, cause, offset, position });
    if (this.#conversation !== null) this.#options.traffic?.gap(this.#conversation.connection);
    if (direction !== this.#client) this.#conversation?.responseGap(cause);
    this.#lanes[direction].gap(length, cause, position);
  }

  suspect(direction: Direction, what: 'conflict' | 'checksum', length: number, position: PacketPosition): void {
    if (this.ignoring || this.#conversation === null) return;
    this.#conversation.report(this.#sideOf(direction), position, {
      code: what === 'conflict' ? 'tcp-conflict' : 'tcp-checksum',
      message:
        what === 'conflict'
          ? 'two copies of a segment differ: the first with a right checksum is used'
          : 'a segment with a wrong checksum is used, since no other copy of it came',
      bytes: length,
    });
  }

  end(direction: Direction): void {
    if (this.ignoring || this.#client === null) return;
    this.#lanes[direction].end('connection-closed', this.#lastPosition(direction));
    if (direction !== this.#client) this.#conversation?.giveUpPending('closed', true);
  }

  close(cause: CloseCause): void {
    if (this.ignoring) return;
    if (this.#client === null) this.#decideAtLast();
    const client = this.#client;
    const conversation = this.#conversation;
    if (client === null || conversation === null || !this.#isKafka) return;
    const server = (1 - client) as Direction;
    this.#lanes[client].end(closeReason(cause), this.#lastPosition(client));
    this.#lanes[server].end(closeReason(cause), this.#lastPosition(server));
    conversation.giveUpPending(cause, this.#tcp.hasPackets(server));
  }

  #lastPosition(direction: Direction): PacketPosition {
    return this.#lanes[direction].splitter.first;
  }

  #sideOf(direction: Direction): Side {
    return direction === this.#client ? 'client' : 'server';
  }

  #reportGap({ direction, length, cause, offset, position }: EarlyGap): void {
    this.#conversation?.report(this.#sideOf(direction), position, {
      code: cause === 'gap' ? 'tcp-gap' : 'tcp-snaplen',
      message: `${length} bytes ${cause === 'gap' ? 'missing' : 'cut by the snapshot length'}`,
      streamOffset: offset,
      bytes: length,
    });
  }

  /** A server that greets first says what it is; what looks like an answer from a broker isn't looked at. */
  #isForeign(foreign: ForeignProtocol, direction: Direction): boolean {
    if (this.#client === null) return foreign.name !== 'unknown';
    return direction === this.#client || foreign.name === 'SSH' || foreign.name === 'HTTP';
  }

  #notKafka(foreign: ForeignProtocol, position: PacketPosition): void {
    this.ignoring = true;
    if (foreign.name === 'TLS') this.#counts.tls++;
    const connection = this.#connectionFacts(this.#client ?? 0);
    this.#options.diagnostics.report({
      code: 'not-kafka',
      message: foreign.name === 'unknown' ? `not Kafka: ${foreign.detail}` : `${foreign.detail}, not Kafka in plain text: can't be decoded`,
      capture: position.capture,
      packet: position.number,
      stream: this.#tcp.stream,
      connection: `${connection.client} → ${connection.server}`,
    });
    this.#options.traffic?.notKafka(connection, foreign.name, foreign.detail, position);
  }

  #connectionFacts(client: Direction): KafkaConnection {
    return {
      stream: this.#tcp.stream,
      client: this.#tcp.endpoint(client),
      server: this.#tcp.endpoint((1 - client) as Direction),
      fromStart: this.#tcp.opener !== null,
    };
  }

  #undecidedLane(): Lane {
    const nothing = { headBytes: () => -1, head: () => FrameUse.skip, whole() {}, damaged() {}, lost() {}, skipped() {} };
    return new Lane(nothing, false);
  }

  /** Looks whether what came so far tells which side is the broker. */
  #decide(length: number, position: PacketPosition): void {
    const [a, b] = this.#lanes;
    const client = clientByContent(a.unsorted, b.unsorted, false);
    if (client !== null) {
      this.#settleRoles(client);
      return;
    }
    this.#undecidedBytes += length;
    if (this.#undecidedBytes > UNDECIDED_BYTES_IN_ALL) {
      this.#notKafka({ name: 'unknown', detail: 'nothing like a Kafka request was seen' }, position);
      return;
    }
    a.trim(UNDECIDED_BYTES);
    b.trim(UNDECIDED_BYTES);
  }

  #decideAtLast(): void {
    const [a, b] = this.#lanes;
    const client = clientByContent(a.unsorted, b.unsorted, true);
    if (client !== null) this.#settleRoles(client);
  }

  /** The side of the broker is known now: what came so far is looked at again. */
  #settleRoles(client: Direction): void {
    const [a, b] = this.#lanes;
    this.#client = client;
    const lanes = this.#knownLanes(client, false);
    this.#lanes[0] = lanes[0];
    this.#lanes[1] = lanes[1];
    for (const gap of this.#earlyGaps) this.#reportGap(gap);
    this.#earlyGaps = [];
    const server = (1 - client) as Direction;
    const old = [a, b] as const;
    this.#lanes[client].adopt(old[client]);
    this.#lanes[server].adopt(old[server]);
  }

  #knownLanes(client: Direction, fromStart: boolean): [Lane, Lane] {
    const conversation = new Conversation(this.#connectionFacts(client), this.#options, this.#counts);
    this.#conversation = conversation;
    const { oracle, maxFrameBytes } = this.#options;
    this.#requestFinder = new RequestFinder(oracle, maxFrameBytes);
    const requests = new Lane(this.#requestConsumer(conversation, fromStart), fromStart, this.#requestFinder);
    const responses = new Lane(
      this.#responseConsumer(conversation),
      fromStart,
      new ResponseFinder(conversation.pending, oracle, maxFrameBytes),
    );
    return client === 0 ? [requests, responses] : [responses, requests];
  }

  #requestConsumer(conversation: Conversation, fromStart: boolean): LaneConsumer {
    const lane = () => this.#lanes[this.#client as Direction];
    return {
      headBytes: (bytes, start, available, size) => this.#requestHeadBytes(conversation, bytes, start, available, size),
      head: (bytes, start, available, size) => {
        if (!this.#isKafka) this.#firstRequest(conversation, bytes, start, available, size);
        if (this.ignoring) return FrameUse.skip;
        const use = conversation.requestHead(bytes, start, available, lane().splitter) ? FrameUse.collect : FrameUse.skip;
        if (this.#requestFinder !== null) this.#requestFinder.clientId = conversation.clientId;
        return use;
      },
      whole: (bytes, start, end, position) => conversation.requestWhole(bytes, start, end, lane().splitter, position),
      damaged: (bytes, start, end, headSeen, cause) => {
        conversation.requestDamaged(bytes, start, end, headSeen, lane().splitter, cause);
        this.#reportCut(conversation, 'client', end - start, lane(), cause);
      },
      lost: (bytes, start, end, position) => {
        if (!this.#isKafka && fromStart) this.#notKafka({ name: 'unknown', detail: 'the first bytes are no request' }, position);
        else this.#lose(conversation, 'client', lane(), bytes, start, end, position);
      },
      skipped: (length, until, position) => this.#reportSkipped(conversation, 'client', length, until, position),
    };
  }

  #requestHeadBytes(conversation: Conversation, bytes: Uint8Array, start: number, available: number, size: number): number {
    if (conversation.tokensFollow) {
      if (size < 0 || size > this.#options.maxFrameBytes) return -1;
      return conversation.tokenAnswered ? requestHeadBytes(bytes, start, available, size) : 4;
    }
    if (size <= 0 || size > this.#options.maxFrameBytes) return -1;
    return requestHeadBytes(bytes, start, available, size);
  }

  /** The first request of a connection: either it is one, or the connection isn't Kafka. */
  #firstRequest(conversation: Conversation, bytes: Uint8Array, start: number, available: number, size: number): void {
    if (available > 4 && bytes[start + 4] === GSSAPI_TOKEN) conversation.expectTokens();
    else if (!isPossibleHead(bytes, start, available, size)) {
      const { first } = this.#lanes[this.#client as Direction].splitter;
      this.#notKafka({ name: 'unknown', detail: 'the first bytes are no request' }, first);
      return;
    }
    this.#isKafka = true;
    this.#counts.kafka++;
  }

  #responseConsumer(conversation: Conversation): LaneConsumer {
    const lane = () => this.#lanes[(1 - (this.#client as Direction)) as Direction];
    return {
      headBytes: (bytes, start, available, size) => {
        if (conversation.answersToken) return size < 0 || size > this.#options.maxFrameBytes ? -1 : 4;
        if (size < 4) return -1;
        const tooLarge = size > this.#options.maxFrameBytes && available >= ID_END && !conversation.pending.hasId(int32(bytes, start + 4));
        return tooLarge ? -1 : ID_END;
      },
      head: (bytes, start) => (conversation.responseHead(bytes, start, lane().splitter) ? FrameUse.collect : FrameUse.skip),
      whole: (bytes, start, end, position) => conversation.responseWhole(bytes, start, end, lane().splitter, position),
      damaged: (bytes, start, end, headSeen, cause) => {
        conversation.responseDamaged(bytes, start, end, headSeen, lane().splitter, cause);
        this.#reportCut(conversation, 'server', end - start, lane(), cause);
      },
      lost: (bytes, start, end, position) => this.#lose(conversation, 'server', lane(), bytes, start, end, position),
      skipped: (length, until, position) => this.#reportSkipped(conversation, 'server', length, until, position),
    };
  }

  #lose(conversation: Conversation, side: Side, lane: Lane, bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    conversation.report(side, position, {
      code: 'frame-size-invalid',
      message: 'a frame size that no Kafka client or broker sends: looking for the next frame',
      streamOffset: lane.splitter.passed,
    });
    if (side === 'server') conversation.responseGap('malformed');
    lane.lose(bytes, start, end, position);
  }

  /** A frame that ends with its connection or the capture; one with a gap is told by the gap. */
  #reportCut(conversation: Conversation, side: Side, there: number, lane: Lane, cause: Reason): void {
    if (cause === 'gap' || cause === 'snaplen') return;
    const { splitter } = lane;
    conversation.report(side, splitter.first, {
      code: 'frame-incomplete',
      message: `a frame of ${4 + splitter.size} bytes ends after ${there} (${cause})`,
      streamOffset: splitter.offset,
      bytes: there,
    });
  }

  #reportSkipped(conversation: Conversation, side: Side, length: number, until: number, position: PacketPosition): void {
    conversation.report(side, position, {
      code: 'frames-skipped',
      message: `${length} bytes passed over to find the next frame`,
      streamOffset: until - length,
      bytes: length,
    });
  }
}
