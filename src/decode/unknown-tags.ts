import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import { ENTRY_WORDS, type Tape, type UnknownTag, Word } from './decoded.ts';

/** Offset behind the varint at `bytes[at]`, which is known to be sound. */
function behindVarint(bytes: Uint8Array, at: number): number {
  let next = at;
  while ((bytes[next] as number) > 0x7f) next++;
  return next + 1;
}

/** Where the content of a tagged field begins, counted like `start`: from the frame's size prefix, which is at `bytes[origin]`. */
export function tagContent(bytes: Uint8Array, origin: number, start: number): number {
  return behindVarint(bytes, behindVarint(bytes, origin + start)) - origin;
}

/**
 * Finds the tagged fields without a schema on a tape, in wire order, with the path of the struct that each stands in. Made after decoding,
 * since few frames have any and the paths cost more than the decoding.
 */
export function collectUnknownTags(
  plan: MessagePlan,
  bytes: Uint8Array,
  origin: number,
  tape: Tape,
  tapeLength: number,
): readonly UnknownTag[] {
  const found: UnknownTag[] = [];

  const visit = (index: number, path: string): void => {
    const node = plan.nodes[tape[index + Word.node] as number] as PlanNode;
    const until = Math.min(tape[index + Word.next] as number, tapeLength);
    let ordinal = 0;
    for (let child = index + ENTRY_WORDS; child < until; child = tape[child + Word.next] as number) {
      const childNode = plan.nodes[tape[child + Word.node] as number] as PlanNode;
      if (childNode.kind === Kind.tag) visitTag(child, node, path);
      else if (childNode.kind === Kind.tags) visit(child, path);
      else visit(child, node.kind === Kind.array ? `${path}[${ordinal++}]` : join(path, childNode.jsonName));
    }
  };

  const visitTag = (index: number, tags: PlanNode, path: string): void => {
    const tag = tape[index + Word.aux] as number;
    const known = tags.known.get(tag);
    if (known !== undefined) {
      if ((tape[index + Word.next] as number) > index + ENTRY_WORDS) visit(index + ENTRY_WORDS, join(path, known.jsonName));
      return;
    }
    const start = tagContent(bytes, origin, tape[index + Word.start] as number);
    found.push({ path, tag, start, end: tape[index + Word.end] as number });
  };

  for (let index = ENTRY_WORDS; index < tapeLength; index = tape[index + Word.next] as number) {
    visit(index, tape[index + Word.node] === plan.header.id ? 'header' : '');
  }
  return found;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
