import { apiFacts } from '../schema/api-keys.ts';
import { hasClientId, requestHeaderVersion } from '../schema/headers.ts';
import { int16, int32 } from '../wire/bytes.ts';

/** Bytes from the size prefix to the length of the client id. */
export const FIXED_HEAD_BYTES = 14;
/** Size prefix, API key, version and correlation id: all of a header of version 0, and enough to pair by. */
export const PAIRING_HEAD_BYTES = 12;
const PRODUCE = 0;
const TRANSACTIONAL_ID_SINCE = 3;

/** Where the parts of a request stand, in bytes from its size prefix. */
export interface RequestHead {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  /** -1 for a null client id, and where the header has none. */
  readonly clientIdLength: number;
}

/** Reads the head of a request whose size prefix is at `start`; the caller has seen to it that {@link requestHeadBytes} are there. */
export function readRequestHead(bytes: Uint8Array, start: number, end: number): RequestHead {
  const apiKey = int16(bytes, start + 4);
  const apiVersion = int16(bytes, start + 6);
  const isNamed = end - start >= FIXED_HEAD_BYTES && hasClientId(apiKey, apiVersion);
  return { apiKey, apiVersion, correlationId: int32(bytes, start + 8), clientIdLength: isNamed ? int16(bytes, start + 12) : -1 };
}

/**
 * How many bytes of a request, from its size prefix at `start` on, tell all that pairing needs: API, version, correlation id, client
 * id, and for Produce the acks that say whether an answer comes. Grows as more of the head is there; never more than the frame.
 */
export function requestHeadBytes(bytes: Uint8Array, start: number, available: number, size: number): number {
  const frame = 4 + size;
  if (frame <= FIXED_HEAD_BYTES || available < FIXED_HEAD_BYTES) return Math.min(frame, FIXED_HEAD_BYTES);
  const clientId = int16(bytes, start + 12);
  const behindClientId = FIXED_HEAD_BYTES + Math.max(0, clientId);
  if (int16(bytes, start + 4) !== PRODUCE || available < behindClientId) return Math.min(frame, behindClientId);
  const acks = acksAt(bytes, start, available, behindClientId);
  return Math.min(frame, acks < 0 ? behindClientId : acks + 2);
}

/**
 * Offset of Produce's acks, or of the first byte that must be there to say where they are; -1 where a header has tagged fields or the
 * transactional id is longer than 126 bytes, both legal and never seen: the acks of such a request count as not known.
 */
function acksAt(bytes: Uint8Array, start: number, available: number, behindClientId: number): number {
  const version = int16(bytes, start + 6);
  if (version < TRANSACTIONAL_ID_SINCE) return behindClientId;
  const isFlexible = requestHeaderVersion(PRODUCE, version) === 2;
  const idAt = behindClientId + (isFlexible ? 1 : 0);
  if (available < idAt + 2) return idAt;
  if (!isFlexible) return idAt + 2 + Math.max(0, int16(bytes, start + idAt));
  const [tags, idLength] = [bytes[start + behindClientId] as number, bytes[start + idAt] as number];
  return tags === 0 && idLength < 0x80 ? idAt + 1 + Math.max(0, idLength - 1) : -1;
}

/** Whether a request is a Produce that asks for no answer (acks 0); false where its head doesn't tell. */
export function isUnanswered(bytes: Uint8Array, start: number, available: number): boolean {
  if (available < FIXED_HEAD_BYTES || int16(bytes, start + 4) !== PRODUCE) return false;
  const acks = acksAt(bytes, start, available, FIXED_HEAD_BYTES + Math.max(0, int16(bytes, start + 12)));
  return acks >= 0 && acks + 2 <= available && int16(bytes, start + acks) === 0;
}

/**
 * Whether the first bytes of a connection could be a request: a known API, of any version, and a client id that fits the frame. What a
 * client id holds is its client's affair.
 */
export function isPossibleHead(bytes: Uint8Array, start: number, available: number, size: number): boolean {
  if (size < PAIRING_HEAD_BYTES - 4 || available < Math.min(FIXED_HEAD_BYTES, 4 + size)) return false;
  const facts = apiFacts(int16(bytes, start + 4));
  const version = int16(bytes, start + 6);
  if (facts === null || version < 0) return false;
  if (size < FIXED_HEAD_BYTES - 4) return requestHeaderVersion(facts.key, version) === 0;
  const length = int16(bytes, start + 12);
  return length >= -1 && FIXED_HEAD_BYTES + length <= 4 + size;
}

/** The same in the middle of a stream, where less speaks for a request: its version is known, or of a near future. */
export function isLikelyHead(bytes: Uint8Array, start: number, available: number, size: number): boolean {
  if (!isPossibleHead(bytes, start, available, size)) return false;
  const lastVersion = apiFacts(int16(bytes, start + 4))?.lastVersion ?? 0;
  return int16(bytes, start + 6) <= lastVersion + FUTURE_VERSIONS;
}

/** The same where nothing else speaks for a request: its client id is text, as far as it is there. */
export function isPlausibleHead(bytes: Uint8Array, start: number, available: number, size: number): boolean {
  return isLikelyHead(bytes, start, available, size) && hasTextClientId(bytes, start, available);
}

/** Whether a client id is text; null and empty ones count as such. */
export function hasTextClientId(bytes: Uint8Array, start: number, available: number): boolean {
  if (available < FIXED_HEAD_BYTES) return true;
  const clientId = start + FIXED_HEAD_BYTES;
  return isText(bytes, clientId, Math.min(clientId + int16(bytes, start + 12), start + available));
}

/** Versions beyond the last known that a client may have tried. */
const FUTURE_VERSIONS = 8;

/** No control characters but tab and line breaks, which client ids were seen with. */
function isText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f) return false;
  }
  return true;
}
