import { int16, int32 } from '../wire/bytes.ts';
import type { PendingRequest, PendingRequests } from './pending.ts';
import { FIXED_HEAD_BYTES, isPlausibleHead } from './request-head.ts';
import type { SeekBuffer } from './seek-buffer.ts';

/** Tells whether a whole frame is what it seems; null where the API has no schema. `bytes[start, end)` is the frame. */
export interface FrameOracle {
  /** It decodes as the request that its header names, to its last byte. */
  isRequest(bytes: Uint8Array, start: number, end: number): boolean | null;
  /** It decodes as the answer to that request, and speaks of what was asked for. */
  answers(bytes: Uint8Array, start: number, end: number, request: PendingRequest): boolean | null;
}

/** What a place in the bytes is: where a frame begins, not one, or not to be told before more bytes come. */
const Verdict = { no: 0, yes: 1, later: 2 } as const;
type Verdict = (typeof Verdict)[keyof typeof Verdict];

/** Frames larger than this are believed by their head alone when they begin where a segment does. */
const BELIEVED_BYTES = 64 << 10;

/**
 * Finds where frames begin again after a loss, or in a connection that began before the capture: where segments begin first, then
 * anywhere, on evidence that chance or a frame inside some value can't give easily.
 */
export abstract class FrameFinder {
  /** Offset of the next frame in the buffer; -1 for none yet. `final`: nothing more follows these bytes. */
  find(buffer: SeekBuffer, final: boolean): number {
    let later = -1;
    for (const { offset } of buffer.marks) {
      const verdict = this.verdict(buffer, offset, true, final);
      if (verdict === Verdict.yes) return offset;
      if (verdict === Verdict.later && later < 0) later = offset;
    }
    const until = later < 0 ? buffer.length : later;
    for (let offset = buffer.scanned; offset < until; offset++) {
      const verdict = this.verdict(buffer, offset, false, final);
      if (verdict === Verdict.yes) return offset;
      if (verdict === Verdict.later) return -1;
      buffer.scanned = offset + 1;
    }
    return -1;
  }

  protected abstract verdict(buffer: SeekBuffer, offset: number, atSegment: boolean, final: boolean): Verdict;
}

/** Finds requests: a plausible header, and a body that decodes exactly; without a schema, a client id that is known or at least text. */
export class RequestFinder extends FrameFinder {
  /** Client id of the connection's earlier requests. */
  clientId: Uint8Array | null = null;
  readonly #oracle: FrameOracle;
  readonly #maxBytes: number;

  constructor(oracle: FrameOracle, maxBytes: number) {
    super();
    this.#oracle = oracle;
    this.#maxBytes = maxBytes;
  }

  protected verdict(buffer: SeekBuffer, offset: number, atSegment: boolean, final: boolean): Verdict {
    const { bytes, length } = buffer;
    const available = length - offset;
    if (available < FIXED_HEAD_BYTES) return final || !atSegment ? Verdict.no : Verdict.later;
    const size = int32(bytes, offset);
    if (size > this.#maxBytes || !isPlausibleHead(bytes, offset, available, size)) return Verdict.no;
    const end = offset + 4 + size;
    const named = this.#hasClientId(bytes, offset, available);
    if (end > length) {
      if (!named || !atSegment) return Verdict.no;
      return final || size > BELIEVED_BYTES ? Verdict.yes : Verdict.later;
    }
    const decodes = this.#oracle.isRequest(bytes, offset, end);
    if (decodes === false) return Verdict.no;
    const chained =
      buffer.isMark(end) || (length - end >= FIXED_HEAD_BYTES && isPlausibleHead(bytes, end, length - end, int32(bytes, end)));
    if (atSegment) return decodes || named || chained ? Verdict.yes : Verdict.no;
    return chained && named ? Verdict.yes : Verdict.no;
  }

  #hasClientId(bytes: Uint8Array, offset: number, available: number): boolean {
    const clientId = int16(bytes, offset + 12);
    if (this.clientId === null) return clientId > 0;
    if (clientId !== this.clientId.length || available < FIXED_HEAD_BYTES + clientId) return false;
    return this.clientId.every((byte, i) => byte === bytes[offset + FIXED_HEAD_BYTES + i]);
  }
}

/** Finds responses: the id of a pending request, and a body that answers it; without a schema, an end where the next frame begins. */
export class ResponseFinder extends FrameFinder {
  readonly #pending: PendingRequests;
  readonly #oracle: FrameOracle;
  readonly #maxBytes: number;

  constructor(pending: PendingRequests, oracle: FrameOracle, maxBytes: number) {
    super();
    this.#pending = pending;
    this.#oracle = oracle;
    this.#maxBytes = maxBytes;
  }

  protected verdict(buffer: SeekBuffer, offset: number, atSegment: boolean, final: boolean): Verdict {
    const { bytes, length } = buffer;
    const available = length - offset;
    if (available < 8) return final || !atSegment ? Verdict.no : Verdict.later;
    const size = int32(bytes, offset);
    if (size < 4 || size > this.#maxBytes) return Verdict.no;
    const candidates = this.#pending.withId(int32(bytes, offset + 4));
    if (candidates.length === 0) return Verdict.no;
    const end = offset + 4 + size;
    if (end > length) {
      if (!atSegment) return Verdict.no;
      return final || size > BELIEVED_BYTES ? Verdict.yes : Verdict.later;
    }
    const verdicts = candidates.map((request) => this.#oracle.answers(bytes, offset, end, request));
    if (verdicts.includes(true)) return Verdict.yes;
    if (!verdicts.includes(null)) return Verdict.no;
    if (length - end >= 8 && !buffer.isMark(end)) return this.#isPlausible(bytes, end) ? Verdict.yes : Verdict.no;
    return atSegment || buffer.isMark(end) ? Verdict.yes : Verdict.no;
  }

  #isPlausible(bytes: Uint8Array, offset: number): boolean {
    const size = int32(bytes, offset);
    return size >= 4 && size <= this.#maxBytes && this.#pending.hasId(int32(bytes, offset + 4));
  }
}
