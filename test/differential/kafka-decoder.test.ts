import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { Dissection } from '../../src/dissect.ts';
import { type EncodableStruct, encodeFrame } from '../../src/encode/encode.ts';
import type { DecodedExchange } from '../../src/kafka/decoded-exchange.ts';
import { MAX_FRAME_BYTES } from '../../src/limits.ts';
import { apiNames } from '../../src/schema/api-keys.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Kind } from '../../src/schema/plan.ts';
import { parseVersions } from '../../src/schema/versions.ts';
import { Random } from '../bench/random.ts';
import { buildCase } from '../fuzz/build-case.ts';
import { loadCorpus } from '../fuzz/corpus.ts';
import { decodeOurs, difference, KafkaClasses, keyOf, type MessageVersion, ORACLE_RELEASES, planOf } from '../helpers/kafka-differences.ts';
import { type OracleBody, type OracleFrame, whyNoOracle } from '../helpers/kafka-oracle.ts';
import { arbitraryBody } from '../helpers/message-arbitrary.ts';
import { scratchFolder } from '../helpers/scratch.ts';

const DESCRIBE_CONFIGS = 32;
const BODIES_PER_VERSION = 5;
const MUTATIONS_PER_FRAME = 40;
const FUZZ_CASES = 200;
const SEED = 20_260_101;
/** Frames of real clients and brokers that may lie beside the checkout. */
const SHARED_FRAMES = join('..', 'shared', 'frames');

const unavailable = whyNoOracle(...ORACLE_RELEASES);
const oracleTest = unavailable === null ? test : test.skip;
const reason = unavailable === null ? '' : ` (skipped: ${unavailable})`;

function arbitraryBodies(versions: readonly MessageVersion[]): OracleBody[] {
  return versions.flatMap((version) => {
    const definition = messages.find(({ type, apiKey }) => type === version.side && apiKey === version.apiKey);
    if (definition === undefined) throw new Error(`no schema of ${keyOf(version)}`);
    const bodies = fc.sample(arbitraryBody(definition, version.version), { numRuns: BODIES_PER_VERSION, seed: SEED });
    return bodies.map((body) => ({ ...version, body }));
  });
}

function differences(kafka: KafkaClasses, frames: readonly OracleFrame[]): string[] {
  return kafka.decode(frames).flatMap((answer, index) => difference(frames[index] as OracleFrame, answer) ?? []);
}

oracleTest(`every message in every version decodes to what Kafka's own classes read, and encodes to what they write${reason}`, (t) => {
  const kafka = new KafkaClasses();
  const known = messages.flatMap(({ type, apiKey, validVersions }) => {
    const { first, last } = parseVersions(validVersions);
    return apiKey === undefined ? [] : Array.from({ length: last - first + 1 }, (_, i) => `${type} ${apiKey} ${first + i}`);
  });
  const covered = new Set(kafka.versions.map(keyOf));
  t.deepEqual(
    known.filter((version) => !covered.has(version)),
    ['request 18 5', 'response 18 5'],
    'ahead of all releases',
  );

  const frames = kafka.encode(arbitraryBodies(kafka.versions));
  t.deepEqual(
    frames.flatMap((frame) => decodeOurs(frame).error ?? []),
    [],
  );
  for (const [index, answer] of kafka.decode(frames).entries()) {
    const frame = frames[index] as OracleFrame;
    const plan = planOf(frame);
    t.is(difference(frame, answer), null);
    // Kafka's JSON has no records, and it leaves defaults out of what is tagged: as much as goes on the wire.
    if ('error' in answer || plan.nodes.some(({ kind }) => kind === Kind.records)) continue;
    const ours = encodeFrame(plan, { correlationId: 0, clientId: 'adm' }, answer.body as EncodableStruct);
    if (Buffer.compare(ours.subarray(4), frame.bytes) !== 0) t.fail(`${keyOf(frame)} ${JSON.stringify(answer.body)}`);
  }
});

/** Anything like a DescribeConfigs frame: one that Kafka made, with one to three of its bytes changed, put in, taken out, or cut off. */
function mutations(frames: readonly OracleFrame[]): OracleFrame[] {
  const edit = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('set', 'insert', 'remove', 'cut'),
    byte: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)),
  });
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
  return frames.flatMap((frame, index) =>
    fc.sample(edits, { numRuns: MUTATIONS_PER_FRAME, seed: SEED + index }).map((list) => {
      const bytes = [...frame.bytes];
      for (const { at, kind, byte } of list) {
        const index = at % (bytes.length + 1);
        if (kind === 'cut') bytes.length = index;
        else if (kind === 'remove') bytes.splice(index, 1);
        else bytes.splice(index, kind === 'set' ? 1 : 0, byte);
      }
      return { ...frame, bytes: Uint8Array.from(bytes) };
    }),
  );
}

oracleTest(`damaged DescribeConfigs frames are refused, or read the same, by us and by Kafka${reason}`, (t) => {
  const kafka = new KafkaClasses();
  const frames = kafka.encode(arbitraryBodies(kafka.versions.filter(({ apiKey }) => apiKey === DESCRIBE_CONFIGS)));
  t.deepEqual(differences(kafka, mutations(frames)), []);
});

/** Bodies of a version 4 request, and who takes them. */
const edges: readonly (readonly [title: string, body: string, takenBy: 'both' | 'Kafka' | 'nobody'])[] = [
  ['a request', '02 02 0274 00 00 01 00 00', 'both'],
  ['a boolean of 2', '02 02 0274 00 00 02 00 00', 'both'],
  ['an over-long varint', '8200 02 0274 00 00 01 00 00', 'both'],
  ['a varint of five bytes', '8280808000 02 0274 00 00 01 00 00', 'both'],
  ['bytes after the body', '02 02 0274 00 00 01 00 00 ffff', 'both'],
  ['an unknown tagged field', '02 02 0274 00 01 05 02 abcd 01 00 00', 'both'],
  ['a name that is not UTF-8', '02 02 03 ff80 00 00 01 00 00', 'both'],
  ['tags out of order', '02 02 0274 00 00 01 00 02 05 00 03 00', 'Kafka'],
  ['a tag twice', '02 02 0274 00 00 01 00 02 05 00 05 00', 'Kafka'],
  ['2³²-1 tagged fields', '02 02 0274 00 00 01 00 ffffffff0f', 'Kafka'],
  ['a tag of 2³¹', '02 02 0274 00 00 01 00 01 8080808008 00', 'Kafka'],
  ['2³²-2 keys', '02 02 0274 ffffffff0f 00 01 00 00', 'Kafka'],
  ['a count beyond 32 bits', '8280808070 02 0274 00 00 01 00 00', 'Kafka'],
  ['a varint of six bytes', '828080808000 02 0274 00 00 01 00 00', 'nobody'],
  ['null resources', '00 00 01 00 00', 'nobody'],
  ['a null name', '02 02 00 00 00 01 00 00', 'nobody'],
  ['a name of 40,000 bytes', `02 02 c1b802 ${'61'.repeat(40_000)} 00 00 01 00 00`, 'nobody'],
  ['a name longer than the frame', '02 02 7f74 00 00 01 00 00', 'nobody'],
  ['a tagged field of 2³²-1 bytes', '02 02 0274 00 00 01 00 01 05 ffffffff0f', 'nobody'],
  ['no booleans', '02 02 0274 00 00', 'nobody'],
];

oracleTest(`our decoder is as strict as Kafka's, and stricter where it says so${reason}`, (t) => {
  const kafka = new KafkaClasses();
  const frames = edges.map(([, body]) => {
    const hex = `0020 0004 00000001 0003 61646d 00 ${body}`.replaceAll(' ', '');
    return { side: 'request', apiKey: DESCRIBE_CONFIGS, version: 4, bytes: Buffer.from(hex, 'hex') } as const;
  });
  for (const [index, answer] of kafka.decode(frames).entries()) {
    const [title, , takenBy] = edges[index] as (typeof edges)[number];
    const frame = frames[index] as OracleFrame;
    t.is(!('error' in answer), takenBy !== 'nobody', `Kafka: ${title}`);
    t.is(decodeOurs(frame).error === null, takenBy === 'both', `ours: ${title}`);
    t.is(difference(frame, answer), null, title);
  }
});

/** The DescribeConfigs frames of a capture that are there to their end. */
async function framesOf(path: string): Promise<OracleFrame[]> {
  const frames: OracleFrame[] = [];
  const sink = {
    exchange({ exchange, request, response }: DecodedExchange): void {
      for (const [side, frame, decoded] of [
        ['request', exchange.request, request],
        ['response', exchange.response, response],
      ] as const) {
        if (frame === null || decoded === null || frame.damage !== null) continue;
        frames.push({ side, apiKey: exchange.apiKey, version: exchange.apiVersion, bytes: frame.bytes.slice(4) });
      }
    },
  };
  await new Dissection({ captures: [path], maxFrameBytes: MAX_FRAME_BYTES }, sink, { report: () => {} }).run();
  return frames;
}

oracleTest(`every DescribeConfigs frame in captures/ reads the same by us and by Kafka${reason}`, async (t) => {
  const kafka = new KafkaClasses();
  const captures = readdirSync('captures').filter((name) => /\.pcap(ng)?(\.(gz|zst))?$/.test(name));
  const frames = (await Promise.all(captures.map((name) => framesOf(join('captures', name))))).flat();
  t.deepEqual(differences(kafka, frames), []);
  const versions = new Set(frames.filter(({ side }) => side === 'response').map(({ version }) => version));
  t.deepEqual([...versions].sort(), [0, 1, 2, 3, 4]);
});

oracleTest(
  `every DescribeConfigs frame that is found in captures changed at random reads the same by us and by Kafka${reason}`,
  async (t) => {
    const corpus = await loadCorpus(['captures', join('test', 'fuzz', 'cases')]);
    const path = join(scratchFolder(t), 'case');
    const frames: OracleFrame[] = [];
    for (let seed = SEED; seed < SEED + FUZZ_CASES; seed++) {
      writeFileSync(path, buildCase(new Random(seed), corpus).file);
      frames.push(...(await framesOf(path)));
    }
    t.true(frames.length > FUZZ_CASES);
    t.deepEqual(differences(new KafkaClasses(), frames), []);
  },
);

/** What a frame's name tells of it: `105_…_MetadataRspV9….bin`, or `…_Metadata_rsp.kafka`, whose version its request knows. */
function sharedFrame(path: string): OracleFrame {
  const bytes = readFileSync(path).subarray(4);
  const [, api, side, digits] = /_([A-Za-z]+?)_?(Req|Rsp|req|rsp)(?:V(\d+)kui)?\.\w+$/.exec(basename(path)) ?? [];
  const apiKey = [...apiNames].find(([, name]) => name === api)?.[0];
  if (apiKey === undefined || side === undefined) throw new Error(`${path} doesn't say what it is`);
  const version = digits === undefined ? readFileSync(path.replace(/rsp\.kafka$/, 'req.kafka')).readInt16BE(6) : Number(digits);
  return { side: side.toLowerCase() === 'req' ? 'request' : 'response', apiKey, version, bytes };
}

const sharedTest = unavailable === null && existsSync(SHARED_FRAMES) ? test : test.skip;
sharedTest(`real frames of other APIs read the same by us and by Kafka (only where ${SHARED_FRAMES} is)`, (t) => {
  const frames = readdirSync(SHARED_FRAMES).map((name) => sharedFrame(join(SHARED_FRAMES, name)));
  t.true(frames.length > 0);
  t.deepEqual(differences(new KafkaClasses(), frames), []);
  t.deepEqual(
    frames.filter((frame) => decodeOurs(frame).error !== null),
    [],
  );
});
