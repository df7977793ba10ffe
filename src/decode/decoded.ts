import type { MessagePlan } from '../schema/plan.ts';

/**
 * The tape: what a frame holds, in wire order, parents before their children. Each entry is {@link ENTRY_WORDS} int32 words:
 *
 * | word | meaning |
 * | --- | --- |
 * | `node` | id of the {@link PlanNode} in the plan's `nodes` |
 * | `start`, `end` | the field's bytes, half-open, counted from the frame's size prefix |
 * | `aux` | integers up to 32 bits: the value; uint32 as signed; bool: the raw byte; string, bytes, records: offset of the first content byte, -1 for null; array: number of elements, -1 for null; tags: number of fields; tag: the tag; struct: -1 for null, else 0; else 0 |
 * | `next` | index (in words) of the entry after this one and all its children |
 *
 * An array's length prefix and a string's are part of its span: `[start, contents)`. Where decoding stopped early the tape holds what
 * was decoded whole, and the structs and arrays that were open end where it stopped, with `next` at the tape's length.
 */
export type Tape = Int32Array;
export const ENTRY_WORDS = 5;
export const Word = { node: 0, start: 1, end: 2, aux: 3, next: 4 } as const;

/** Why and where decoding stopped. */
export interface DecodeError {
  /**
   * `truncated`: the frame's bytes end (a gap, a snapshot length, the capture's end); `malformed`: they contradict the schema; `too-large`:
   * one of our own limits (`MAX_TAPE_ENTRIES`, `MAX_UNKNOWN_TAGS`).
   */
  readonly code: 'truncated' | 'malformed' | 'too-large';
  readonly message: string;
  /** Counted from the frame's size prefix. */
  readonly offset: number;
  /** `results[0].configs[12].name` */
  readonly path: string;
}

/** A tagged field that the schema doesn't know. */
export interface UnknownTag {
  /** Path of the struct that holds it: `` (the body), `results[0]`, `header`. */
  readonly path: string;
  readonly tag: number;
  /** Content, counted from the frame's size prefix. */
  readonly start: number;
  readonly end: number;
}

/** A decoded frame. `bytes` is the frame's own copy or borrowed, as its maker says. */
export interface Decoded {
  readonly plan: MessagePlan;
  readonly bytes: Uint8Array;
  /** Index of the size prefix in `bytes`. */
  readonly origin: number;
  /** Offset behind the last byte there is, counted from the size prefix. */
  readonly length: number;
  readonly tape: Tape;
  /** Words of the tape in use. */
  readonly tapeLength: number;
  readonly error: DecodeError | null;
  readonly unknownTags: readonly UnknownTag[];
  /** Bytes between the body's end and the frame's, 0 for a malformed frame. */
  readonly trailingBytes: number;
  /** What `secretEntries` found of configs that call themselves sensitive; null until it looked. */
  sensitive: { readonly entries: ReadonlySet<number> | null } | null;
}
