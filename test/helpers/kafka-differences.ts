import { decodeFrame } from '../../src/decode/decode-frame.ts';
import type { Decoded } from '../../src/decode/decoded.ts';
import { bodyValue } from '../../src/decode/values.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { JsonBody } from '../../src/output/json-body.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Kind, type MessagePlan, type PlanNode } from '../../src/schema/plan.ts';
import { type MessageSide, Schemas } from '../../src/schema/schemas.ts';
import { parseVersions } from '../../src/schema/versions.ts';
import { readKafkaDefinitions } from '../../tools/kafka-definitions.ts';
import { kafkaClients } from '../../tools/kafka-releases.ts';
import { decodeWithKafka, encodeWithKafka, type OracleAnswer, type OracleBody, type OracleFrame } from './kafka-oracle.ts';
import { mavenJar } from './maven.ts';

/** The current release, and the last one with the versions that Kafka 4 dropped: every version of every message is in one of them. */
export const ORACLE_RELEASES = ['4.3.0', '3.9.1'] as const;

/**
 * What our decoder refuses and Kafka's takes, by what its error says: Kafka cuts lengths to 32 bits, reads negative ones as null where null
 * may be, and doesn't look at the order of tags.
 */
const STRICTER = /(length|count) (-\d+ is not valid|\d{10,} exceeds)|not in ascending order$|tag \d{10,} is not valid$/;

/** Where frames stand in the buffers that are decoded: offsets must count from the frame, not from the buffer. */
const ORIGIN = 7;

const schemas = new Schemas();
schemas.add(messages);

/** A version of a message. */
export interface MessageVersion {
  readonly side: MessageSide;
  readonly apiKey: number;
  readonly version: number;
}

/** Kafka's classes, of the newest release for each message and version. */
export class KafkaClasses {
  private readonly releases = new Map<string, string>();
  readonly versions: MessageVersion[] = [];

  constructor() {
    for (const release of ORACLE_RELEASES) {
      for (const { type, apiKey, validVersions } of readKafkaDefinitions(mavenJar(kafkaClients(release)))) {
        if ((type !== 'request' && type !== 'response') || apiKey === undefined) continue;
        const { first, last } = parseVersions(validVersions);
        for (let version = first; version <= last; version++) this.add(release, { side: type, apiKey, version });
      }
    }
  }

  private add(release: string, version: MessageVersion): void {
    const key = keyOf(version);
    if (this.releases.has(key)) return;
    this.releases.set(key, release);
    this.versions.push(version);
  }

  knows(version: MessageVersion): boolean {
    return this.releases.has(keyOf(version));
  }

  /** Encodes bodies; the frames are in their order. */
  encode(bodies: readonly OracleBody[]): OracleFrame[] {
    return this.ask(bodies, encodeWithKafka).map((bytes, index) => {
      const { side, apiKey, version } = bodies[index] as OracleBody;
      return { side, apiKey, version, bytes };
    });
  }

  decode(frames: readonly OracleFrame[]): OracleAnswer[] {
    return this.ask(frames, decodeWithKafka);
  }

  private ask<Q extends MessageVersion, A>(questions: readonly Q[], answer: (release: string, questions: readonly Q[]) => A[]): A[] {
    const answers = new Map<Q, A>();
    for (const release of ORACLE_RELEASES) {
      const own = questions.filter((question) => this.releases.get(keyOf(question)) === release);
      if (own.length === 0) continue;
      for (const [index, given] of answer(release, own).entries()) answers.set(own[index] as Q, given);
    }
    return questions.map((question) => answers.get(question) as A);
  }
}

export function keyOf({ side, apiKey, version }: MessageVersion): string {
  return `${side} ${apiKey} ${version}`;
}

/** Our plan of a version. */
export function planOf({ apiKey, version, side }: MessageVersion): MessagePlan {
  return schemas.plan(apiKey, version, side) as MessagePlan;
}

/** What our decoder makes of a frame that stands behind other bytes. */
export function decodeOurs(oracleFrame: OracleFrame): Decoded {
  const { bytes } = oracleFrame;
  const buffer = Buffer.alloc(ORIGIN + 4 + bytes.length);
  buffer.writeInt32BE(bytes.length, ORIGIN);
  buffer.set(bytes, ORIGIN + 4);
  return decodeFrame(planOf(oracleFrame), buffer, ORIGIN, buffer.length);
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

/**
 * Kafka's JSON with the members in the order of the wire: Kafka's converters print known tagged fields where the definition has them, we
 * where they come.
 */
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

function describe(frame: OracleFrame): string {
  return `${planOf(frame).name} ${frame.version} ${Buffer.from(frame.bytes).toString('hex')}`;
}

/**
 * How our answer differs from Kafka's; null where both refuse the frame, or both take it and say the same, or ours is stricter as
 * `STRICTER` says.
 */
export function difference(frame: OracleFrame, answer: OracleAnswer): string | null {
  const decoded = decodeOurs(frame);
  if ('error' in answer) return decoded.error === null ? `Kafka refuses ${describe(frame)}: ${answer.error}` : null;
  if (decoded.error !== null)
    return STRICTER.test(decoded.error.message) ? null : `Kafka takes ${describe(frame)}: ${decoded.error.message}`;
  if (decoded.trailingBytes !== answer.remaining) return `Kafka leaves over ${answer.remaining} bytes of ${describe(frame)}`;
  const theirs = oneReplacement(JSON.stringify(inWireOrder(decoded.plan.body, answer.body)));
  for (const json of [printed(decoded), asObject(decoded)]) {
    const ours = oneReplacement(ourJson(decoded, json));
    if (ours !== theirs) return `${describe(frame)}\n  ${ours}\n  Kafka: ${theirs}`;
  }
  return null;
}

/** Java and WHATWG replace some bytes that aren't UTF-8 (encoded surrogates) by different numbers of U+FFFD. */
function oneReplacement(json: string): string {
  return json.replaceAll(/\ufffd+/g, '\ufffd');
}
