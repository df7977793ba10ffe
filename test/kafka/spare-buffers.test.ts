import test from 'ava';
import { SpareBuffers } from '../../src/kafka/spare-buffers.ts';

test('memory that was given is taken again where it fits, and is at most twice what is asked for', (t) => {
  const given = new Uint8Array(10_000);
  for (const [asked, isAgain] of [
    [4_999, false],
    [5_000, true],
    [10_000, true],
    [10_001, false],
  ] as const) {
    const spare = new SpareBuffers();
    spare.give(given);
    const taken = spare.take(asked);
    t.is(taken === given, isAgain, `${asked}`);
    t.true(taken.length >= asked);
    t.not(spare.take(asked), taken);
  }
});

test('small pieces and huge ones are left to the garbage collection', (t) => {
  for (const [length, isKept] of [
    [4_095, false],
    [4_096, true],
    [4 << 20, true],
    [(4 << 20) + 1, false],
  ] as const) {
    const spare = new SpareBuffers();
    const given = new Uint8Array(length);
    spare.give(given);
    t.is(spare.take(length) === given, isKept, `${length}`);
  }
});

test('beyond four mebibytes the ones given first are let go', (t) => {
  const spare = new SpareBuffers();
  const given = [1, 2, 3].map(() => new Uint8Array(2 << 20));
  for (const buffer of given) spare.give(buffer);
  const taken = [1, 2, 3].map(() => spare.take(2 << 20));
  t.deepEqual(
    given.map((buffer) => taken.includes(buffer)),
    [false, true, true],
  );
});
