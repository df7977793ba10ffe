import { keptMembers, memberKinds, resourceKind } from './kinds.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Members that are addresses with ports, and without. */
const ENDPOINT_MEMBERS: ReadonlySet<string> = new Set(['client', 'server', 'connection']);
const HOST_MEMBERS: ReadonlySet<string> = new Set(['address', 'addresses']);
const PRINCIPAL_MEMBERS: ReadonlySet<string> = new Set(['principal', 'principals']);
/** Members whose names are what is to be hidden: counts by client id, configs by key. */
const COUNTS_BY_CLIENT = 'clients';
const CONFIGS_BY_KEY = 'configs';
const SOFTWARE = 'software';
/** Members of texts that others are a part of. */
const SENTENCES: ReadonlySet<string> = new Set(['missingAcl', 'hint']);
/** A length in the place of a secret. */
const LENGTH_ALONE = /^<redacted, \d+ bytes>$/;
const NUMBER = /^\d+$/;

type Json = string | number | boolean | bigint | null | undefined | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [member: string]: Json;
}

/** A copy of a row with pseudonyms in the place of names, addresses and values. A text that it doesn't know is hidden. */
export function redactRow<Row extends object>(row: Row, pseudonyms: Pseudonyms): Row {
  return redactStruct(row as unknown as JsonObject, pseudonyms) as unknown as Row;
}

function redactStruct(struct: JsonObject, pseudonyms: Pseudonyms): JsonObject {
  const redacted: Record<string, Json> = {};
  for (const [member, value] of Object.entries(struct)) redacted[member] = redactMember(member, value, struct, pseudonyms);
  return redacted;
}

function redactMember(member: string, value: Json, holder: JsonObject, pseudonyms: Pseudonyms): Json {
  if (typeof value === 'string') return redactText(member, value, holder, pseudonyms);
  if (typeof value !== 'object' || value === null || member === SOFTWARE) return value;
  if (isList(value)) return value.map((element) => redactMember(member, element, holder, pseudonyms));
  if (member === COUNTS_BY_CLIENT) {
    return Object.fromEntries(Object.entries(value).map(([id, count]) => [id === '(null)' ? id : pseudonyms.of('client', id), count]));
  }
  if (member === CONFIGS_BY_KEY) {
    return Object.fromEntries(Object.entries(value).map(([key, config]) => [key, redactMember('value', config, value, pseudonyms)]));
  }
  return redactStruct(value, pseudonyms);
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}

function redactText(member: string, text: string, holder: JsonObject, pseudonyms: Pseudonyms): string {
  if (keptMembers.has(member) || LENGTH_ALONE.test(text)) return text;
  if (ENDPOINT_MEMBERS.has(member)) return pseudonyms.endpoint(text);
  if (HOST_MEMBERS.has(member)) return pseudonyms.host(text);
  if (PRINCIPAL_MEMBERS.has(member)) return pseudonyms.principal(text);
  if (member === 'broker') return NUMBER.test(text) ? text : pseudonyms.endpoint(text);
  if (member === 'resourceName') return redactResource(text, holder, pseudonyms);
  if (SENTENCES.has(member)) return redactSentence(text, holder, pseudonyms);
  return pseudonyms.of(memberKinds.get(member) ?? 'text', text);
}

function redactResource(name: string, { resourceType }: JsonObject, pseudonyms: Pseudonyms): string {
  const kind = resourceKind(typeof resourceType === 'number' ? resourceType : null, name);
  return kind === null ? name : pseudonyms.of(kind, name);
}

/** The row's resource stands at the end or between spaces. */
function redactSentence(text: string, holder: JsonObject, pseudonyms: Pseudonyms): string {
  const { resourceName } = holder;
  if (typeof resourceName !== 'string' || resourceName === '') return redactMessage(text, pseudonyms);
  const pseudonym = redactResource(resourceName, holder, pseudonyms);
  const replaced = text.endsWith(` ${resourceName}`) ? `${text.slice(0, -resourceName.length)}${pseudonym}` : text;
  return redactMessage(replaced.replaceAll(` ${resourceName} `, ` ${pseudonym} `), pseudonyms);
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const ENDPOINT = /(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d+)?/gi;

/** A sentence with pseudonyms for the addresses and quoted texts in it. */
export function redactMessage(message: string, pseudonyms: Pseudonyms): string {
  return message
    .replace(QUOTED, (quoted) => `"${pseudonyms.of('text', quoted)}"`)
    .replace(ENDPOINT, (endpoint) => pseudonyms.endpoint(endpoint));
}
