import { type Decoded, ENTRY_WORDS, Word } from '../decode/decoded.ts';
import { Kind, type PlanNode } from '../schema/plan.ts';
import type { Region } from './theme.ts';

/** Consecutive bytes of a frame that belong to one region: from the end of the run before to `end`. */
export interface RegionRun {
  readonly end: number;
  readonly region: Region;
}

/** What the regions are called on the page, and the letters that stand for them where there is no colour. */
export const regionNames: Readonly<Record<Region, { readonly name: string; readonly letter: string }>> = {
  frame: { name: 'frame', letter: 'F' },
  header: { name: 'rpc header', letter: 'H' },
  request: { name: 'request body', letter: 'Q' },
  recordBatch: { name: 'RecordBatch', letter: 'B' },
  record: { name: 'Record', letter: 'R' },
  response: { name: 'response body', letter: 'S' },
  tags: { name: 'tagged_fields', letter: 'T' },
  undecoded: { name: 'not decoded', letter: '?' },
};

/** The regions in the order of the message pages. */
export const regionOrder = Object.keys(regionNames) as readonly Region[];

/** Bytes of the size prefix. */
const SIZE_BYTES = 4;

/** The regions of a frame of `length` bytes that has no schema: its size prefix is all that is understood. */
export function undecodedRegions(length: number): Generator<RegionRun, void> {
  return joined([
    { end: Math.min(SIZE_BYTES, length), region: 'frame' },
    { end: length, region: 'undecoded' },
  ]);
}

/** The regions of a decoded frame in wire order, tiling its bytes; offsets count from the size prefix. Told one by one: there may be millions. */
export function decodedRegions(decoded: Decoded): Generator<RegionRun, void> {
  return joined(pieces(decoded));
}

function* pieces(decoded: Decoded): Generator<RegionRun, void> {
  const { plan, tape, tapeLength, length } = decoded;
  let region: Region = 'frame';
  let at = ENTRY_WORDS;
  while (at < tapeLength) {
    const node = plan.nodes[tape[at + Word.node] as number] as PlanNode;
    if (node === plan.header || node === plan.body) {
      yield { end: tape[at + Word.start] as number, region };
      region = node === plan.header ? 'header' : plan.side;
    }
    const inner = node.kind === Kind.tags ? 'tags' : node.kind === Kind.records ? 'recordBatch' : null;
    if (inner !== null) {
      yield { end: tape[at + Word.start] as number, region };
      yield { end: tape[at + Word.end] as number, region: inner };
      at = tape[at + Word.next] as number;
    } else {
      at += ENTRY_WORDS;
    }
  }
  yield { end: endOfDecoded(decoded), region };
  yield { end: length, region: 'undecoded' };
}

/** Offset behind the last byte that the tape accounts for. */
function endOfDecoded({ tape, tapeLength, length, trailingBytes }: Decoded): number {
  return tapeLength === 0 ? 0 : Math.min(tape[Word.end] as number, length - trailingBytes);
}

/** Pieces that have a byte, those of one region as one. */
function* joined(all: Iterable<RegionRun>): Generator<RegionRun, void> {
  let last: RegionRun | null = null;
  for (const piece of all) {
    if (piece.end <= (last?.end ?? 0)) continue;
    if (last !== null && last.region !== piece.region) yield last;
    last = piece;
  }
  if (last !== null) yield last;
}
