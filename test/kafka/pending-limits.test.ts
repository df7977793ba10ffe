import test from 'ava';
import { createQueuePlace, type PendingRequest, PendingRequests } from '../../src/kafka/pending.ts';

const first = { capture: 0, number: 1, seconds: 0, nanos: 0, fine: false };
/** What a request counts as beside its client id and frame. */
const REQUEST = 512;
const NO_LIMIT = 1e9;

function requestOf(correlationId: number, clientId: Uint8Array | null = null): PendingRequest {
  return {
    apiKey: 32,
    apiVersion: 1,
    correlationId,
    clientId,
    isToken: false,
    bytes: 30,
    first,
    last: null,
    frame: null,
    response: null,
    gapsBefore: 0,
    ordinal: correlationId,
    isUnanswered: false,
    queue: createQueuePlace(),
  };
}

/** Ids of those taken out for others when these came one after the other. */
function takenOut(pending: PendingRequests, requests: readonly PendingRequest[]): number[] {
  const ids: number[] = [];
  for (const request of requests) {
    pending.add(request);
    for (let excess = pending.takeExcess(); excess !== null; excess = pending.takeExcess()) ids.push(excess.correlationId);
  }
  return ids;
}

for (const { limit, ids } of [
  { limit: 4, ids: [] },
  { limit: 3, ids: [] },
  { limit: 2, ids: [1] },
  { limit: 1, ids: [1, 2] },
]) {
  test(`of three requests ${ids.length} are given up where ${limit} may wait`, (t) => {
    t.deepEqual(
      takenOut(
        new PendingRequests(limit, NO_LIMIT),
        [1, 2, 3].map((id) => requestOf(id)),
      ),
      ids,
    );
  });
}

for (const { limit, ids } of [
  { limit: 3 * REQUEST + 1, ids: [] },
  { limit: 3 * REQUEST, ids: [] },
  { limit: 3 * REQUEST - 1, ids: [1] },
  { limit: 0, ids: [1, 2] },
]) {
  test(`of three requests ${ids.length} are given up where they may take ${limit} bytes, the newest never`, (t) => {
    t.deepEqual(
      takenOut(
        new PendingRequests(NO_LIMIT, limit),
        [1, 2, 3].map((id) => requestOf(id)),
      ),
      ids,
    );
  });
}

test('a client id counts once as long as it stays the same; a frame counts; what is gone counts no more', (t) => {
  const pending = new PendingRequests(NO_LIMIT, NO_LIMIT);
  const [one, other] = [new Uint8Array(100), new Uint8Array(1000)];
  const requests = [requestOf(1, one), requestOf(2, one), requestOf(3, other), requestOf(4)];
  for (const request of requests) pending.add(request);
  t.is(pending.keptBytes, 4 * REQUEST + 100 + 1000);
  pending.keep(requests[0] as PendingRequest, 7);
  t.is(pending.keptBytes, 4 * REQUEST + 1100 + 7);
  for (const request of requests) pending.answered(request);
  t.is(pending.keptBytes, 0);
  pending.keep(requests[0] as PendingRequest, 7);
  t.is(pending.keptBytes, 0);
});

test('drained, nothing is kept', (t) => {
  const pending = new PendingRequests(NO_LIMIT, NO_LIMIT);
  pending.add(requestOf(1));
  t.is(pending.drain().length, 1);
  t.is(pending.keptBytes, 0);
});
