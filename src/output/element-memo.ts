import { MAX_MEMO_BYTES } from '../limits.ts';
import type { PlanNode } from '../schema/plan.ts';
import type { ByteBuffer } from './byte-buffer.ts';

/** Smaller elements are written as fast as they are found, larger ones seldom come twice. */
const LEAST_BYTES = 48;
const MOST_BYTES = 4096;
const SLOTS = 1 << 13;
/** Times that an element must serve on average; where the memory is full before that, all of it is for nothing, and given up. */
const LEAST_HITS = 4;
/** Bytes of an element that its hash looks at. */
const SAMPLES = 16;

/** What an element's bytes became. */
interface Written {
  readonly node: PlanNode;
  readonly wire: Buffer;
  readonly json: Uint8Array;
}

/**
 * The JSON of elements of arrays, by their bytes: brokers answer for topic after topic, and client after client, with the same configs, values
 * and documentation. An element is kept when it is met a second time. Half of the time of `npm run bench -- --only dense`; the slow twin is
 * JsonBody's own way to write.
 */
export class ElementMemo {
  readonly #hashes = new Int32Array(SLOTS);
  #written: (Written | undefined)[] = [];
  #bytes = 0;
  /** Of those kept since all were forgotten: how many there are, and how often one served. */
  #kept = 0;
  #hits = 0;
  #isWorthIt = true;

  /** Appends the JSON of the element `bytes[start, end)`, if it is known. One that was met before is to be kept once it is written. */
  write(out: ByteBuffer, node: PlanNode, bytes: Uint8Array, start: number, end: number): Recall {
    const length = end - start;
    if (!this.#isWorthIt || length < LEAST_BYTES || length > MOST_BYTES) return Recall.unknown;
    const hash = hashOf(node, bytes, start, end);
    const slot = hash & (SLOTS - 1);
    const known = this.#written[slot];
    if (known !== undefined && known.node === node && known.wire.length === length && known.wire.compare(bytes, start, end) === 0) {
      this.#hits++;
      out.all(known.json);
      return Recall.written;
    }
    if (this.#hashes[slot] === hash) return Recall.metBefore;
    this.#hashes[slot] = hash;
    return Recall.unknown;
  }

  /** Keeps the JSON of an element, which stands at the end of `out` from `from` on. */
  keep(out: ByteBuffer, from: number, node: PlanNode, bytes: Uint8Array, start: number, end: number): void {
    const json = new Uint8Array(out.view().subarray(from));
    const slot = hashOf(node, bytes, start, end) & (SLOTS - 1);
    this.#bytes += json.length + end - start;
    if (this.#bytes > MAX_MEMO_BYTES) {
      this.#isWorthIt = this.#hits > LEAST_HITS * this.#kept;
      this.#written = [];
      this.#bytes = json.length + end - start;
      this.#hits = 0;
      this.#kept = 0;
    }
    this.#kept++;
    this.#written[slot] = { node, wire: Buffer.from(bytes.subarray(start, end)), json };
  }
}

/** What is known of an element. */
export const Recall = { unknown: 0, metBefore: 1, written: 2 } as const;
export type Recall = (typeof Recall)[keyof typeof Recall];

function hashOf(node: PlanNode, bytes: Uint8Array, start: number, end: number): number {
  const step = Math.max(1, Math.floor((end - start) / SAMPLES));
  let hash = Math.imul(node.id + 1, 0x9e3779b1) ^ (end - start);
  for (let i = start; i < end; i += step) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
