import test from 'ava';
import { SchemaOracle } from '../../src/frame-oracle.ts';
import { clientByContent } from '../../src/kafka/roles.ts';
import { SeekBuffer } from '../../src/kafka/seek-buffer.ts';
import { SpareBuffers } from '../../src/kafka/spare-buffers.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { describe, described, request, response } from '../helpers/kafka-script.ts';
import { concat } from '../helpers/packets.ts';

const METADATA = 3;
const position = { capture: 0, number: 1, seconds: 1, nanos: 0, fine: false };

/** What a direction brought, a segment each. */
function bufferOf(segments: readonly Uint8Array[]): SeekBuffer {
  const buffer = new SeekBuffer(new SpareBuffers());
  for (const bytes of segments) buffer.append(bytes, 0, bytes.length, position);
  return buffer;
}

const rubbish = new Uint8Array(40).fill(0xee);
/** A request that nothing but its answer tells: of an API that has no schema here, with a client id that is no text. */
const bare = request(METADATA, 1, 7, [0, 0, 0, 0], '\u0001');
const anonymous = request(METADATA, 1, 7, [0, 0, 0, 0], null);

interface Scene {
  readonly title: string;
  readonly one: readonly Uint8Array[];
  readonly other: readonly Uint8Array[];
  readonly isFinal?: boolean;
  /** Whether the first is the client; null where nothing tells. */
  readonly isClient: boolean | null;
}

const scenes: readonly Scene[] = [
  { title: 'a request that names its client', one: [request(METADATA, 1, 7)], other: [], isClient: true },
  {
    title: 'a request that names its client, behind a segment of rubbish',
    one: [rubbish, request(METADATA, 1, 7)],
    other: [],
    isClient: true,
  },
  { title: 'only rubbish', one: [rubbish], other: [rubbish], isClient: null },
  { title: 'nothing', one: [], other: [], isFinal: true, isClient: null },
  { title: 'a request without a client id', one: [anonymous], other: [], isClient: null },
  { title: 'a request without a client id, and nothing more to come', one: [anonymous], other: [], isFinal: true, isClient: true },
  { title: 'a request without a client id, and its answer', one: [anonymous], other: [response(7)], isClient: true },
  { title: 'a request without a client id, and another answer', one: [anonymous], other: [response(8)], isClient: null },
  { title: 'an answer that begins a later segment', one: [anonymous], other: [rubbish, response(7)], isClient: true },
  { title: 'an answer inside of a segment', one: [anonymous], other: [concat(rubbish, response(7))], isClient: null },
  { title: 'an answer cut by its segment', one: [anonymous], other: [response(7).subarray(0, 7), rubbish], isClient: null },
  { title: 'an answer with a size below that of its id', one: [anonymous], other: [Uint8Array.of(0, 0, 0, 3, 0, 0, 0, 7)], isClient: null },
  { title: 'a client id that is no text', one: [bare], other: [], isClient: null },
  { title: 'a request without a client id that decodes', one: [describe(7, 'a', null)], other: [], isClient: true },
  { title: 'requests on both sides that tell as much', one: [request(METADATA, 1, 7)], other: [request(METADATA, 1, 9)], isClient: null },
  { title: 'requests on both sides of which one decodes', one: [describe(7, 'a')], other: [request(METADATA, 1, 9)], isClient: true },
  {
    title: 'a request that decodes inside of a segment, and nothing more to come',
    one: [concat(rubbish, describe(7, 'a'))],
    other: [described(7, 'a')],
    isFinal: true,
    isClient: true,
  },
  { title: 'a request inside of a segment', one: [concat(rubbish, describe(7, 'a'))], other: [described(7, 'a')], isClient: null },
  {
    title: 'requests that decode inside of segments of both sides',
    one: [concat(rubbish, describe(7, 'a'))],
    other: [concat(rubbish, describe(8, 'b'))],
    isFinal: true,
    isClient: null,
  },
];

const oracle = new SchemaOracle(new Schemas());
for (const { title, one, other, isFinal = false, isClient } of scenes) {
  test(`${title}: ${isClient === null ? 'nothing tells who the client is' : 'that side is the client'}`, (t) => {
    t.is(clientByContent(bufferOf(one), bufferOf(other), oracle, isFinal), isClient === null ? null : 0);
    t.is(clientByContent(bufferOf(other), bufferOf(one), oracle, isFinal), isClient === null ? null : 1);
  });
}
