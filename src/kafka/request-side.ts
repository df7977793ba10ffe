import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import { apiFacts } from '../schema/api-keys.ts';
import { int16 } from '../wire/bytes.ts';
import { type Conversation, frameOf } from './conversation.ts';
import { ConversationSide } from './conversation-side.ts';
import type { Reason } from './exchange.ts';
import type { RequestFinder } from './frame-finder.ts';
import { type FrameFacts, FrameUse } from './frame-splitter.ts';
import { createQueuePlace, type PendingRequest } from './pending.ts';
import {
  FIXED_HEAD_BYTES,
  isPlausibleHead,
  isPossibleHead,
  isUnanswered,
  PAIRING_HEAD_BYTES,
  readRequestHead,
  requestHeadBytes,
} from './request-head.ts';

const SASL_HANDSHAKE = 17;
/** Longer client ids, which nobody has, aren't remembered beyond their requests: connections may be many. */
const MAX_REMEMBERED_ID_BYTES = 512;
/** The first byte of a GSSAPI token (RFC 2743, section 3.1), which clients of Kafka 0.9 sent without a handshake. */
const GSSAPI_TOKEN = 0x60;

/** Hears what the first bytes of a client are. */
export interface FirstRequestListener {
  /** A request: the connection is Kafka's. */
  isKafka(): void;
  /** Something else: nothing of the connection is looked at any more. */
  isNotKafka(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void;
}

/** Takes the frames that a client sends: its requests, and its SASL tokens without a header. */
export class RequestSide extends ConversationSide {
  readonly #finder: RequestFinder;
  readonly #listener: FirstRequestListener;
  /** The capture holds the connection's beginning: its first bytes are a request, or it isn't Kafka. */
  readonly #fromStart: boolean;
  #isKafka = false;
  #isNotKafka = false;
  #requests = 0;
  /** The request whose frame is at work. */
  #request: PendingRequest | null = null;
  /** The frame at work is a token. */
  #inToken = false;
  /** Client id of the last request that had one. */
  #clientId: Uint8Array | null = null;

  constructor(conversation: Conversation, finder: RequestFinder, listener: FirstRequestListener, fromStart: boolean) {
    super(conversation, 'client');
    this.#finder = finder;
    this.#listener = listener;
    this.#fromStart = fromStart;
  }

  headBytes(bytes: Uint8Array, start: number, available: number, size: number): number {
    const { tokensFollow, tokenAnswered } = this.conversation;
    if (size > this.mostBytes || size < 0 || (size === 0 && !tokensFollow)) return -1;
    return tokensFollow && !tokenAnswered ? 4 : requestHeadBytes(bytes, start, available, size);
  }

  head(bytes: Uint8Array, start: number, available: number, frame: FrameFacts): FrameUse {
    this.#request = null;
    this.#inToken = false;
    if (!this.#isKafka && !this.#isFirstRequest(bytes, start, available, frame)) return FrameUse.skip;
    if (this.#isToken(bytes, start, available, frame.size)) return this.#token(frame);
    const request = this.#begin(bytes, start, available, frame);
    if (request === null || !this.conversation.options.asksFor(request.apiKey)) return FrameUse.skip;
    if (!this.isTooLarge(frame)) return FrameUse.collect;
    this.reportTooLarge(frame);
    this.conversation.requestFrame(request, frameOf(bytes, start, start + available, frame, null, 'frame-too-large'));
    return FrameUse.skip;
  }

  #isFirstRequest(bytes: Uint8Array, start: number, available: number, frame: FrameFacts): boolean {
    if (this.#isNotKafka) return false;
    if (available > 4 && bytes[start + 4] === GSSAPI_TOKEN) this.conversation.expectTokens();
    else if (!isPossibleHead(bytes, start, available, frame.size)) {
      if (this.conversation.requestsLost) return false;
      this.#isNotKafka = true;
      this.#listener.isNotKafka(bytes, start, start + available, frame.first);
      return false;
    }
    this.#becomeKafka();
    return true;
  }

  #becomeKafka(): void {
    if (this.#isKafka) return;
    this.#isKafka = true;
    this.#listener.isKafka();
  }

  #isToken(bytes: Uint8Array, start: number, available: number, size: number): boolean {
    if (!this.conversation.tokensFollow) return false;
    return !this.conversation.tokenAnswered || !isPlausibleHead(bytes, start, available, size);
  }

  #token(frame: FrameFacts): FrameUse {
    this.#inToken = true;
    this.conversation.sent({
      ...tokenRequest,
      queue: createQueuePlace(),
      bytes: 4 + frame.size,
      first: copyPosition(frame.first),
      gapsBefore: this.conversation.responseGaps,
      ordinal: this.#requests++,
    });
    return this.conversation.options.traffic === null || this.isTooLarge(frame) ? FrameUse.skip : FrameUse.collect;
  }

  /** The request that begins; null if no header is that short, or its client id that long. */
  #begin(bytes: Uint8Array, start: number, available: number, frame: FrameFacts): PendingRequest | null {
    this.conversation.tokensFollow = false;
    this.conversation.counts.requests++;
    if (frame.size < PAIRING_HEAD_BYTES - 4) {
      this.reportFrame('request-header-malformed', frame, `a request of ${frame.size} bytes can't hold a header`);
      return null;
    }
    const { apiKey, apiVersion, correlationId, clientIdLength } = readRequestHead(bytes, start, start + available);
    if (clientIdLength < -1 || FIXED_HEAD_BYTES + clientIdLength > 4 + frame.size) {
      this.reportFrame('request-header-malformed', frame, `client id length ${clientIdLength} exceeds the frame of ${frame.size} bytes`);
      return null;
    }
    const { conversation } = this;
    const request: PendingRequest = {
      apiKey,
      apiVersion,
      correlationId,
      clientId: this.#readClientId(bytes, start, available, clientIdLength),
      isToken: false,
      bytes: 4 + frame.size,
      first: copyPosition(frame.first),
      last: null,
      frame: null,
      response: null,
      gapsBefore: conversation.responseGaps,
      ordinal: this.#requests++,
      isUnanswered: isUnanswered(bytes, start, available),
      queue: createQueuePlace(),
    };
    this.#request = request;
    conversation.options.traffic?.request(conversation.connection, apiKey, request.clientId, frame.first);
    if (!request.isUnanswered) conversation.sent(request);
    if (apiKey === SASL_HANDSHAKE && apiVersion === 0) conversation.expectTokens();
    return request;
  }

  /** Null where bytes of it are missing. One copy serves all requests of a client. */
  #readClientId(bytes: Uint8Array, start: number, available: number, length: number): Uint8Array | null {
    if (length < 0 || available < FIXED_HEAD_BYTES + length) return null;
    const from = start + FIXED_HEAD_BYTES;
    if (length > MAX_REMEMBERED_ID_BYTES) return new Uint8Array(bytes.subarray(from, from + length));
    if (this.#clientId?.length !== length || !hasText(bytes, from, this.#clientId)) {
      this.#clientId = new Uint8Array(bytes.subarray(from, from + length));
    }
    this.#finder.clientId = this.#clientId;
    return this.#clientId;
  }

  whole(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, position: PacketPosition): void {
    const { connection, options } = this.conversation;
    if (this.#inToken) {
      if (end > start) options.traffic?.token(connection, bytes, start + 4, end, frame.first);
      return;
    }
    const request = this.#request;
    this.#request = null;
    if (request === null) return;
    request.last = copyPosition(position);
    if (end > start) this.conversation.requestFrame(request, frameOf(bytes, start, end, frame, request.last, null));
    this.#settleUnanswered(request);
  }

  damaged(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, cause: Reason): void {
    this.reportCut(frame, cause);
    const request = this.#request;
    this.#request = null;
    if (request === null) return;
    if (this.conversation.options.asksFor(request.apiKey) && request.frame === null) {
      this.conversation.requestFrame(request, frameOf(bytes, start, end, frame, null, cause));
    }
    this.#settleUnanswered(request);
  }

  /** API, version and correlation id may be there although the head isn't whole. */
  headDamaged(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, cause: Reason): void {
    this.#request = null;
    this.#inToken = false;
    const isReadable = end - start >= PAIRING_HEAD_BYTES && !this.conversation.tokensFollow && apiFacts(int16(bytes, start + 4)) !== null;
    if (isReadable) {
      this.#becomeKafka();
      this.#begin(bytes, start, end - start, frame);
    }
    this.damaged(bytes, start, end, frame, cause);
  }

  /** A Produce with acks 0 is over as soon as it was sent. */
  #settleUnanswered(request: PendingRequest): void {
    if (request.isUnanswered) this.conversation.unanswered(request, 'no-answer-asked');
  }

  override lost(bytes: Uint8Array, start: number, end: number, frame: FrameFacts): void {
    if (this.#isKafka || !this.#fromStart || this.conversation.requestsLost) {
      this.conversation.requestGap();
      super.lost(bytes, start, end, frame);
      return;
    }
    this.#isNotKafka = true;
    this.#listener.isNotKafka(bytes, start, end, frame.first);
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
  isUnanswered: false,
} as const;

/** Whether `bytes[start, …)` begins with the text. */
function hasText(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
  return true;
}
