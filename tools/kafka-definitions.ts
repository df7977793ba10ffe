import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import jsonc from 'jsonc-parser';

/** A field as Kafka's message definitions have it (their README in the jar says what each member means). */
export interface FieldDefinition {
  readonly name: string;
  readonly type: string;
  readonly versions: string;
  readonly nullableVersions?: string;
  readonly taggedVersions?: string;
  readonly tag?: number;
  readonly flexibleVersions?: string;
  readonly default?: string | number | boolean;
  readonly fields?: readonly FieldDefinition[];
}

/** A message as Kafka's message definitions have it. */
export interface KafkaDefinition {
  readonly apiKey?: number;
  readonly type: 'request' | 'response' | 'header' | 'data';
  readonly name: string;
  readonly validVersions: string;
  readonly flexibleVersions?: string;
  readonly fields?: readonly FieldDefinition[];
  readonly commonStructs?: readonly { readonly name: string; readonly fields: readonly FieldDefinition[] }[];
}

/** All message definitions in a kafka-clients jar: JSON with comments, read as leniently as Kafka's generator reads it (one of 2.8 has a brace too many). */
export function readKafkaDefinitions(jar: string): KafkaDefinition[] {
  const files = unzipSync(readFileSync(jar), { filter: ({ name }) => /^common\/message\/\w+\.json$/.test(name) });
  return Object.values(files).map((bytes): KafkaDefinition => jsonc.parse(strFromU8(bytes)));
}

/** The versions that a range of a message definition (`3+`, `0-4`, `2`, `none`) has from 0 to `last`. */
export function versionsIn(range: string | undefined, last: number): number[] {
  if (range === undefined || range === 'none') return [];
  const match = /^(\d+)(?:(\+)|-(\d+))?$/.exec(range);
  if (match === null) throw new Error(`not a version range: ${range}`);
  const start = Number(match[1]);
  const end = match[2] === '+' ? last : Number(match[3] ?? start);
  return Array.from({ length: Math.max(0, Math.min(end, last) - start + 1) }, (_, i) => start + i);
}

/** The last version of a message, -1 where the release has none any more. */
export function lastVersion(definition: KafkaDefinition): number {
  return versionsIn(definition.validVersions, 0x7fff).at(-1) ?? -1;
}
