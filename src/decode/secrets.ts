import { Kind, type PlanNode } from '../schema/plan.ts';
import { textAt } from './content.ts';
import { type Decoded, ENTRY_WORDS, Word } from './decoded.ts';
import { isSecretKey } from './secret-keys.ts';
import { auxAt, NO_ENTRY, nodeAt } from './walk.ts';

/** Fields that hold secrets whatever their value, by API. An envelope holds a whole message, with all that may be in it. */
const secretFields: ReadonlyMap<number, readonly string[]> = new Map([
  [38, ['hmac']],
  [39, ['hmac']],
  [40, ['hmac']],
  [41, ['hmac']],
  [51, ['salt', 'saltedPassword']],
  [58, ['requestData', 'responseData']],
]);
/** SaslAuthenticate's tokens may hold a password in clear; nobody may ask to see them. */
const SASL_AUTHENTICATE = 36;
const saslFields: readonly string[] = ['authBytes'];
/** Brokers send no secrets in its responses: those that stand there all the same are found by decoding. */
const DESCRIBE_CONFIGS = 32;

const NO_NODE = -1;

/** APIs whose messages hold configs: CreateTopics, DescribeConfigs, AlterConfigs, IncrementalAlterConfigs. */
const configApis: ReadonlySet<number> = new Set([19, DESCRIBE_CONFIGS, 33, 44]);

/**
 * Tape indexes of the fields whose contents must not be shown; null where there are none. Null values are no secrets. A config that says
 * whether it is sensitive is believed, its synonyms with it, and hidden where decoding stopped before it could say; elsewhere the key
 * decides ({@link isSecretKey}). With `showSecrets` only SASL tokens are hidden.
 */
export function secretEntries(decoded: Decoded, showSecrets: boolean): ReadonlySet<number> | null {
  const { apiKey } = decoded.plan;
  if (apiKey === SASL_AUTHENTICATE) return entriesOf(decoded, saslFields);
  if (showSecrets) return null;
  const names = secretFields.get(apiKey);
  if (names !== undefined) return entriesOf(decoded, names);
  if (!configApis.has(apiKey)) return null;
  for (const node of decoded.plan.nodes) {
    if (node.kind !== Kind.struct || member(node, 'name') === null || member(node, 'value') === null) continue;
    if (member(node, 'isSensitive') !== null) {
      decoded.sensitive ??= { entries: sensitiveValues(decoded, node) };
      return decoded.sensitive.entries;
    }
    if (decoded.plan.side === 'request') return secretKeyValues(decoded, node);
  }
  return null;
}

/** Whether what can't be decoded of an API's messages must not be shown either: a secret may be in it. */
export function mayHoldSecrets(apiKey: number, showSecrets: boolean): boolean {
  if (apiKey === SASL_AUTHENTICATE) return true;
  return !showSecrets && apiKey !== DESCRIBE_CONFIGS && (secretFields.has(apiKey) || configApis.has(apiKey));
}

function member(struct: PlanNode, jsonName: string): PlanNode | null {
  return struct.fields.find((field) => field.jsonName === jsonName) ?? null;
}

/** Id of a struct's member; {@link NO_NODE} where it has none of that name. */
function idOf(struct: PlanNode, jsonName: string): number {
  return member(struct, jsonName)?.id ?? NO_NODE;
}

/** Entries of the fields with these names that aren't null. */
function entriesOf(decoded: Decoded, jsonNames: readonly string[]): ReadonlySet<number> | null {
  const found = new Set<number>();
  for (let index = 0; index < decoded.tapeLength; index += ENTRY_WORDS) {
    if (jsonNames.includes(nodeAt(decoded, index).jsonName) && auxAt(decoded, index) >= 0) found.add(index);
  }
  return orNull(found);
}

/** Values, and those of their synonyms, of the structs `config` that call themselves sensitive. One pass: `IsSensitive` stands between. */
function sensitiveValues(decoded: Decoded, config: PlanNode): ReadonlySet<number> | null {
  const { tape, tapeLength } = decoded;
  const value = idOf(config, 'value');
  const flag = idOf(config, 'isSensitive');
  const synonym = member(config, 'synonyms')?.element ?? null;
  const synonymValue = synonym === null ? NO_NODE : idOf(synonym, 'value');
  const found = new Set<number>();
  let undecided = NO_ENTRY;
  let isSensitive = false;
  for (let index = 0; index < tapeLength; index += ENTRY_WORDS) {
    // Every entry of a response passes here: `npm run bench -- --only dense`.
    const id = tape[index] as number;
    if (id === value) {
      undecided = (tape[index + Word.aux] as number) < 0 ? NO_ENTRY : index;
    } else if (id === flag) {
      isSensitive = tape[index + Word.aux] !== 0;
      if (isSensitive && undecided !== NO_ENTRY) found.add(undecided);
      undecided = NO_ENTRY;
    } else if (id === synonymValue && isSensitive && (tape[index + Word.aux] as number) >= 0) {
      found.add(index);
    }
  }
  if (undecided !== NO_ENTRY) found.add(undecided);
  return orNull(found);
}

/** Values of the structs `config` whose name is that of a secret. */
function secretKeyValues(decoded: Decoded, config: PlanNode): ReadonlySet<number> | null {
  const { tape, tapeLength } = decoded;
  const name = member(config, 'name')?.id;
  const value = member(config, 'value')?.id;
  const found = new Set<number>();
  let key = NO_ENTRY;
  for (let index = 0; index < tapeLength; index += ENTRY_WORDS) {
    const id = tape[index + Word.node];
    if (id === name) key = index;
    else if (id === value && auxAt(decoded, index) >= 0 && isSecretKey(textAt(decoded, key) ?? '')) found.add(index);
  }
  return orNull(found);
}

function orNull(found: Set<number>): ReadonlySet<number> | null {
  return found.size === 0 ? null : found;
}
