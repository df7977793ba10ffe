import test from 'ava';
import fc from 'fast-check';
import { Checksum, type Segment, TcpFlag } from '../../src/net/segment.ts';
import { internetSum } from '../../src/wire/checksum.ts';
import { dissectSegments } from '../helpers/dissect-packets.ts';
import { type SmallCapture, smallCaptures } from './captures.ts';

const captures = await smallCaptures();
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 400);

const anyCapture = fc.constantFrom(...captures);

test('any segmentation gives the same lines, byte for byte', (t) => {
  t.notThrows(() => {
    fc.assert(
      fc.property(anyCapture, fc.infiniteStream(fc.integer({ min: 1, max: 900 })), ({ name, segments }, sizes) => {
        const pieces = segments.flatMap((segment) => split(segment, sizes));
        sameLines(name, dissectSegments(pieces).lines, clean(name).lines);
      }),
      { numRuns: RUNS },
    );
  });
});

test('one byte a segment gives the same lines, byte for byte', (t) => {
  for (const { name, segments } of captures.filter(({ segments }) => segments.length < 60)) {
    const pieces = segments.flatMap((segment) => split(segment, ones()));
    t.notThrows(() => sameLines(name, dissectSegments(pieces).lines, clean(name).lines));
  }
});

test('copies of segments give the same lines, byte for byte', (t) => {
  t.notThrows(() => {
    fc.assert(
      fc.property(anyCapture, fc.infiniteStream(fc.nat({ max: 12 })), ({ name, segments }, distances) => {
        sameLines(name, dissectSegments(withCopies(segments, distances)).lines, clean(name).lines);
      }),
      { numRuns: RUNS },
    );
  });
});

test('reordering within bounds, segmentation and copies give the same exchanges', (t) => {
  t.notThrows(() => {
    fc.assert(
      fc.property(
        anyCapture,
        fc.infiniteStream(fc.integer({ min: 1, max: 3000 })),
        fc.infiniteStream(fc.nat({ max: 12 })),
        fc.infiniteStream(fc.nat({ max: 10 })),
        fc.boolean(),
        ({ name, segments }, sizes, distances, delays, copies) => {
          const pieces = segments.flatMap((segment) => split(segment, sizes));
          const found = dissectSegments(delayed(copies ? withCopies(pieces, distances) : pieces, delays));
          sameLines(name, withoutOrder(found.lines), withoutOrder(clean(name).lines));
        },
      ),
      { numRuns: RUNS },
    );
  });
});

const cleanLines = new Map<string, ReturnType<typeof dissectSegments>>();

function clean(name: string): ReturnType<typeof dissectSegments> {
  const { segments } = captures.find((capture) => capture.name === name) as SmallCapture;
  const known = cleanLines.get(name) ?? dissectSegments(segments);
  cleanLines.set(name, known);
  return known;
}

/** Throws with the first line that differs, shortened. */
function sameLines(name: string, found: readonly string[], wanted: readonly string[]): void {
  const at = wanted.findIndex((line, i) => line !== found[i]);
  if (at < 0 && found.length === wanted.length) return;
  const show = (line: string | undefined) => (line === undefined ? 'nothing' : line.slice(0, 700));
  throw new Error(`${name}: ${show(found[Math.max(at, 0)])}\nshould be ${show(wanted[Math.max(at, 0)])}`);
}

/** The lines without their numbers, in an order that doesn't depend on when each was printed. */
function withoutOrder(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/"number":\d+,/, '')).sort();
}

function* ones(): Generator<number> {
  for (;;) yield 1;
}

/** A segment as several, of the same packet: SYN stays with the first piece, FIN, RST and PSH with the last. */
function split(segment: Segment, sizes: Iterator<number>): Segment[] {
  const length = segment.end - segment.start;
  if (length < 2 || length !== segment.payloadLength) return [segment];
  const pieces: Segment[] = [];
  for (let from = 0; from < length; ) {
    const until = Math.min(length, from + (sizes.next().value as number));
    const first = from === 0 ? segment.flags : segment.flags & ~TcpFlag.syn;
    const flags = until === length ? first : first & ~(TcpFlag.fin | TcpFlag.rst | TcpFlag.psh);
    const seq = (segment.seq + from + (from > 0 && (segment.flags & TcpFlag.syn) !== 0 ? 1 : 0)) | 0;
    const [start, end] = [segment.start + from, segment.start + until];
    const payloadSum = () => internetSum(segment.bytes, start, end);
    pieces.push({ ...segment, start, end, payloadLength: until - from, seq, flags, checksum: () => Checksum.unknown, payloadSum });
    from = until;
  }
  return pieces;
}

/** Each segment again so many places later; 0 for no copy. */
function withCopies(segments: readonly Segment[], distances: Iterator<number>): Segment[] {
  return arrange(
    segments.flatMap((segment, i) => {
      const distance = distances.next().value as number;
      const copy = { segment, place: i + distance + 0.5 };
      return distance === 0 || isSyn(segment) ? [{ segment, place: i }] : [{ segment, place: i }, copy];
    }),
    segments,
  );
}

/** Each segment up to so many places later, but never over the beginning of a connection; resets stay, since they end it at once. */
function delayed(segments: readonly Segment[], delays: Iterator<number>): Segment[] {
  return arrange(
    segments.map((segment, i) => ({ segment, place: i + (isFixed(segment) ? 0 : (delays.next().value as number) + 0.5) })),
    segments,
  );
}

function arrange(placed: { segment: Segment; place: number }[], segments: readonly Segment[]): Segment[] {
  const syns = segments.flatMap((segment, i) => (isSyn(segment) ? [i] : []));
  const epoch = (place: number) => syns.filter((syn) => syn <= place).length;
  const bounded = placed.map(({ segment, place }) => {
    const own = segments.indexOf(segment);
    const next = syns.find((syn) => syn > own) ?? Number.POSITIVE_INFINITY;
    return { segment, place: Math.min(place, next - 0.25), epoch: epoch(own) };
  });
  return bounded.sort((a, b) => a.place - b.place).map(({ segment }) => segment);
}

function isFixed(segment: Segment): boolean {
  return isSyn(segment) || (segment.flags & (TcpFlag.rst | TcpFlag.ack)) === TcpFlag.rst;
}

function isSyn(segment: Segment): boolean {
  return (segment.flags & TcpFlag.syn) !== 0;
}
