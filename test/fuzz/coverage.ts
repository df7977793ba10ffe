import { type Profiler, Session } from 'node:inspector';

/** Tells what code of this package ran for the first time, by V8's block coverage. */
export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  /** Begins to count. */
  start(): void {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** How many blocks ran since the last call that hadn't run before. */
  takeNew(): number {
    let added = 0;
    this.#session.post('Profiler.takePreciseCoverage', (error, taken?: Profiler.TakePreciseCoverageReturnType) => {
      if (error !== null) throw error;
      for (const script of taken?.result ?? []) if (script.url.includes('/dist/src/')) added += this.#note(script);
    });
    return added;
  }

  /** Blocks that ran so far. */
  get size(): number {
    return this.#seen.size;
  }

  #note({ scriptId, functions }: Profiler.ScriptCoverage): number {
    const before = this.#seen.size;
    for (const { ranges } of functions) {
      for (const { startOffset, endOffset, count } of ranges) {
        // How often matters too: a loop run a thousand times is news.
        if (count > 0) this.#seen.add(`${scriptId}:${startOffset}:${endOffset}:${Math.min(4, Math.floor(Math.log10(count)))}`);
      }
    }
    return this.#seen.size - before;
  }
}
