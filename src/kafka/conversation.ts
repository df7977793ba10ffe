import { copyPosition, nanosBetween, type PacketPosition } from '../capture/packet.ts';
import type { Diagnostic, DiagnosticSink, Side } from '../diagnostics.ts';
import { MAX_PENDING_REQUESTS } from '../limits.ts';
import { apiFacts } from '../schema/api-keys.ts';
import type { CloseCause } from '../tcp/stream-sink.ts';
import { int16, int32 } from '../wire/bytes.ts';
import type { Call, ExchangeSink, Frame, KafkaConnection, Reason, TrafficSink } from './exchange.ts';
import type { FrameOracle } from './frame-finder.ts';
import type { FrameSplitter } from './frame-splitter.ts';
import { type PendingRequest, PendingRequests } from './pending.ts';
import { FIXED_HEAD_BYTES, isPlausibleHead, isUnanswered, PAIRING_HEAD_BYTES, readRequestHead } from './request-head.ts';

const SASL_HANDSHAKE = 17;
const API_VERSIONS = 18;
const UNSUPPORTED_VERSION = 35;

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

/** The requests and responses of one connection: pairs them and hands on the exchanges that were asked for. */
export class Conversation {
  readonly connection: KafkaConnection;
  readonly pending = new PendingRequests(MAX_PENDING_REQUESTS);
  /** Client id of the last request. */
  clientId: Uint8Array | null = null;
  readonly #options: KafkaOptions;
  readonly #counts: FrameCounts;
  /** The request whose frame is at work. */
  #request: PendingRequest | null = null;
  /** It asks for no answer. */
  #isUnanswered = false;
  /** The frame at work is a SASL token. */
  #inToken = false;
  /** SaslHandshake 0 was sent: what follows are tokens, at least until the server has answered one. */
  #tokensFollow = false;
  #tokenAnswered = false;
  /** The request that the response at work answers; null if its bytes are passed over. */
  #answered: PendingRequest | null = null;
  /** Others with the same id that it may answer as well, since answers were lost. */
  #alternatives: readonly PendingRequest[] = [];
  /** Gaps in the responses so far, and why the last one. */
  #responseGaps = 0;
  #responseGapCause: Reason = 'gap';

  constructor(connection: KafkaConnection, options: KafkaOptions, counts: FrameCounts) {
    this.connection = connection;
    this.#options = options;
    this.#counts = counts;
  }

  /** SASL tokens may follow, of any content and size. */
  get tokensFollow(): boolean {
    return this.#tokensFollow;
  }

  /** Requests may still be tokens, but one that looks like a request is one. */
  get tokenAnswered(): boolean {
    return this.#tokenAnswered;
  }

  /** GSSAPI clients of Kafka 0.9 send a token without any handshake. */
  expectTokens(): void {
    this.#tokensFollow = true;
    this.#tokenAnswered = false;
  }

  report(side: Side | null, position: PacketPosition | null, diagnostic: Diagnostic): void {
    const { stream, client, server } = this.connection;
    const place = position === null ? {} : { capture: position.capture, packet: position.number };
    const connection = side === 'server' ? `${server} → ${client}` : `${client} → ${server}`;
    this.#options.diagnostics.report({ ...place, stream, connection, ...(side === null ? {} : { side }), ...diagnostic });
  }

  /** The head of a request is there. Returns whether its bytes are asked for. */
  requestHead(bytes: Uint8Array, start: number, available: number, splitter: FrameSplitter): boolean {
    this.#request = null;
    this.#inToken = this.#isToken(bytes, start, available, splitter.size);
    if (this.#inToken) {
      this.#addPending({ ...tokenRequest, bytes: 4 + splitter.size, first: copyPosition(splitter.first), gapsBefore: this.#responseGaps });
      return this.#options.traffic !== null;
    }
    this.#tokensFollow = false;
    this.#counts.requests++;
    if (splitter.size < PAIRING_HEAD_BYTES - 4) {
      this.#malformedHead(splitter, `a request of ${splitter.size} bytes can't hold a header`);
      return false;
    }
    const head = readRequestHead(bytes, start, start + available);
    if (head.clientIdLength < -1 || FIXED_HEAD_BYTES + head.clientIdLength > 4 + splitter.size) {
      this.#malformedHead(splitter, `client id length ${head.clientIdLength} exceeds the frame of ${splitter.size} bytes`);
      return false;
    }
    const clientIdEnd = Math.min(available, FIXED_HEAD_BYTES + head.clientIdLength);
    if (head.clientIdLength >= 0) this.clientId = copy(bytes, start + FIXED_HEAD_BYTES, start + clientIdEnd);
    const request: PendingRequest = {
      apiKey: head.apiKey,
      apiVersion: head.apiVersion,
      correlationId: head.correlationId,
      clientId: head.clientIdLength < 0 ? null : this.clientId,
      isToken: false,
      bytes: 4 + splitter.size,
      first: copyPosition(splitter.first),
      last: null,
      frame: null,
      response: null,
      gapsBefore: this.#responseGaps,
      passedOver: false,
    };
    this.#request = request;
    this.#options.traffic?.request(this.connection, head.apiKey, request.clientId, splitter.first);
    this.#isUnanswered = isUnanswered(bytes, start, available);
    if (!this.#isUnanswered) this.#addPending(request);
    if (head.apiKey === SASL_HANDSHAKE && head.apiVersion === 0) this.expectTokens();
    return this.#options.asksFor(head.apiKey);
  }

  #isToken(bytes: Uint8Array, start: number, available: number, size: number): boolean {
    if (!this.#tokensFollow) return false;
    return !this.#tokenAnswered || !isPlausibleHead(bytes, start, available, size);
  }

  #malformedHead(splitter: FrameSplitter, message: string): void {
    this.report('client', splitter.first, {
      code: 'request-header-malformed',
      message,
      streamOffset: splitter.offset,
      bytes: 4 + splitter.size,
    });
  }

  #addPending(request: PendingRequest): void {
    const dropped = this.pending.add(request);
    if (dropped === null) return;
    this.report('client', dropped.first, {
      code: 'pending-dropped',
      message: `more than ${MAX_PENDING_REQUESTS} requests wait for an answer: the oldest is given up`,
    });
    this.#unanswered(dropped, 'evicted');
  }

  /** A request ended; its bytes are there if they were asked for. */
  requestWhole(bytes: Uint8Array, start: number, end: number, splitter: FrameSplitter, position: PacketPosition): void {
    if (this.#inToken) {
      if (end > start) this.#options.traffic?.token(this.connection, bytes, start + 4, end, splitter.first);
      return;
    }
    const request = this.#request;
    this.#request = null;
    if (request === null) return;
    request.last = copyPosition(position);
    if (end > start) this.#requestFrame(request, frameOf(bytes, start, end, splitter, request.last, null));
    if (this.#isUnanswered) this.#unacknowledged(request);
  }

  /** Bytes of the request at work are missing. */
  requestDamaged(bytes: Uint8Array, start: number, end: number, headSeen: boolean, splitter: FrameSplitter, cause: Reason): void {
    if (!headSeen) this.#damagedHead(bytes, start, end, splitter);
    const request = this.#request;
    this.#request = null;
    if (request === null) return;
    if (this.#options.asksFor(request.apiKey)) this.#requestFrame(request, frameOf(bytes, start, end, splitter, null, cause));
    if (this.#isUnanswered) this.#unacknowledged(request);
  }

  /** A Produce with acks 0 is over as soon as it was sent. */
  #unacknowledged(request: PendingRequest): void {
    this.#call(request, null, null);
    if (request.frame !== null) this.#emit(request, request.frame, null, request.frame.damage ?? 'no-answer-asked');
  }

  /** API, version and correlation id may be there although the head isn't whole. */
  #damagedHead(bytes: Uint8Array, start: number, end: number, splitter: FrameSplitter): void {
    this.#request = null;
    if (end - start < PAIRING_HEAD_BYTES || this.#tokensFollow) return;
    splitter.size = int32(bytes, start);
    const apiKey = int16(bytes, start + 4);
    if (apiFacts(apiKey) === null) return;
    this.requestHead(bytes, start, end - start, splitter);
  }

  #requestFrame(request: PendingRequest, frame: Frame): void {
    request.frame = frame;
    if (request.response !== null) this.#emit(request, frame, request.response, null);
  }

  /** Whether the next response is the answer to a token. */
  get answersToken(): boolean {
    return this.pending.next?.isToken === true;
  }

  /** The id of a response is there. Returns whether its bytes are wanted. */
  responseHead(bytes: Uint8Array, start: number, splitter: FrameSplitter): boolean {
    this.#answered = null;
    this.#alternatives = [];
    const next = this.pending.next;
    if (next?.isToken === true) {
      this.pending.remove(next);
      this.#tokenAnswered = true;
      return false;
    }
    this.#counts.responses++;
    const correlationId = int32(bytes, start + 4);
    const candidates = this.pending.withId(correlationId);
    const oldest = candidates[0];
    if (oldest === undefined) {
      this.report('server', splitter.first, {
        code: 'response-without-request',
        message: `a response with correlation id ${correlationId} has no request`,
        streamOffset: splitter.offset,
        bytes: 4 + splitter.size,
      });
      return false;
    }
    this.#answered = oldest;
    if (candidates.length > 1 && this.#responseGaps > oldest.gapsBefore) {
      this.#alternatives = candidates;
      return true;
    }
    const asked = this.#options.asksFor(oldest.apiKey);
    if (asked && splitter.size > this.#options.maxFrameBytes) {
      this.#answered = null;
      this.pending.remove(oldest);
      this.#tooLarge(oldest, bytes, start, splitter);
      return false;
    }
    return asked || oldest.apiKey === API_VERSIONS;
  }

  #tooLarge(request: PendingRequest, bytes: Uint8Array, start: number, splitter: FrameSplitter): void {
    this.report('server', splitter.first, {
      code: 'frame-size-invalid',
      message: `a response of ${splitter.size} bytes is larger than ${this.#options.maxFrameBytes}: not decoded`,
      streamOffset: splitter.offset,
      bytes: 4 + splitter.size,
    });
    this.#call(request, { bytes: 4 + splitter.size, first: copyPosition(splitter.first), last: null }, null);
    this.#paired(request, frameOf(bytes, start, start + 8, splitter, null, 'frame-too-large'));
  }

  /** A response ended; its bytes are there if they were wanted. */
  responseWhole(bytes: Uint8Array, start: number, end: number, splitter: FrameSplitter, position: PacketPosition): void {
    const request = this.#chosen(bytes, start, end);
    if (request === null) return;
    this.#settle(request, splitter);
    const last = copyPosition(position);
    if (request.apiKey === API_VERSIONS) this.#noteVersionFallback(request, bytes, start, end, position);
    this.#call(request, { bytes: 4 + splitter.size, first: copyPosition(splitter.first), last }, null);
    if (request.last !== null && nanosBetween(request.last, last) < 0) {
      this.report('server', position, { code: 'response-before-request', message: 'a response was recorded before its request' });
    }
    if (this.#options.asksFor(request.apiKey)) this.#paired(request, frameOf(bytes, start, end, splitter, last, null));
  }

  /** Bytes of the response at work are missing. */
  responseDamaged(bytes: Uint8Array, start: number, end: number, headSeen: boolean, splitter: FrameSplitter, cause: Reason): void {
    if (!headSeen) return;
    const request = this.#answered;
    this.#answered = null;
    if (request === null) return;
    this.#settle(request, splitter);
    this.#call(request, { bytes: 4 + splitter.size, first: copyPosition(splitter.first), last: null }, null);
    if (this.#options.asksFor(request.apiKey)) this.#paired(request, frameOf(bytes, start, end, splitter, null, cause));
  }

  /** The request that a response answers: among several with its id, the first that it speaks of. */
  #chosen(bytes: Uint8Array, start: number, end: number): PendingRequest | null {
    const oldest = this.#answered;
    this.#answered = null;
    if (this.#alternatives.length === 0) return oldest;
    return this.#alternatives.find((request) => this.#options.oracle.answers(bytes, start, end, request) === true) ?? oldest;
  }

  /** Takes an answered request out of those that wait. */
  #settle(request: PendingRequest, splitter: FrameSplitter): void {
    this.pending.remove(request);
    if (!request.passedOver || this.#responseGaps > request.gapsBefore) return;
    this.report('server', splitter.first, {
      code: 'responses-reordered',
      message: `the response with correlation id ${request.correlationId} came after that of a later request`,
    });
  }

  /** KIP-511: a broker that doesn't know the version asked for answers in version 0, with the versions it knows. */
  #noteVersionFallback(request: PendingRequest, bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    if (request.apiVersion === 0 || end - start < 10 || int16(bytes, start + 8) !== UNSUPPORTED_VERSION) return;
    this.report('server', position, {
      code: 'api-versions-fallback',
      message: `the broker doesn't know ApiVersions version ${request.apiVersion} and answered in version 0 (UNSUPPORTED_VERSION)`,
    });
  }

  #paired(request: PendingRequest, response: Frame): void {
    if (request.frame === null) request.response = response;
    else this.#emit(request, request.frame, response, null);
  }

  #emit(request: PendingRequest, frame: Frame, response: Frame | null, reason: Reason | null): void {
    const { apiKey, apiVersion, correlationId, clientId } = request;
    const why = reason ?? response?.damage ?? frame.damage;
    this.#options.exchanges.exchange({
      connection: this.connection,
      apiKey,
      apiVersion,
      correlationId,
      clientId,
      request: frame,
      response,
      reason: why,
    });
  }

  #call(request: PendingRequest, response: Call['response'], reason: Reason | null): void {
    if (this.#options.traffic === null) return;
    const { apiKey, apiVersion, correlationId, clientId, bytes, first, last } = request;
    this.#options.traffic.call({
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

  /** Response bytes are missing: answers may be among them. */
  responseGap(cause: Reason): void {
    this.#responseGaps++;
    this.#responseGapCause = cause;
  }

  /** No more responses come: gives up all that wait. */
  giveUpPending(cause: CloseCause, serverSeen: boolean): void {
    for (const request of this.pending.drain()) {
      if (request.isToken) continue;
      this.#unanswered(request, this.#whyUnanswered(request, cause, serverSeen));
    }
  }

  #whyUnanswered(request: PendingRequest, cause: CloseCause, serverSeen: boolean): Reason {
    if (this.#responseGaps > request.gapsBefore) return this.#responseGapCause;
    if (request.passedOver) return 'not-answered-in-order';
    if (!serverSeen) return 'no-server-packets';
    return closeReason(cause);
  }

  #unanswered(request: PendingRequest, reason: Reason): void {
    this.#call(request, null, reason);
    if (request.frame !== null) this.#emit(request, request.frame, null, request.frame.damage ?? reason);
  }
}

const tokenRequest = {
  apiKey: -1,
  apiVersion: -1,
  correlationId: -1,
  clientId: null,
  isToken: true,
  last: null,
  frame: null,
  response: null,
  passedOver: false,
} as const;

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

function frameOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  splitter: FrameSplitter,
  last: PacketPosition | null,
  damage: Reason | null,
): Frame {
  const { size, first, offset } = splitter;
  return { bytes: copy(bytes, start, end), size, first: copyPosition(first), last, streamOffset: offset, damage };
}

function copy(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const owned = new Uint8Array(end - start);
  owned.set(bytes.subarray(start, end));
  return owned;
}
