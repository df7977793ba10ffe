import type { Direction } from '../tcp/stream-sink.ts';
import { int16, int32 } from '../wire/bytes.ts';
import { type FrameOracle, RequestFinder } from './frame-finder.ts';
import { FIXED_HEAD_BYTES, hasTextClientId, isLikelyHead } from './request-head.ts';
import type { SeekBuffer } from './seek-buffer.ts';

/** A request whose client id is text, or none; names a client; decodes exactly; has its answer's id at a segment start of the other side. */
const TEXT = 1;
const NAMED = 2;
const DECODES = 2;
const PAIRED = 3;
const ENOUGH = 2;

/**
 * Which direction holds the requests, by what parses as such and what pairs; null while nothing tells, or both do alike (an answer of
 * version 1 can look like a Produce 3 request without a client id). `isFinal`: nothing more comes, so that the better guess by evidence wins.
 */
export function clientByContent(a: SeekBuffer, b: SeekBuffer, oracle: FrameOracle, isFinal: boolean): Direction | null {
  const [asClient, bsClient] = [score(a, b, oracle), score(b, a, oracle)];
  const better = asClient > bsClient ? 0 : 1;
  if (Math.max(asClient, bsClient) >= ENOUGH) return asClient === bsClient ? null : better;
  if (!isFinal) return null;
  return clientBySearch(a, b, oracle) ?? (asClient === bsClient ? null : better);
}

/** Where no segment begins with what is surely a request: the one direction in which one that decodes is found anywhere. */
function clientBySearch(a: SeekBuffer, b: SeekBuffer, oracle: FrameOracle): Direction | null {
  const [inA, inB] = [a, b].map((buffer) => {
    const found = new RequestFinder(oracle, buffer.length).find(buffer, true);
    buffer.searchAgain();
    const end = found + 4 + (found < 0 ? 0 : int32(buffer.bytes, found));
    return found >= 0 && end <= buffer.end && oracle.isRequest(buffer.bytes, found, end) === true;
  });
  if (inA === inB) return null;
  return inA ? 0 : 1;
}

function score(requests: SeekBuffer, responses: SeekBuffer, oracle: FrameOracle): number {
  let best = 0;
  for (const { offset } of requests.marks) {
    const available = requests.end - offset;
    if (available < FIXED_HEAD_BYTES || offset < requests.start) continue;
    const { bytes } = requests;
    if (!isLikelyHead(bytes, offset, available, int32(bytes, offset))) continue;
    const named = int16(bytes, offset + 12) > 0 ? NAMED : TEXT;
    const text = hasTextClientId(bytes, offset, available) ? named : 0;
    const end = offset + 4 + int32(bytes, offset);
    const decodes = end <= requests.end && oracle.isRequest(bytes, offset, end) === true ? DECODES : 0;
    const paired = hasResponse(responses, int32(bytes, offset + 8)) ? PAIRED : 0;
    best = Math.max(best, text + decodes + paired);
  }
  return best;
}

/** A segment begins with that id as an answer's; one of a byte or two begins with anything. */
function hasResponse(responses: SeekBuffer, correlationId: number): boolean {
  const { bytes, marks } = responses;
  return marks.some(({ offset }, i) => {
    const length = (marks[i + 1]?.offset ?? responses.end) - offset;
    return offset >= responses.start && length >= 8 && int32(bytes, offset) >= 4 && int32(bytes, offset + 4) === correlationId;
  });
}
