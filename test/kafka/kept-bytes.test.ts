import test from 'ava';
import { type Keeper, KeptBytes } from '../../src/kafka/kept-bytes.ts';

class Box implements Keeper {
  keptBytes = 0;
  givenUp = 0;

  giveUp(): void {
    this.givenUp++;
    this.keptBytes = 0;
  }
}

/** Gives each new box in turn so many bytes; returns which had to give up theirs. */
function fill(limit: number, sizes: readonly number[]): number[] {
  const kept = new KeptBytes(limit);
  const boxes = sizes.map((size) => {
    const box = new Box();
    box.keptBytes = size;
    kept.update(box);
    return box;
  });
  return boxes.map(({ givenUp }) => givenUp);
}

for (const { limit, sizes, givenUp } of [
  { limit: 31, sizes: [10, 10, 10], givenUp: [0, 0, 0] },
  { limit: 30, sizes: [10, 10, 10], givenUp: [0, 0, 0] },
  { limit: 29, sizes: [10, 10, 10], givenUp: [1, 0, 0] },
  { limit: 30, sizes: [10, 10, 30], givenUp: [1, 1, 0] },
]) {
  test(`room for ${limit} bytes: of ${sizes.join(', ')} those silent for longest give theirs up: ${givenUp.join(', ')}`, (t) => {
    t.deepEqual(fill(limit, sizes), givenUp);
  });
}

test('one that takes more than the limit alone is left its bytes: a frame of any allowed size can be read', (t) => {
  t.deepEqual(fill(10, [100]), [0]);
  t.deepEqual(fill(10, [5, 100]), [1, 0]);
});

test('whoever moved last is the last to go', (t) => {
  const kept = new KeptBytes(20);
  const [one, two, three] = [new Box(), new Box(), new Box()];
  for (const box of [one, two, one, three]) {
    box.keptBytes = 10;
    kept.update(box);
  }
  t.deepEqual([one.givenUp, two.givenUp, three.givenUp], [0, 1, 0]);
});

test('what was freed counts no more', (t) => {
  const kept = new KeptBytes(10);
  const [one, two] = [new Box(), new Box()];
  one.keptBytes = 10;
  kept.update(one);
  one.keptBytes = 0;
  kept.update(one);
  two.keptBytes = 10;
  kept.update(two);
  t.deepEqual([one.givenUp, two.givenUp], [0, 0]);
});
