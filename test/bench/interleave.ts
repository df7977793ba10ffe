import type { PacketFile } from './packet-file.ts';
import type { Steps } from './tcp-pair.ts';

interface Waiting {
  readonly at: number;
  readonly steps: Steps;
}

/** Runs all at once: always the steps whose time is next, as their packets would be on one wire. */
export function interleave(file: PacketFile, all: Iterable<Steps>): void {
  const queue = new TimeQueue();
  for (const steps of all) queue.add({ at: file.now, steps });
  for (let next = queue.take(); next !== null; next = queue.take()) {
    file.now = next.at;
    const { done, value } = next.steps.next();
    if (done !== true) queue.add({ at: file.now + value, steps: next.steps });
  }
}

/** A binary heap with the earliest on top. */
class TimeQueue {
  readonly #heap: Waiting[] = [];

  add(waiting: Waiting): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(waiting);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((heap[parent] as Waiting).at <= waiting.at) break;
      heap[at] = heap[parent] as Waiting;
      at = parent;
    }
    heap[at] = waiting;
  }

  take(): Waiting | null {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(waiting: Waiting): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as Waiting).at < (heap[child] as Waiting).at) child++;
      if ((heap[child] as Waiting).at >= waiting.at) break;
      heap[at] = heap[child] as Waiting;
      at = child;
    }
    heap[at] = waiting;
  }
}
