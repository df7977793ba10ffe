/**
 * One field of a message definition, in the shape of Kafka's own message JSON (the README beside those files in Apache Kafka's
 * repository describes it). Members that don't change what the bytes mean (`mapKey`, `zeroCopy`, `entityType`) are left out.
 */
export interface FieldDefinition {
  readonly name: string;
  /** `int8`, `string`, `[]string`, or the name of a struct, whose fields are {@link fields} or stand in `commonStructs`. */
  readonly type: string;
  /** Versions that have the field: `0+`, `1-4`, `3`. */
  readonly versions: string;
  readonly nullableVersions?: string;
  /** Versions in which it is a tagged field, with {@link tag}. */
  readonly taggedVersions?: string;
  readonly tag?: number;
  /** Versions with compact lengths, where they aren't the message's: `none` for the client id. */
  readonly flexibleVersions?: string;
  readonly default?: string | number | boolean;
  readonly ignorable?: boolean;
  /** What the field means, in one sentence. */
  readonly about?: string;
  readonly fields?: readonly FieldDefinition[];
}

/** A struct that several fields of a message share. */
export interface StructDefinition {
  readonly name: string;
  readonly versions?: string;
  readonly fields: readonly FieldDefinition[];
}

/** A message as data: a request, a response, or what has no api key: a header, or data that stands in a field of bytes. */
export interface MessageDefinition {
  readonly apiKey?: number;
  readonly type: 'request' | 'response' | 'header' | 'data';
  readonly listeners?: readonly string[];
  readonly name: string;
  /** Names it had in older releases. */
  readonly formerNames?: readonly string[];
  /** Comment lines that stand before `validVersions` in Kafka's file, without their slashes. */
  readonly comments?: readonly string[];
  /** All versions that are decoded: the union of old and new releases. */
  readonly validVersions: string;
  /** `validVersions` as Kafka 4 has it, where it is less: the version range on the message's page. */
  readonly pageVersions?: string;
  readonly flexibleVersions: string;
  readonly commonStructs?: readonly StructDefinition[];
  readonly fields: readonly FieldDefinition[];
}
