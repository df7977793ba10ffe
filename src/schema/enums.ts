import { apiNames } from './api-keys.ts';
import { errorNames } from './error-codes.ts';

/** Types of resources that have configs (`ConfigResource.java`). The resource types of ACLs are another enum. */
export const resourceTypes: ReadonlyMap<number, string> = new Map([
  [0, 'UNKNOWN'],
  [2, 'TOPIC'],
  [4, 'BROKER'],
  [8, 'BROKER_LOGGER'],
  [16, 'CLIENT_METRICS'],
  [32, 'GROUP'],
]);

/** Where a config's value comes from (`DescribeConfigsResponse.ConfigSource`), by the names of the admin client. */
export const configSources: ReadonlyMap<number, string> = new Map([
  [0, 'UNKNOWN'],
  [1, 'DYNAMIC_TOPIC_CONFIG'],
  [2, 'DYNAMIC_BROKER_CONFIG'],
  [3, 'DYNAMIC_DEFAULT_BROKER_CONFIG'],
  [4, 'STATIC_BROKER_CONFIG'],
  [5, 'DEFAULT_CONFIG'],
  [6, 'DYNAMIC_BROKER_LOGGER_CONFIG'],
  [7, 'DYNAMIC_CLIENT_METRICS_CONFIG'],
  [8, 'DYNAMIC_GROUP_CONFIG'],
]);

/** A config's data type (`DescribeConfigsResponse.ConfigType`). */
export const configTypes: ReadonlyMap<number, string> = new Map([
  [0, 'UNKNOWN'],
  [1, 'BOOLEAN'],
  [2, 'STRING'],
  [3, 'INT'],
  [4, 'SHORT'],
  [5, 'LONG'],
  [6, 'DOUBLE'],
  [7, 'LIST'],
  [8, 'CLASS'],
  [9, 'PASSWORD'],
]);

/** What IncrementalAlterConfigs does to a config (`AlterConfigOp.OpType`). */
export const configOperations: ReadonlyMap<number, string> = new Map([
  [0, 'SET'],
  [1, 'DELETE'],
  [2, 'APPEND'],
  [3, 'SUBTRACT'],
]);

/** The names of a coded field's values, and the JSON member that holds the name, if one does. */
export interface CodedField {
  readonly names: ReadonlyMap<number, string>;
  readonly nameMember: string | null;
}

/** Coded fields of the APIs about configs, by field name and the keys of the APIs where the name means that. */
const coded: readonly (readonly [field: string, apiKeys: readonly number[], names: ReadonlyMap<number, string>])[] = [
  ['ResourceType', [32, 33, 44, 74], resourceTypes],
  ['ConfigSource', [19, 32], configSources],
  ['Source', [32], configSources],
  ['ConfigType', [32], configTypes],
  ['ConfigOperation', [44], configOperations],
];

/** What the values of a field are called; null where they are plain numbers. Fields named `…ErrorCode` hold error codes in every message. */
export function codedField(apiKey: number, field: string, type: string): CodedField | null {
  const member = field.charAt(0).toLowerCase() + field.slice(1);
  if (type === 'int16' && /^ErrorCode$|ErrorCode$/.test(field)) {
    return { names: errorNames, nameMember: `${member.slice(0, -'Code'.length)}Name` };
  }
  if (field === 'request_api_key') return { names: apiNames, nameMember: null };
  if (type !== 'int8') return null;
  for (const [name, apiKeys, names] of coded) {
    if (name === field && apiKeys.includes(apiKey)) return { names, nameMember: `${member}Name` };
  }
  return null;
}

/** The name of a code; `UNKNOWN(99)` for one that isn't known. */
export function codeName(names: ReadonlyMap<number, string>, code: number): string {
  return names.get(code) ?? `UNKNOWN(${code})`;
}
