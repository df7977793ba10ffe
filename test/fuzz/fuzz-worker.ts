import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../bench/random.ts';
import { buildCase } from './build-case.ts';
import { loadCorpus } from './corpus.ts';
import { Coverage } from './coverage.ts';
import { Judge } from './judge.ts';

/** What the fuzzer's threads are told. */
export interface FuzzSettings {
  readonly seed: number;
  readonly folders: readonly string[];
}

/** What a thread says: the case that it begins, and what came of it. */
export type FuzzMessage =
  | { readonly kind: 'begin'; readonly seed: number; readonly file: Uint8Array }
  | { readonly kind: 'end'; readonly problem: string | null; readonly blocks: number; readonly corpus: number };

/** More seeds than these would be memory, not news. */
const MAX_SEEDS = 2000;

const { seed: firstSeed, folders } = workerData as FuzzSettings;
const corpus = await loadCorpus(folders);
const coverage = new Coverage();
const judge = new Judge();
coverage.start();

for (let seed = firstSeed; ; seed++) {
  const random = new Random(seed);
  const fuzzCase = buildCase(random, corpus);
  say({ kind: 'begin', seed, file: fuzzCase.file });
  const problem = await judge.problemOf(fuzzCase, random);
  if (coverage.takeNew() > 0 && corpus.seeds.length < MAX_SEEDS && fuzzCase.seed.packets.length > 0) corpus.seeds.push(fuzzCase.seed);
  say({ kind: 'end', problem, blocks: coverage.size, corpus: corpus.seeds.length });
}

function say(message: FuzzMessage): void {
  parentPort?.postMessage(message);
}
