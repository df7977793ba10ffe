import { int16, int32 } from '../wire/bytes.ts';
import type { PendingRequest, PendingRequests } from './pending.ts';
import { FIXED_HEAD_BYTES, hasTextClientId, isLikelyHead, isPlausibleHead } from './request-head.ts';
import type { SeekBuffer } from './seek-buffer.ts';

/** Whether a frame is the answer to a request. */
export const Fit = {
  yes: 0,
  /** It speaks of what the request didn't ask for. */
  no: 1,
  /** It doesn't decode as an answer to it. */
  malformed: 2,
  /** There is no schema to tell. */
  unknown: 3,
} as const;
export type Fit = (typeof Fit)[keyof typeof Fit];

/** Tells whether a whole frame is what it seems. `bytes[start, end)` is the frame. */
export interface FrameOracle {
  /** It decodes as the request that its header names, to its last byte; null where the API has no schema. */
  isRequest(bytes: Uint8Array, start: number, end: number): boolean | null;
  /** It decodes as the answer to that request, and speaks of what was asked for. */
  answers(bytes: Uint8Array, start: number, end: number, request: PendingRequest): Fit;
}

/** What a place in the bytes is: where a frame begins, not one, or not to be told before more bytes come. */
const Verdict = { no: 0, yes: 1, later: 2 } as const;
type Verdict = (typeof Verdict)[keyof typeof Verdict];

/** Frames larger than this are believed by their head alone, when they begin where a segment does. */
const BELIEVED_BYTES = 64 << 10;
/** Size prefix and correlation id. */
const RESPONSE_HEAD_BYTES = 8;

/**
 * Finds where frames begin again after a loss, or in a connection that began before the capture: segment by segment, first at its start, then
 * inside it, on evidence that chance or a frame inside some value can't give easily.
 */
export abstract class FrameFinder {
  /** Size of the largest frame that is believed. */
  protected readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Offset of the next frame in the buffer; -1 for none yet. `isFinal`: nothing more follows these bytes. */
  find(buffer: SeekBuffer, isFinal: boolean): number {
    for (;;) {
      const mark = buffer.marks[buffer.marksTried]?.offset ?? -1;
      const scanUntil = mark < 0 ? buffer.end : mark;
      const inside = this.#scan(buffer, scanUntil, isFinal);
      if (inside !== null) return inside;
      if (mark < 0) return -1;
      const verdict = this.verdict(buffer, mark, this.#holdsHead(buffer, mark), isFinal);
      if (verdict === Verdict.yes) return mark;
      if (verdict === Verdict.later) return -1;
      buffer.marksTried++;
      buffer.scanned = mark + 1;
    }
  }

  /** That a segment begins there speaks for a frame only where it holds more than a few bytes: some clients send each byte by itself. */
  #holdsHead(buffer: SeekBuffer, mark: number): boolean {
    return (buffer.marks[buffer.marksTried + 1]?.offset ?? buffer.end) - mark >= FIXED_HEAD_BYTES;
  }

  /** Looks inside a segment; null where no frame begins. */
  #scan(buffer: SeekBuffer, until: number, isFinal: boolean): number | null {
    const { bytes } = buffer;
    // Nearly no byte of a record or a text can begin a frame's size: `npm run bench -- --only lossy`.
    const mostFirst = this.maxBytes >>> 24;
    const lastHead = buffer.end - FIXED_HEAD_BYTES;
    for (let offset = Math.max(buffer.scanned, buffer.start); offset < until; offset++) {
      if ((bytes[offset] as number) > mostFirst && offset <= lastHead) continue;
      buffer.scanned = offset;
      const verdict = this.verdict(buffer, offset, false, isFinal);
      if (verdict === Verdict.yes) return offset;
      if (verdict === Verdict.later) return -1;
    }
    buffer.scanned = Math.max(buffer.scanned, until);
    return null;
  }

  protected abstract verdict(buffer: SeekBuffer, offset: number, atSegment: boolean, isFinal: boolean): Verdict;
}

/** Finds requests: a likely header, and a body that decodes exactly; without a schema, a client id that is known or at least text. */
export class RequestFinder extends FrameFinder {
  /** Client id of the connection's earlier requests. */
  clientId: Uint8Array | null = null;
  readonly #oracle: FrameOracle;

  constructor(oracle: FrameOracle, maxBytes: number) {
    super(maxBytes);
    this.#oracle = oracle;
  }

  protected verdict(buffer: SeekBuffer, offset: number, atSegment: boolean, isFinal: boolean): Verdict {
    const { bytes } = buffer;
    const available = buffer.end - offset;
    if (available < FIXED_HEAD_BYTES) return isFinal ? Verdict.no : Verdict.later;
    const size = int32(bytes, offset);
    if (size > this.maxBytes || !isLikelyHead(bytes, offset, available, size)) return Verdict.no;
    if (!isFinal && available < FIXED_HEAD_BYTES + int16(bytes, offset + 12)) return Verdict.later;
    const isNamed = this.#hasClientId(bytes, offset, available);
    const end = offset + 4 + size;
    if (end <= buffer.end) return this.#wholeVerdict(buffer, offset, end, isNamed, atSegment, isFinal);
    if (!atSegment) return isNamed && size <= BELIEVED_BYTES && !isFinal ? Verdict.later : Verdict.no;
    if (!isFinal && size <= BELIEVED_BYTES) return Verdict.later;
    return isNamed ? Verdict.yes : Verdict.no;
  }

  #wholeVerdict(buffer: SeekBuffer, offset: number, end: number, isNamed: boolean, atSegment: boolean, isFinal: boolean): Verdict {
    const decodes = this.#oracle.isRequest(buffer.bytes, offset, end);
    // A malformed request is one all the same where it fills its segment and says whose it is.
    if (decodes === false) return atSegment && isNamed && buffer.isMark(end) ? Verdict.yes : Verdict.no;
    if (atSegment && (decodes === true || isNamed)) return Verdict.yes;
    if (!atSegment && !isNamed) return Verdict.no;
    const follows = this.#follows(buffer, end);
    if (follows === Verdict.later && isFinal) return decodes === true ? Verdict.yes : Verdict.no;
    return follows;
  }

  /** Whether a request, or a segment, begins at the end of another request. */
  #follows(buffer: SeekBuffer, end: number): Verdict {
    if (buffer.isMark(end)) return Verdict.yes;
    const available = buffer.end - end;
    if (available < FIXED_HEAD_BYTES) return Verdict.later;
    return isPlausibleHead(buffer.bytes, end, available, int32(buffer.bytes, end)) ? Verdict.yes : Verdict.no;
  }

  #hasClientId(bytes: Uint8Array, offset: number, available: number): boolean {
    const length = int16(bytes, offset + 12);
    if (length <= 0) return false;
    if (this.clientId === null) return hasTextClientId(bytes, offset, available);
    if (length !== this.clientId.length || available < FIXED_HEAD_BYTES + length) return false;
    return this.clientId.every((byte, i) => byte === bytes[offset + FIXED_HEAD_BYTES + i]);
  }
}

/** Finds responses: the id of a pending request, and a body that answers it; without a schema, an end where the next frame begins. */
export class ResponseFinder extends FrameFinder {
  readonly #pending: PendingRequests;
  readonly #oracle: FrameOracle;

  constructor(pending: PendingRequests, oracle: FrameOracle, maxBytes: number) {
    super(maxBytes);
    this.#pending = pending;
    this.#oracle = oracle;
  }

  protected verdict(buffer: SeekBuffer, offset: number, atSegment: boolean, isFinal: boolean): Verdict {
    const { bytes } = buffer;
    const available = buffer.end - offset;
    if (available < RESPONSE_HEAD_BYTES) return isFinal ? Verdict.no : Verdict.later;
    const size = int32(bytes, offset);
    if (size < 4 || size > this.maxBytes) return Verdict.no;
    const candidates = this.#pending.withId(int32(bytes, offset + 4));
    if (candidates.length === 0) return Verdict.no;
    const end = offset + 4 + size;
    if (end > buffer.end) {
      if (!isFinal && size <= BELIEVED_BYTES) return Verdict.later;
      return atSegment ? Verdict.yes : Verdict.no;
    }
    const fits = candidates.map((request) => this.#oracle.answers(bytes, offset, end, request));
    if (fits.includes(Fit.yes)) return Verdict.yes;
    if (!fits.includes(Fit.unknown)) return Verdict.no;
    return this.#follows(buffer, end, atSegment, isFinal);
  }

  /** Whether what stands behind a response without a schema speaks for it. */
  #follows(buffer: SeekBuffer, end: number, atSegment: boolean, isFinal: boolean): Verdict {
    if (buffer.isMark(end)) return Verdict.yes;
    if (buffer.end - end >= RESPONSE_HEAD_BYTES) return this.#isPlausible(buffer.bytes, end) ? Verdict.yes : Verdict.no;
    if (isFinal) return atSegment ? Verdict.yes : Verdict.no;
    return Verdict.later;
  }

  #isPlausible(bytes: Uint8Array, offset: number): boolean {
    const size = int32(bytes, offset);
    return size >= 4 && size <= this.maxBytes && this.#pending.hasId(int32(bytes, offset + 4));
  }
}
