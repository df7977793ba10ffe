import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import type { Diagnostic, DiagnosticSink, Side } from '../diagnostics.ts';
import { MAX_KEPT_BYTES, MAX_PENDING_BYTES, MAX_PENDING_REQUESTS } from '../limits.ts';
import type { CloseCause } from '../tcp/stream-sink.ts';
import type { Call, ExchangeSink, Frame, KafkaConnection, Reason, TrafficSink } from './exchange.ts';
import type { FrameOracle } from './frame-finder.ts';
import type { FrameFacts } from './frame-splitter.ts';
import type { Keeper, KeptBytes } from './kept-bytes.ts';
import { type PendingRequest, PendingRequests } from './pending.ts';

/** What a run looks for in all its conversations. */
export interface KafkaOptions {
  /** The APIs whose exchanges are asked for. */
  asksFor(apiKey: number): boolean;
  readonly maxFrameBytes: number;
  readonly oracle: FrameOracle;
  readonly exchanges: ExchangeSink;
  /** Takes header-level facts of all traffic, for those who count it. */
  readonly traffic: TrafficSink | null;
  readonly diagnostics: DiagnosticSink;
}

/** Frames seen over all connections. */
export interface FrameCounts {
  requests: number;
  responses: number;
}

/** What a frame takes beside its bytes, measured on Node 24. */
const FRAME_BYTES = 256;
/** Memory of pending requests from which on it is counted. */
const COUNTED_BYTES = 2048;

/** What the two directions of a connection have in common: which requests wait for which answers, and what became of them. */
export class Conversation implements Keeper {
  readonly connection: KafkaConnection;
  readonly options: KafkaOptions;
  readonly counts: FrameCounts;
  readonly #diagnostics: DiagnosticSink;
  readonly pending = new PendingRequests(MAX_PENDING_REQUESTS, MAX_PENDING_BYTES);
  /** SaslHandshake 0 was sent: tokens follow, of any content and size, at least until the server has answered one. */
  tokensFollow = false;
  /** One was answered, or bytes may be missing: what looks like a request is one. */
  tokenAnswered = false;
  /** Gaps in the responses so far, and why the last one. */
  responseGaps = 0;
  #responseGapCause: Reason = 'gap';
  /** Requests are missing: there may be answers to them. */
  requestsLost = false;
  /** Requests with the same id were under way at once: after a loss none can tell which answer is whose. */
  idsAmbiguous = false;

  readonly #kept: KeptBytes;
  /** What pending requests took when that was last counted. */
  #counted = 0;

  constructor(connection: KafkaConnection, options: KafkaOptions, counts: FrameCounts, kept: KeptBytes, diagnostics: DiagnosticSink) {
    this.#kept = kept;
    this.connection = connection;
    this.options = options;
    this.counts = counts;
    this.#diagnostics = diagnostics;
  }

  /** After SaslHandshake 0; and GSSAPI clients of Kafka 0.9 send tokens without any handshake. */
  expectTokens(): void {
    this.tokensFollow = true;
    this.tokenAnswered = !this.connection.fromStart;
  }

  /** Reports a finding about a direction, or about the connection. */
  report(side: Side | null, position: PacketPosition, diagnostic: Diagnostic): void {
    const { stream, client, server } = this.connection;
    this.#diagnostics.report({
      capture: position.capture,
      packet: position.number,
      stream,
      connection: side === 'server' ? `${server} → ${client}` : `${client} → ${server}`,
      ...(side === null ? {} : { side }),
      ...diagnostic,
    });
  }

  /** A request that will be answered. */
  sent(request: PendingRequest): void {
    const same = this.pending.withId(request.correlationId).at(-1);
    if (same !== undefined && !request.isToken && same.gapsBefore === this.responseGaps) this.idsAmbiguous = true;
    this.pending.add(request);
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (let dropped = this.pending.takeExcess(); dropped !== null; dropped = this.pending.takeExcess()) {
      if (this.options.asksFor(dropped.apiKey)) {
        this.report('client', dropped.first, {
          code: 'pending-dropped',
          message: `more than ${MAX_PENDING_REQUESTS} requests or ${MAX_PENDING_BYTES} bytes of them wait for an answer: the oldest is given up`,
        });
      }
      if (!dropped.isToken) this.unanswered(dropped, 'evicted');
    }
    this.#count();
  }

  /** The frame of an asked-for request ended, or was damaged. */
  requestFrame(request: PendingRequest, frame: Frame): void {
    request.frame = frame;
    if (!request.isUnanswered && request.response === null) this.#keepFrame(request, frame);
    if (request.response !== null) this.#emit(request, frame, request.response, null);
  }

  /** A response ended, or was damaged, for that reason. `frame`: its bytes, where they were asked for. */
  answered(request: PendingRequest, response: NonNullable<Call['response']>, frame: Frame | null, damage: Reason | null): void {
    this.pending.answered(request);
    this.#call(request, response, damage);
    if (frame === null) return;
    this.#count();
    if (request.frame === null) request.response = frame;
    else this.#emit(request, request.frame, frame, null);
  }

  get keptBytes(): number {
    return this.pending.keptBytes;
  }

  /** Gives up the requests that wait, but for one whose frame is still coming. */
  giveUp(): void {
    const all = this.pending.drain();
    const asked = all.filter(({ apiKey }) => this.options.asksFor(apiKey));
    const [first] = asked;
    if (first !== undefined) {
      this.report('client', first.first, {
        code: 'pending-dropped',
        message: `more than ${MAX_KEPT_BYTES} bytes are kept of all connections: the requests that wait on this one, silent for longest, are given up`,
        count: asked.length,
      });
    }
    for (const request of all) {
      if (request.frame === null && request.last === null && this.options.asksFor(request.apiKey)) this.pending.add(request);
      else if (!request.isToken) this.unanswered(request, 'evicted');
    }
  }

  #keepFrame(request: PendingRequest, frame: Frame): void {
    this.pending.keep(request, FRAME_BYTES + frame.bytes.length);
    this.#makeRoom();
  }

  /** Few small requests aren't worth counting one by one. */
  #count(): void {
    const { keptBytes } = this.pending;
    if (Math.abs(keptBytes - this.#counted) < COUNTED_BYTES) return;
    this.#counted = keptBytes;
    this.#kept.update(this);
  }

  /** No answer comes, or none was asked for. */
  unanswered(request: PendingRequest, reason: Reason): void {
    this.#call(request, null, reason === 'no-answer-asked' ? null : reason);
    if (request.frame !== null) this.#emit(request, request.frame, null, request.frame.damage ?? reason);
  }

  #emit(request: PendingRequest, frame: Frame, response: Frame | null, reason: Reason | null): void {
    const { apiKey, apiVersion, correlationId, clientId } = request;
    this.options.exchanges.exchange({
      connection: this.connection,
      apiKey,
      apiVersion,
      correlationId,
      clientId,
      request: frame,
      response,
      reason: reason ?? response?.damage ?? frame.damage,
    });
  }

  #call(request: PendingRequest, response: Call['response'], reason: Reason | null): void {
    if (this.options.traffic === null) return;
    const { apiKey, apiVersion, correlationId, clientId, bytes, first, last } = request;
    this.options.traffic.call({
      connection: this.connection,
      apiKey,
      apiVersion,
      correlationId,
      clientId,
      requestBytes: bytes,
      first,
      last,
      response,
      reason,
    });
  }

  /** Request bytes are missing: there may be answers to what they held, and a token among them. */
  requestGap(): void {
    this.requestsLost = true;
    this.tokenAnswered = true;
  }

  /** Response bytes are missing: answers may be among them. */
  responseGap(cause: Reason): void {
    this.tokenAnswered = true;
    this.responseGaps++;
    this.#responseGapCause = cause;
  }

  /** The answer to that request may have been lost. */
  mayBeLost(request: PendingRequest): boolean {
    return this.responseGaps > request.gapsBefore;
  }

  /** No more responses come: gives up all that wait. */
  giveUpPending(cause: CloseCause, serverSeen: boolean): void {
    for (const request of this.pending.drain()) {
      if (!request.isToken) this.unanswered(request, this.#whyUnanswered(request, cause, serverSeen));
    }
    this.#count();
  }

  #whyUnanswered(request: PendingRequest, cause: CloseCause, serverSeen: boolean): Reason {
    if (!serverSeen) return 'no-server-packets';
    if (this.mayBeLost(request)) return this.#responseGapCause;
    if (this.pending.isPassedOver(request)) return 'not-answered-in-order';
    return closeReason(cause);
  }
}

/** What the end of a connection means for what it leaves open. */
export function closeReason(cause: CloseCause): Reason {
  switch (cause) {
    case 'closed':
      return 'connection-closed';
    case 'reset':
      return 'connection-reset';
    default:
      return cause;
  }
}

/** A frame's own copy of `bytes[start, end)`. */
export function frameOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  facts: FrameFacts,
  last: PacketPosition | null,
  damage: Reason | null,
): Frame {
  const { size, first, offset, ownsBytes } = facts;
  return {
    bytes: ownsBytes ? bytes : new Uint8Array(bytes.subarray(start, end)),
    size,
    first: copyPosition(first),
    last,
    streamOffset: offset,
    damage,
  };
}
