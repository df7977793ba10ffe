/**
 * A test runner for Stryker that loads the compiled tests once and runs those that reach a mutant in its own process: milliseconds a
 * mutant, where a process of its own takes seconds. The assertions are ava's own; what else ava does (hooks, plans, snapshots) these tests
 * don't use.
 */
import { readdirSync } from 'node:fs';
import { register } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { Assertions } from '../../node_modules/ava/lib/assert.js';
import { takeDeclared } from './tests.js';

/** Folders of `dist/test` whose tests say what the mutated code should do. */
const TEST_FOLDERS = ['wire', 'decode', 'tcp', 'kafka', 'redact', 'encode'];

/** Tests whose id holds one of these take too long to run them for every mutant. A mutant that only they would find counts as not found. */
const LEFT_OUT = [
  'decode/tape-limit.test.js',
  'decode/strictness.test.js: 6553',
  'kafka/frame-size.test.js',
  'kafka/search-limits.test.js: 16777',
  'little time',
  'cost little',
  'answered ones little',
  '16 MiB',
  'requests under way',
];

class InProcessRunner {
  /** What the instrumented code reads (the active mutant) and writes (which mutants are reached). */
  #namespace;
  #tests = null;

  constructor() {
    globalThis.__stryker__ ??= {};
    this.#namespace = globalThis.__stryker__;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async dryRun() {
    const tests = await this.#load();
    const results = [];
    for (const test of tests.values()) {
      this.#namespace.currentTestId = test.id;
      const before = performance.now();
      const failure = await failureOf(test);
      const timeSpentMs = performance.now() - before;
      const status = failure === null ? 0 : 1;
      results.push({ id: test.id, name: test.id, timeSpentMs, status, failureMessage: failure ?? '' });
    }
    this.#namespace.currentTestId = undefined;
    return { status: 'complete', tests: results, mutantCoverage: this.#namespace.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }) {
    if (mutantActivation === 'static') this.#namespace.activeMutant = activeMutant.id;
    const tests = await this.#load();
    this.#namespace.hitLimit = hitLimit;
    this.#namespace.hitCount = hitLimit === undefined ? undefined : 0;
    this.#namespace.activeMutant = activeMutant.id;
    const reaching = testFilter === undefined ? null : new Set(testFilter);
    let nrOfTests = 0;
    for (const test of tests.values()) {
      if (reaching !== null && !reaching.has(test.id)) continue;
      const failure = await failureOf(test);
      nrOfTests++;
      if (this.#namespace.hitCount > hitLimit) return { status: 'timeout', reason: 'one place was passed far too often' };
      if (failure !== null) return { status: 'killed', killedBy: [test.id], failureMessage: failure, nrOfTests };
    }
    return { status: 'survived', nrOfTests };
  }

  /** The tests by id, loaded from the compiled files below the working directory. */
  async #load() {
    if (this.#tests !== null) return this.#tests;
    register('./hooks.js', import.meta.url);
    fc.configureGlobal({ seed: 1, endOnFailure: true });
    this.#tests = new Map();
    for (const folder of TEST_FOLDERS) {
      const paths = readdirSync(join('dist/test', folder))
        .filter((name) => name.endsWith('.test.js'))
        .map((name) => `${folder}/${name}`);
      for (const path of paths) {
        await import(pathToFileURL(resolve('dist/test', path)).href);
        for (const { title, run } of takeDeclared()) {
          const id = `${path}: ${title}`;
          if (!LEFT_OUT.some((text) => id.includes(text))) this.#tests.set(id, { id, run });
        }
      }
    }
    return this.#tests;
  }
}

/** Runs a test; what it failed for, or null. */
async function failureOf({ run }) {
  let failure = null;
  const pending = [];
  const fail = (error) => {
    failure ??= error;
    return error;
  };
  const t = new Assertions({ pass: () => true, pending: (promise) => pending.push(promise), fail, failPending: fail });
  try {
    await run(t);
    await Promise.all(pending);
  } catch (error) {
    failure ??= error;
  }
  return failure === null ? null : String(failure.stack ?? failure);
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: () => new InProcessRunner() }];
