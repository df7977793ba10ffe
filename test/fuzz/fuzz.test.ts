import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { Random } from '../bench/random.ts';
import { buildCase } from './build-case.ts';
import { loadCorpus } from './corpus.ts';
import { Judge } from './judge.ts';

const CASES = 200;
const folder = join('test', 'fuzz', 'cases');
const found = existsSync(folder) ? readdirSync(folder).sort() : [];

test('captures changed at random: an answer that is safe to look at, and an untouched connection is read as ever', async (t) => {
  const corpus = await loadCorpus(['captures']);
  const judge = new Judge();
  const first = Date.now() % 2 ** 31;
  for (let seed = first; seed < first + CASES; seed++) {
    const random = new Random(seed);
    const fuzzCase = buildCase(random, corpus);
    t.is(await judge.problemOf(fuzzCase, random), null, `seed ${seed}`);
  }
});

for (const name of found) {
  test(`${name}, found once, is answered`, async (t) => {
    const file = readFileSync(join(folder, name));
    const judge = new Judge();
    t.is(await judge.problem(file, false, file.length), null);
    t.is(await judge.problem(file, false, file.length, true), null);
    t.false(await judge.dependsOnChunks(file, 7));
  });
}
