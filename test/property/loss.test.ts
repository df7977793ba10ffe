import test from 'ava';
import fc from 'fast-check';
import { Checksum, type Segment, TcpFlag } from '../../src/net/segment.ts';
import type { ExchangeRecord } from '../../src/records/records.ts';
import { internetSum } from '../../src/wire/checksum.ts';
import { type Dissected, dissectSegments } from '../helpers/dissect-packets.ts';
import { smallCaptures } from './captures.ts';
import { StreamBytes } from './stream-bytes.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 1500);
/** Segments that several connections share the endpoints of can't be told apart by them. */
const captures = (await smallCaptures()).filter(({ name }) => !name.includes('reuse') && !name.includes('any'));

interface Truth {
  readonly segments: readonly Segment[];
  readonly whole: Dissected;
  readonly streams: readonly StreamBytes[];
}

const truths = new Map<string, Truth>(
  captures.map(({ name, segments: all }) => {
    const segments = withoutRetransmissions(all);
    return [name, { segments, whole: dissectSegments(segments), streams: StreamBytes.of(segments) }];
  }),
);

/** What becomes of a segment: kept, lost, cut to so many bytes, copied or late by so many places. */
type Fate = readonly ['kept' | 'lost' | 'cut' | 'copied' | 'late', number];

const fates = (lost: number, cut: number, moved: number) =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 100 - lost - cut - 2 * moved, arbitrary: fc.constant<Fate>(['kept', 0]) },
    { weight: lost, arbitrary: fc.constant<Fate>(['lost', 0]) },
    { weight: cut, arbitrary: fc.tuple(fc.constant('cut' as const), fc.nat({ max: 80 })) },
    { weight: moved, arbitrary: fc.tuple(fc.constant('copied' as const), fc.integer({ min: 1, max: 10 })) },
    { weight: moved, arbitrary: fc.tuple(fc.constant('late' as const), fc.integer({ min: 1, max: 10 })) },
  );

const losses = fc.constantFrom([8, 0, 0], [8, 0, 10], [30, 0, 0], [60, 0, 0], [0, 20, 5], [10, 10, 10]);
const anyFates = losses.chain(([lost = 0, cut = 0, moved = 0]) => fc.array(fates(lost, cut, moved), { minLength: 130, maxLength: 130 }));

test('of a lossy capture nothing is complete that the whole one does not have, every whole request is told, and every lost byte', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.constantFrom(...truths.keys()), anyFates, (name, fate) => {
        const lossy = apply(truthOf(name).segments, fate);
        const found = dissectSegments(lossy);
        nothingWrong(name, found);
        everyRequest(name, lossy, found);
        everyByte(name, lossy, found);
      }),
      { numRuns: RUNS },
    ),
  );
});

/** So that each byte is in one packet. */
function withoutRetransmissions(segments: readonly Segment[]): Segment[] {
  const seen = new Set<string>();
  return segments.filter(({ sourcePort, destinationPort, seq, payloadLength }) => {
    const key = `${sourcePort} ${destinationPort} ${seq} ${payloadLength}`;
    const isNew = payloadLength === 0 || !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function apply(segments: readonly Segment[], fate: readonly Fate[]): Segment[] {
  const placed = segments.flatMap((segment, i) => {
    const [kind, by] = fate[i % fate.length] as Fate;
    const isFixed = (segment.flags & (TcpFlag.rst | TcpFlag.syn)) !== 0;
    switch (kind) {
      case 'lost':
        return [];
      case 'cut':
        return [{ segment: cut(segment, by), place: i }];
      case 'copied':
        return [
          { segment, place: i },
          { segment, place: i + by + 0.5 },
        ];
      default:
        return [{ segment, place: i + (kind === 'late' && !isFixed ? by + 0.5 : 0) }];
    }
  });
  return placed.sort((a, b) => a.place - b.place).map(({ segment }) => segment);
}

function cut(segment: Segment, bytes: number): Segment {
  const end = Math.min(segment.end, segment.start + bytes);
  if (end === segment.end) return segment;
  return { ...segment, end, checksum: () => Checksum.unknown, payloadSum: () => internetSum(segment.bytes, segment.start, end) };
}

function truthOf(name: string): Truth {
  return truths.get(name) as Truth;
}

function nothingWrong(name: string, found: Dissected): void {
  const right = counted(
    truthOf(name)
      .whole.exchanges.filter(({ status }) => status === 'complete')
      .map(wholeOf),
  );
  for (const exchange of found.exchanges) {
    if (exchange.status !== 'complete') continue;
    const key = wholeOf(exchange);
    const left = right.get(key) ?? 0;
    if (left === 0) throw new Error(`${name}: printed complete, and wrong or too often: ${key.slice(0, 500)}`);
    right.set(key, left - 1);
  }
}

function everyRequest(name: string, lossy: readonly Segment[], found: Dissected): void {
  const { whole, streams } = truthOf(name);
  const printed = counted(found.exchanges.map(requestOf));
  for (const exchange of whole.exchanges) {
    const stream = streams.find((each) => each.name === `${exchange.client} → ${exchange.server}`);
    const { streamOffset, bytes } = exchange.requestFrame;
    const isThere =
      stream
        ?.held(lossy)
        .subarray(streamOffset, streamOffset + 4 + bytes)
        .every((byte) => byte === 1) === true;
    if (found.diagnostics.some(({ code, connection }) => code === 'tcp-dropped' && connection === stream?.name)) continue;
    const key = requestOf(exchange);
    const left = printed.get(key) ?? 0;
    if (isThere && left === 0) throw new Error(`${name}: a request that is all there isn't printed: ${key.slice(0, 500)}`);
    printed.set(key, left - 1);
  }
}

function everyByte(name: string, lossy: readonly Segment[], found: Dissected): void {
  for (const stream of truthOf(name).streams) {
    const [from, to] = stream.name.split(' → ');
    const about = found.diagnostics.filter(({ connection }) => connection === stream.name);
    const isIgnored = found.diagnostics.some(
      ({ code, connection }) => code === 'not-kafka' && (connection === stream.name || connection === `${to} → ${from}`),
    );
    if (isIgnored || about.some(({ code }) => code === 'tcp-dropped')) continue;
    const told = about.filter(({ code }) => code === 'tcp-gap' || code === 'tcp-snaplen').reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    const [least, most] = stream.missing(lossy);
    const slack = stream.lacksFin(lossy) ? 1 : 0;
    if (told < least - slack || told > most + slack) {
      throw new Error(`${name}, ${stream.name}: ${least} to ${most} bytes are missing, ${told} are told`);
    }
  }
}

function wholeOf({ number: _number, stream: _stream, requestFrame, responseFrame, ...rest }: ExchangeRecord): string {
  return JSON.stringify([rest, { ...requestFrame, streamOffset: 0 }, { ...responseFrame, streamOffset: 0 }]);
}

function requestOf({ client, correlationId, clientId, request }: ExchangeRecord): string {
  return JSON.stringify([client, correlationId, clientId, request]);
}

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
