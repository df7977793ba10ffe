import test from 'ava';
import { Room, textBytes } from '../../src/analysis/room.ts';
import { MAX_ANSWER_BYTES } from '../../src/limits.ts';

test('as much may be kept for an answer as the limit says, and no more', (t) => {
  for (const [bytes, isLeft] of [
    [MAX_ANSWER_BYTES - 1, true],
    [MAX_ANSWER_BYTES, true],
    [MAX_ANSWER_BYTES + 1, false],
  ] as const) {
    t.is(new Room().has(bytes), isLeft);
    t.is(new Room().take(bytes), isLeft);
  }
});

test('what is taken is not left, unless it is given back', (t) => {
  const room = new Room(10);
  t.true(room.take(7));
  t.false(room.take(4));
  t.true(room.take(3));
  t.false(room.has(1));
  room.give(7);
  t.true(room.take(7));
});

test('a text counts with two bytes a character, and null with none', (t) => {
  t.is(textBytes('abc', null, '€'), 8);
});
