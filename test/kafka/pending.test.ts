import test from 'ava';
import fc from 'fast-check';
import { createQueuePlace, type PendingRequest, PendingRequests } from '../../src/kafka/pending.ts';

function requestOf(correlationId: number, isToken: boolean, ordinal: number): PendingRequest {
  return {
    apiKey: 32,
    apiVersion: 4,
    correlationId,
    clientId: null,
    isToken,
    bytes: 30,
    first: { capture: 0, number: ordinal + 1, seconds: 0, nanos: 0, fine: false },
    last: null,
    frame: null,
    response: null,
    gapsBefore: 0,
    ordinal,
    isUnanswered: false,
    queue: createQueuePlace(),
  };
}

test('few or many, in whatever order they are answered, it is as if they stood in a list', (t) => {
  const step = fc.record({
    adds: fc.nat(4),
    id: fc.nat(5),
    isToken: fc.nat(9).map((n) => n === 0),
    answers: fc.nat(2),
    which: fc.nat(60),
    drains: fc.nat(50),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const pending = new PendingRequests(30, 1e6);
      let list: PendingRequest[] = [];
      let ordinal = 0;
      for (const { adds, id, isToken, answers, which, drains } of steps) {
        for (let i = 0; i < adds; i++) {
          const request = requestOf((id + i) % 5, isToken, ordinal++);
          pending.add(request);
          list.push(request);
        }
        if (list.length > 30) t.is(pending.takeExcess(), list.shift() ?? null);
        else t.is(pending.takeExcess(), null);
        for (let i = 0; i < answers && list.length > 0; i++) {
          const [request] = list.splice(which % list.length, 1);
          if (request !== undefined) pending.answered(request);
        }
        if (drains === 0) {
          t.deepEqual(pending.drain(), list);
          list = [];
        }
        t.is(pending.size, list.length);
        t.is(pending.next, list[0] ?? null);
        t.is(pending.token, list.find((request) => request.isToken) ?? null);
        const withId = list.filter((request) => request.correlationId === id && !request.isToken);
        t.deepEqual(
          pending.withId(id).map((request) => request.ordinal),
          withId.map((request) => request.ordinal),
        );
        t.is(pending.hasId(id), withId.length > 0);
      }
    }),
    { numRuns: 300 },
  );
});
