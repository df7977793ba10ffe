import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import jsonc from 'jsonc-parser';
import type { FieldDefinition, MessageDefinition } from '../src/schema/definition.ts';

/** What the files leave out, or write in more than one way. */
interface FieldFile extends Omit<FieldDefinition, 'default' | 'fields'> {
  readonly default?: string | number | boolean;
  readonly fields?: readonly FieldFile[];
}
interface MessageFile extends Omit<MessageDefinition, 'flexibleVersions' | 'fields' | 'commonStructs'> {
  readonly flexibleVersions?: string;
  readonly fields?: readonly FieldFile[];
  readonly commonStructs?: readonly { readonly name: string; readonly fields: readonly FieldFile[] }[];
}

/**
 * All message definitions in a kafka-clients jar but those of messages that the release dropped (`validVersions` is `none`).
 * The files are JSON with comments, read as leniently as Kafka reads them: one of 2.8 has a brace too many.
 */
export function readKafkaDefinitions(jar: string): MessageDefinition[] {
  const files = unzipSync(readFileSync(jar), { filter: ({ name }) => /^common\/message\/\w+\.json$/.test(name) });
  const definitions: MessageDefinition[] = [];
  for (const bytes of Object.values(files)) {
    const { flexibleVersions = 'none', fields = [], commonStructs, ...facts }: MessageFile = jsonc.parse(strFromU8(bytes));
    if (facts.validVersions === 'none') continue;
    const structs = commonStructs?.map((struct) => ({ name: struct.name, fields: struct.fields.map(toField) }));
    definitions.push({ ...facts, flexibleVersions, fields: fields.map(toField), ...(structs && { commonStructs: structs }) });
  }
  return definitions;
}

function toField({ default: byDefault, fields, ...facts }: FieldFile): FieldDefinition {
  return { ...facts, ...(byDefault !== undefined && { default: String(byDefault) }), ...(fields && { fields: fields.map(toField) }) };
}
