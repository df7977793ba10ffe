import type { Direction } from '../tcp/stream-sink.ts';
import { int16, int32 } from '../wire/bytes.ts';
import { FIXED_HEAD_BYTES, isPlausibleHead } from './request-head.ts';
import type { SeekBuffer } from './seek-buffer.ts';

/** Segment starts looked at in each direction. */
const STARTS_LOOKED_AT = 64;
/** A request with a named client; or with its answer's id at a segment start of the other side. */
const NAMED = 2;
const PAIRED = 3;
const ENOUGH = 2;

/**
 * Which direction holds the requests, by what parses as such and what pairs; null while nothing tells, or both do alike (an answer of
 * version 1 can look like a Produce 3 request without a client id). `isFinal`: nothing more comes, so that the better guess by evidence wins.
 */
export function clientByContent(a: SeekBuffer, b: SeekBuffer, isFinal: boolean): Direction | null {
  const [asClient, bsClient] = [score(a, b), score(b, a)];
  if (asClient === bsClient) return null;
  const best = Math.max(asClient, bsClient);
  if (best < (isFinal ? 1 : ENOUGH)) return null;
  return asClient > bsClient ? 0 : 1;
}

function score(requests: SeekBuffer, responses: SeekBuffer): number {
  let best = 0;
  for (const { offset } of requests.marks.slice(0, STARTS_LOOKED_AT)) {
    const available = requests.end - offset;
    if (available < FIXED_HEAD_BYTES) continue;
    const { bytes } = requests;
    if (!isPlausibleHead(bytes, offset, available, int32(bytes, offset))) continue;
    const named = int16(bytes, offset + 12) > 0 ? NAMED : 1;
    const paired = hasResponse(responses, int32(bytes, offset + 8)) ? PAIRED : 0;
    best = Math.max(best, named + paired);
  }
  return best;
}

function hasResponse(responses: SeekBuffer, correlationId: number): boolean {
  return responses.marks
    .slice(0, STARTS_LOOKED_AT)
    .some(
      ({ offset }) =>
        responses.end - offset >= 8 && int32(responses.bytes, offset) >= 4 && int32(responses.bytes, offset + 4) === correlationId,
    );
}
