import { copyPosition, nanosBetween, type PacketPosition } from '../capture/packet.ts';
import { int16, int32 } from '../wire/bytes.ts';
import { type Conversation, frameOf } from './conversation.ts';
import { ConversationSide } from './conversation-side.ts';
import type { Reason } from './exchange.ts';
import { Fit } from './frame-finder.ts';
import { type FrameFacts, FrameUse } from './frame-splitter.ts';
import type { PendingRequest } from './pending.ts';

const API_VERSIONS = 18;
const UNSUPPORTED_VERSION = 35;
/** Size prefix and correlation id. */
const HEAD_BYTES = 8;
/** ApiVersions responses larger than this aren't looked into: real ones have a kilobyte. */
const MAX_API_VERSIONS_BYTES = 64 << 10;

/** Takes the frames that a broker sends, and finds for each the request that it answers. */
export class ResponseSide extends ConversationSide {
  /** The request that the response at work answers; null if its bytes are passed over. */
  #answered: PendingRequest | null = null;
  /** All with the same id that it may answer, since answers or requests were lost; empty where there is no doubt. */
  #candidates: readonly PendingRequest[] = [];

  constructor(conversation: Conversation) {
    super(conversation, 'server');
  }

  headBytes(bytes: Uint8Array, start: number, available: number, size: number): number {
    const { conversation } = this;
    const { pending } = conversation;
    // Too short for anything but the answer to a token.
    if (size < 4) return size >= 0 && pending.token !== null ? 4 : -1;
    const { next } = pending;
    if (next?.isToken === true && !conversation.mayBeLost(next)) return size > this.mostBytes ? -1 : 4;
    // A broker may send more than it takes, to one who asked for it.
    const isHuge = size > this.mostBytes && available >= HEAD_BYTES && !pending.hasId(int32(bytes, start + 4));
    return isHuge ? -1 : HEAD_BYTES;
  }

  head(bytes: Uint8Array, start: number, available: number, frame: FrameFacts): FrameUse {
    const { conversation } = this;
    this.#answered = null;
    this.#candidates = [];
    const token = this.#answeredToken(bytes, start, frame.size);
    if (token !== null) {
      conversation.pending.answered(token);
      conversation.tokenAnswered = true;
      return FrameUse.skip;
    }
    conversation.counts.responses++;
    const correlationId = int32(bytes, start + 4);
    const candidates = this.#candidatesFor(correlationId);
    const [oldest] = candidates;
    if (oldest === undefined) {
      this.reportFrame('response-without-request', frame, `a response with correlation id ${correlationId} has no request`);
      return FrameUse.skip;
    }
    this.#answered = oldest;
    const isDoubtful = candidates.length > 1 ? conversation.mayBeLost(oldest) || conversation.requestsLost : conversation.requestsLost;
    if (isDoubtful) this.#candidates = candidates;
    return this.#use(oldest, bytes, start, available, frame);
  }

  /** The token that a frame answers: the next in turn, unless its answer may be lost and this be that of a later request. */
  #answeredToken(bytes: Uint8Array, start: number, size: number): PendingRequest | null {
    const { pending } = this.conversation;
    if (size < 4) return pending.token;
    const { next } = pending;
    if (next?.isToken !== true) return null;
    return this.conversation.mayBeLost(next) && pending.hasId(int32(bytes, start + 4)) ? null : next;
  }

  /** The requests that a response with that id may answer, oldest first: brokers answer in order, so that one passed over was answered in a gap. */
  #candidatesFor(correlationId: number): readonly PendingRequest[] {
    const { conversation } = this;
    const all = conversation.pending.withId(correlationId);
    if (all.length < 2) return all;
    const left = all.filter((request) => !(conversation.pending.isPassedOver(request) && conversation.mayBeLost(request)));
    return left.length === 0 ? all.slice() : left;
  }

  #isAsked(request: PendingRequest): boolean {
    return this.conversation.options.asksFor(request.apiKey);
  }

  #use(request: PendingRequest, bytes: Uint8Array, start: number, available: number, frame: FrameFacts): FrameUse {
    const isAsked = this.#isAsked(request) || this.#candidates.some((each) => this.#isAsked(each));
    if (isAsked && this.isTooLarge(frame)) {
      this.reportTooLarge(frame);
      this.damaged(bytes, start, start + available, frame, 'frame-too-large');
      return FrameUse.skip;
    }
    const isVersions = request.apiKey === API_VERSIONS && frame.size <= MAX_API_VERSIONS_BYTES;
    return isAsked || isVersions ? FrameUse.collect : FrameUse.skip;
  }

  whole(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, position: PacketPosition): void {
    const request = this.#take(bytes, start, end, frame);
    if (request === null) return;
    const { conversation } = this;
    this.#noteOrder(request, frame);
    const last = copyPosition(position);
    if (request.apiKey === API_VERSIONS) this.#noteVersionFallback(request, bytes, start, end, position);
    if (request.last !== null && nanosBetween(request.last, last) < 0) {
      conversation.report('server', position, { code: 'response-before-request', message: 'a response was recorded before its request' });
    }
    const isAsked = conversation.options.asksFor(request.apiKey);
    const response = { bytes: 4 + frame.size, first: copyPosition(frame.first), last };
    conversation.answered(request, response, isAsked ? frameOf(bytes, start, end, frame, last, null) : null, null);
  }

  damaged(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, cause: Reason): void {
    const request = this.#answered;
    this.#answered = null;
    this.#candidates = [];
    if (cause !== 'frame-too-large') this.reportCut(frame, cause);
    if (request === null) return;
    const { conversation } = this;
    this.#noteOrder(request, frame);
    const isAsked = conversation.options.asksFor(request.apiKey);
    const response = { bytes: 4 + frame.size, first: copyPosition(frame.first), last: null };
    conversation.answered(request, response, isAsked ? frameOf(bytes, start, end, frame, null, cause) : null, cause);
  }

  headDamaged(_bytes: Uint8Array, _start: number, _end: number, frame: FrameFacts, cause: Reason): void {
    this.#answered = null;
    this.reportCut(frame, cause);
  }

  override lost(bytes: Uint8Array, start: number, end: number, frame: FrameFacts): void {
    this.conversation.responseGap('malformed');
    super.lost(bytes, start, end, frame);
  }

  /** The request that a whole response answers: where there is doubt, the one that it speaks of; null if that can't be told. */
  #take(bytes: Uint8Array, start: number, end: number, frame: FrameFacts): PendingRequest | null {
    const [oldest, candidates] = [this.#answered, this.#candidates];
    this.#answered = null;
    this.#candidates = [];
    if (oldest === null || candidates.length === 0) return oldest;
    const { oracle } = this.conversation.options;
    const fits = candidates.map((request) => oracle.answers(bytes, start, end, request));
    const fitting = candidates.filter((_, i) => fits[i] === Fit.yes);
    // Where a client waits for each answer, that of the one before was lost.
    if (fitting.length === 1 || (fitting.length > 1 && !this.conversation.idsAmbiguous)) return fitting.at(-1) ?? null;
    if (fitting.length === 0) {
      const other = candidates.find((_, i) => fits[i] !== Fit.no);
      if (other !== undefined) return other;
    }
    const which = fitting.length === 0 ? 'answers no request' : `may answer any of ${fitting.length} requests`;
    this.reportFrame(
      'response-without-request',
      frame,
      `a response ${which} with correlation id ${oldest.correlationId}, after bytes were lost`,
    );
    return null;
  }

  #noteOrder(request: PendingRequest, frame: FrameFacts): void {
    const { conversation } = this;
    if (!conversation.pending.isPassedOver(request) || conversation.mayBeLost(request)) return;
    conversation.report('server', frame.first, {
      code: 'responses-reordered',
      message: `the response with correlation id ${request.correlationId} came after that of a later request`,
    });
  }

  /** KIP-511: a broker that doesn't know the version asked for answers in version 0, with the versions it knows. */
  #noteVersionFallback(request: PendingRequest, bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    if (request.apiVersion === 0 || end - start < 10 || int16(bytes, start + 8) !== UNSUPPORTED_VERSION) return;
    this.conversation.report('server', position, {
      code: 'api-versions-fallback',
      message: `the broker doesn't know ApiVersions version ${request.apiVersion} and answered in version 0 (UNSUPPORTED_VERSION)`,
    });
  }
}
