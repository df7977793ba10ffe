import test from 'ava';
import fc from 'fast-check';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import type { Decoded } from '../../src/decode/decoded.ts';
import { bodyValue } from '../../src/decode/values.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { JsonBody } from '../../src/output/json-body.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Kind, type MessagePlan, type PlanNode } from '../../src/schema/plan.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { parseVersions } from '../../src/schema/versions.ts';
import { readKafkaDefinitions } from '../../tools/kafka-definitions.ts';
import { kafkaClients } from '../../tools/kafka-releases.ts';
import {
  decodeWithKafka,
  encodeWithKafka,
  type OracleAnswer,
  type OracleBody,
  type OracleFrame,
  whyNoOracle,
} from '../helpers/kafka-oracle.ts';
import { mavenJar } from '../helpers/maven.ts';
import { arbitraryBody } from '../helpers/message-arbitrary.ts';

/** The current release, and the last one with the versions that Kafka 4 dropped: every version of every message is in one of them. */
const RELEASES = ['4.3.0', '3.9.1'] as const;
const BODIES_PER_VERSION = 5;
const MUTATIONS_PER_FRAME = 40;
const DESCRIBE_CONFIGS = 32;
const SEED = 20_260_101;

const unavailable = whyNoOracle(...RELEASES);
const oracleTest = unavailable === null ? test : test.skip;
const reason = unavailable === null ? '' : ` (skipped: ${unavailable})`;

const schemas = new Schemas();
schemas.add(messages);

/** What our decoder refuses and Kafka's takes, by what its error says: Kafka reads any negative length as null where null may be. */
const STRICTER = /(length|count) -\d+ is not valid$/;
/length -\d+ is not valid|count -\d+ is not valid|not in ascending order|left over in its tagged field|tag \d+ is not valid/;

/** A body to encode, or a frame of one, with the release that knows its version. */
interface Known {
  readonly name: string;
  readonly release: string;
}
type Body = OracleBody & Known;
type Sample = OracleFrame & Known;

/** Bodies of every message in every version, each for the newest release that has the version. */
function everyVersion(): Body[] {
  const seen = new Set<string>();
  const bodies: Body[] = [];
  for (const release of RELEASES) {
    for (const { type, apiKey, name, validVersions } of readKafkaDefinitions(mavenJar(kafkaClients(release)))) {
      const definition = messages.find((message) => message.type === type && message.apiKey === apiKey);
      if ((type !== 'request' && type !== 'response') || apiKey === undefined || definition === undefined) continue;
      const { first, last } = parseVersions(validVersions);
      for (let version = first; version <= last; version++) {
        const key = `${type} ${apiKey} ${version}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const samples = fc.sample(arbitraryBody(definition, version), { numRuns: BODIES_PER_VERSION, seed: SEED });
        for (const body of samples) bodies.push({ side: type, apiKey, version, body, name, release });
      }
    }
  }
  return bodies;
}

function encodeAll(bodies: readonly Body[]): Sample[] {
  return RELEASES.flatMap((release) => {
    const own = bodies.filter((body) => body.release === release);
    return encodeWithKafka(release, own).map((bytes, index) => ({ ...(own[index] as Body), bytes }));
  });
}

/** Kafka's answers to samples, in their order. */
function askKafka(samples: readonly Sample[]): OracleAnswer[] {
  const answers = new Map<Sample, OracleAnswer>();
  for (const release of RELEASES) {
    const own = samples.filter((sample) => sample.release === release);
    for (const [index, answer] of decodeWithKafka(release, own).entries()) answers.set(own[index] as Sample, answer);
  }
  return samples.map((sample) => answers.get(sample) as OracleAnswer);
}

function decode({ apiKey, version, side, bytes }: OracleFrame): Decoded {
  const frame = Buffer.alloc(4 + bytes.length);
  frame.writeInt32BE(bytes.length);
  frame.set(bytes, 4);
  return decodeFrame(schemas.plan(apiKey, version, side) as MessagePlan, frame, 0, frame.length);
}

/** Our body in Kafka's JSON, without the names of codes. */
function ourJson(decoded: Decoded, json: string): string {
  const names = new Set(decoded.plan.nodes.map(({ nameMember }) => nameMember));
  return JSON.stringify(JSON.parse(json, (member, value: unknown) => (names.has(member) ? undefined : value)));
}

/** The body as NDJSON prints it, secrets shown. */
function printed(decoded: Decoded): string {
  const out = new ByteBuffer();
  new JsonBody(out).write(decoded, null);
  return Buffer.from(out.view()).toString();
}

/** The body as the library gives it. */
function asObject(decoded: Decoded): string {
  return JSON.stringify(bodyValue(decoded, null), (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/** Kafka's JSON with the members in the order of the wire: Kafka's converters print known tagged fields where the definition has them, we as they come. */
function inWireOrder(node: PlanNode, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => inWireOrder(node.element as PlanNode, element));
  if (typeof value !== 'object' || value === null) return value;
  const members = new Map(Object.entries(value));
  const ordered: Record<string, unknown> = {};
  for (const field of node.fields.flatMap(fieldsOf)) {
    for (const name of [field.jsonName, `${field.jsonName}SizeInBytes`]) {
      if (members.has(name)) ordered[name] = inWireOrder(field, members.get(name));
    }
  }
  return ordered;
}

/** A field itself, or those of a tagged fields section. */
function fieldsOf(field: PlanNode): PlanNode[] {
  if (field.kind !== Kind.tags) return [field];
  return [...field.known].sort(([a], [b]) => a - b).map(([, known]) => known);
}

function describe({ name, version, bytes }: Sample): string {
  return `${name} ${version} ${Buffer.from(bytes).toString('hex')}`;
}

/** How our answer differs from Kafka's; null where both refuse the frame, or both take it and say the same, or ours is stricter as {@link STRICTER} says. */
function difference(sample: Sample, answer: OracleAnswer): string | null {
  const decoded = decode(sample);
  if ('error' in answer) return decoded.error === null ? `Kafka refuses ${describe(sample)}: ${answer.error}` : null;
  if (decoded.error !== null)
    return STRICTER.test(decoded.error.message) ? null : `Kafka takes ${describe(sample)}: ${decoded.error.message}`;
  if (decoded.trailingBytes !== answer.remaining) return `Kafka leaves over ${answer.remaining} bytes of ${describe(sample)}`;
  const theirs = oneReplacement(JSON.stringify(inWireOrder(decoded.plan.body, answer.body)));
  for (const json of [printed(decoded), asObject(decoded)]) {
    const ours = oneReplacement(ourJson(decoded, json));
    if (ours !== theirs) return `${describe(sample)}\n  ${ours}\n  Kafka: ${theirs}`;
  }
  return null;
}

/** Java and WHATWG replace some bytes that aren't UTF-8 (encoded surrogates) by different numbers of U+FFFD. */
function oneReplacement(json: string): string {
  return json.replaceAll(/\ufffd+/g, '\ufffd');
}

function differences(samples: readonly Sample[]): string[] {
  return askKafka(samples).flatMap((answer, index) => difference(samples[index] as Sample, answer) ?? []);
}

/** Anything like a DescribeConfigs frame: one that Kafka made, with one to three of its bytes changed, put in, taken out, or cut off. */
function mutations(samples: readonly Sample[]): Sample[] {
  const edit = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('set', 'insert', 'remove', 'cut'),
    byte: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)),
  });
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
  return samples.flatMap((sample, index) =>
    fc.sample(edits, { numRuns: MUTATIONS_PER_FRAME, seed: SEED + index }).map((list) => {
      const bytes = [...sample.bytes];
      for (const { at, kind, byte } of list) {
        const index = at % (bytes.length + 1);
        if (kind === 'cut') bytes.length = index;
        else if (kind === 'remove') bytes.splice(index, 1);
        else bytes.splice(index, kind === 'set' ? 1 : 0, byte);
      }
      return { ...sample, bytes: Uint8Array.from(bytes) };
    }),
  );
}

oracleTest(`every message in every version decodes to what Kafka's own classes read${reason}`, (t) => {
  const bodies = everyVersion();
  const covered = new Set(bodies.map(({ side, apiKey, version }) => `${side} ${apiKey} ${version}`));
  const known = messages.flatMap(({ type, apiKey, validVersions }) => {
    const { first, last } = parseVersions(validVersions);
    return apiKey === undefined ? [] : Array.from({ length: last - first + 1 }, (_, i) => `${type} ${apiKey} ${first + i}`);
  });
  t.deepEqual(
    known.filter((version) => !covered.has(version)),
    ['request 18 5', 'response 18 5'],
    'ahead of all releases',
  );
  const samples = encodeAll(bodies);
  t.deepEqual(
    samples.flatMap((sample) => decode(sample).error ?? []),
    [],
  );
  t.deepEqual(differences(samples), []);
});

oracleTest(`damaged DescribeConfigs frames are refused, or read the same, by us and by Kafka${reason}`, (t) => {
  const samples = mutations(encodeAll(everyVersion().filter(({ apiKey }) => apiKey === DESCRIBE_CONFIGS)));
  t.deepEqual(differences(samples), []);
});
