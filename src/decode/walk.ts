import { Kind, type PlanNode } from '../schema/plan.ts';
import { type Decoded, ENTRY_WORDS, Word } from './decoded.ts';

/** What the walks return for an entry that isn't there: the version lacks it, or decoding stopped before it. */
export const NO_ENTRY = -1;

/** The node of the tape entry at `index`. */
export function nodeAt(decoded: Decoded, index: number): PlanNode {
  return decoded.plan.nodes[decoded.tape[index + Word.node] as number] as PlanNode;
}

/** The `aux` word of the entry at `index`. */
export function auxAt(decoded: Decoded, index: number): number {
  return decoded.tape[index + Word.aux] as number;
}

/** Index of the entry after the one at `index` and all its children. */
export function nextAt(decoded: Decoded, index: number): number {
  return decoded.tape[index + Word.next] as number;
}

/** Index of the header's entry, or {@link NO_ENTRY}. */
export function headerEntry(decoded: Decoded): number {
  return sectionEntry(decoded, decoded.plan.header);
}

/** Index of the body's entry, or {@link NO_ENTRY}. */
export function bodyEntry(decoded: Decoded): number {
  return sectionEntry(decoded, decoded.plan.body);
}

function sectionEntry(decoded: Decoded, section: PlanNode): number {
  const { tape, tapeLength } = decoded;
  for (let index = ENTRY_WORDS; index < tapeLength; index = tape[index + Word.next] as number) {
    if (tape[index + Word.node] === section.id) return index;
  }
  return NO_ENTRY;
}

/** Index of a struct's member by its JSON name, tagged ones too, or {@link NO_ENTRY}; `index` may be {@link NO_ENTRY} itself. */
export function memberEntry(decoded: Decoded, index: number, jsonName: string): number {
  if (index === NO_ENTRY) return NO_ENTRY;
  const until = nextAt(decoded, index);
  for (let child = index + ENTRY_WORDS; child < until; child = nextAt(decoded, child)) {
    const node = nodeAt(decoded, child);
    if (node.kind === Kind.tags) return taggedEntry(decoded, child, jsonName);
    if (node.jsonName === jsonName) return child;
  }
  return NO_ENTRY;
}

function taggedEntry(decoded: Decoded, tags: number, jsonName: string): number {
  const until = nextAt(decoded, tags);
  for (let tag = tags + ENTRY_WORDS; tag < until; tag = nextAt(decoded, tag)) {
    const field = tag + ENTRY_WORDS;
    if (field < nextAt(decoded, tag) && nodeAt(decoded, field).jsonName === jsonName) return field;
  }
  return NO_ENTRY;
}

/** Indexes of the children of the entry at `index`, in wire order; none for {@link NO_ENTRY}. */
export function* childEntries(decoded: Decoded, index: number): Generator<number> {
  if (index === NO_ENTRY) return;
  const until = nextAt(decoded, index);
  for (let child = index + ENTRY_WORDS; child < until; child = nextAt(decoded, child)) yield child;
}
