import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { kafkaClients } from '../../tools/kafka-releases.ts';
import { mavenJar, whyMissing, whyNoJar } from './maven.ts';

const PROGRAM = join('test', 'differential', 'java', 'KafkaOracle.java');
/** What Kafka's JSON converters need beside kafka-clients. */
const LIBRARIES = [
  'com.fasterxml.jackson.core:jackson-databind:2.21.0',
  'com.fasterxml.jackson.core:jackson-core:2.21.0',
  'com.fasterxml.jackson.core:jackson-annotations:2.21',
  'org.slf4j:slf4j-api:1.7.36',
];
const TIMEOUT_MS = 2 * 60_000;
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;

/** A frame to decode: header and body, without the size before them. */
export interface OracleFrame {
  readonly side: 'request' | 'response';
  readonly apiKey: number;
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** What Kafka makes of a frame: its JSON and the bytes it left over, or why it refuses the frame. */
export type OracleAnswer = { readonly header: unknown; readonly body: unknown; readonly remaining: number } | { readonly error: string };

/** Kafka's own names of codes, each by the code in decimal. */
export type OracleFacts = Readonly<
  Record<'errors' | 'resourceTypes' | 'configSources' | 'configTypes' | 'configOperations', Readonly<Record<string, string>>>
>;

/** Why Kafka's classes can't be asked here, or null. */
export function whyNoOracle(...releases: readonly string[]): string | null {
  return whyMissing('java') ?? whyNoJar(...releases.map(kafkaClients), ...LIBRARIES);
}

/** What the message classes of a release make of `frames`, in their order, asked in one run of Java (17 or later; 1.5 s to start). */
export function decodeWithKafka(release: string, frames: readonly OracleFrame[]): OracleAnswer[] {
  const lines = frames.map(({ side, apiKey, version, bytes }) => `${side} ${apiKey} ${version} ${Buffer.from(bytes).toString('hex')}\n`);
  return run(release, 'decode', lines.join('')).map((line): OracleAnswer => JSON.parse(line));
}

/** A body in Kafka's JSON, to be encoded. */
export interface OracleBody extends Omit<OracleFrame, 'bytes'> {
  readonly body: unknown;
}

/**
 * The frames that the message classes of a release make of `bodies`, in their order: header (client id `adm`, correlation id 0) and body,
 * without the size.
 */
export function encodeWithKafka(release: string, bodies: readonly OracleBody[]): Uint8Array[] {
  const lines = bodies.map(({ side, apiKey, version, body }) => `${side} ${apiKey} ${version} ${JSON.stringify(body)}\n`);
  return run(release, 'encode', lines.join('')).map((line) => Buffer.from((JSON.parse(line) as { frame: string }).frame, 'hex'));
}

/** The names of codes that a release has. */
export function kafkaFacts(release: string): OracleFacts {
  return JSON.parse(run(release, 'facts', '')[0] as string);
}

function run(release: string, mode: string, input: string): string[] {
  const classPath = [kafkaClients(release), ...LIBRARIES].map(mavenJar).join(delimiter);
  const options = { input, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES } as const;
  const result = spawnSync('java', ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', classPath, PROGRAM, mode], options);
  if (result.status !== 0) throw new Error(`java failed: ${result.error ?? ''}${result.stderr}`);
  return result.stdout.trimEnd().split('\n');
}
