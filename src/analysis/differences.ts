import type { DifferenceRow, SideValue } from '../records/rows.ts';
import { isoTime } from '../records/time.ts';
import { codeName, configSources, resourceTypes } from '../schema/enums.ts';
import type { SeenConfig, SeenResource, Telling } from './config-snapshot.ts';
import type { SidePicture } from './diff.ts';
import { isAfter } from './instants.ts';
import { redactable } from './secret-text.ts';

const DEFAULT_CONFIG = 5;

/** What was compared, and in what it differs. */
export interface Comparison {
  readonly rows: readonly DifferenceRow[];
  /** Configs that both sides told of. */
  readonly compared: number;
  /** Resources that one side alone told of, and configs that one side told of and the other was never asked for. */
  readonly onlyLeft: number;
  readonly onlyRight: number;
  readonly neverAsked: number;
}

export interface CompareOptions {
  readonly showSecrets: boolean;
  /** Leaves out what nobody had set on either side. */
  readonly onlySet: boolean;
}

/** What two sides, or one broker on both, told of a resource. */
type TellingsPair = readonly [left: readonly Telling[], right: readonly Telling[]];
type SeenPair = readonly [left: SeenConfig | null, right: SeenConfig | null];

/**
 * Compares the configs of the resources that both sides told of, in value and source. Where one broker told of a resource on both sides, its
 * words are compared: two brokers that answer differently are no difference between two times or captures.
 */
export function compare(left: SidePicture, right: SidePicture, { showSecrets, onlySet }: CompareOptions): Comparison {
  const rows: DifferenceRow[] = [];
  let compared = 0;
  let neverAsked = 0;
  const shared = [...left.snapshot.resources].filter(([pairing]) => right.snapshot.resources.has(pairing));
  for (const [pairing, resource] of shared) {
    const other = right.snapshot.resources.get(pairing) as SeenResource;
    const pairs = comparable(tellingsByBroker(left, resource), tellingsByBroker(right, other));
    for (const key of new Set(pairs.flat(2).flatMap(({ configs }) => [...configs.keys()]))) {
      const known = pairs.map((pair) => lastOfBoth(pair, key)).filter((both) => both !== null);
      if (known.length === 0) neverAsked++;
      else compared++;
      const different = known.find(([one, two]) => !isSame(one, two));
      if (different !== undefined && (!onlySet || different.some(isSet))) rows.push(rowOf(resource, key, different, showSecrets));
    }
  }
  const counts = { onlyLeft: left.snapshot.resources.size - shared.length, onlyRight: right.snapshot.resources.size - shared.length };
  return { rows: rows.sort(byName), compared, neverAsked, ...counts };
}

function tellingsByBroker({ brokerOf }: SidePicture, { tellings }: SeenResource): Map<string, Telling[]> {
  const brokers = new Map<string, Telling[]>();
  for (const [server, telling] of tellings) {
    const broker = brokerOf(server);
    const known = brokers.get(broker);
    if (known === undefined) brokers.set(broker, [telling]);
    else known.push(telling);
  }
  return brokers;
}

/** What to compare: the words of each broker that told on both sides, else all. */
function comparable(left: ReadonlyMap<string, Telling[]>, right: ReadonlyMap<string, Telling[]>): TellingsPair[] {
  const pairs: TellingsPair[] = [];
  for (const [broker, tellings] of left) {
    const others = right.get(broker);
    if (others !== undefined) pairs.push([tellings, others]);
  }
  return pairs.length === 0 ? [[[...left.values()].flat(), [...right.values()].flat()]] : pairs;
}

/** Null where a side may have the config, but was never asked for it. */
function lastOfBoth([lefts, rights]: TellingsPair, key: string): SeenPair | null {
  const left = lastOf(lefts, key);
  const right = lastOf(rights, key);
  const isKnown = (left !== null || isWhole(lefts)) && (right !== null || isWhole(rights));
  return isKnown && (left !== null || right !== null) ? [left, right] : null;
}

function lastOf(tellings: readonly Telling[], key: string): SeenConfig | null {
  let last: SeenConfig | null = null;
  for (const { configs } of tellings) {
    const seen = configs.get(key);
    if (seen !== undefined && (last === null || isAfter(seen.at, last.at))) last = seen;
  }
  return last;
}

function isWhole(tellings: readonly Telling[]): boolean {
  return tellings.some((telling) => telling.isWhole);
}

function isSet(seen: SeenConfig | null): boolean {
  return seen !== null && seen.source !== DEFAULT_CONFIG;
}

function isSame(one: SeenConfig | null, other: SeenConfig | null): boolean {
  if (one === null || other === null) return one === other;
  return one.value === other.value && (one.source === null || other.source === null || one.source === other.source);
}

function rowOf({ type, name }: SeenResource, key: string, [left, right]: SeenPair, showSecrets: boolean): DifferenceRow {
  return {
    type: 'difference',
    resourceType: type,
    resourceTypeName: codeName(resourceTypes, type),
    resourceName: name,
    key,
    left: left && sideValue(left, showSecrets),
    right: right && sideValue(right, showSecrets),
  };
}

function sideValue({ value, source, isSensitive, at }: SeenConfig, showSecrets: boolean): SideValue {
  const sourceName = source === null ? null : codeName(configSources, source);
  return { ...redactable(value, isSensitive && !showSecrets), source, sourceName, time: isoTime(at) };
}

function byName(one: DifferenceRow, other: DifferenceRow): number {
  return one.resourceType - other.resourceType || compareTexts(one.resourceName, other.resourceName) || compareTexts(one.key, other.key);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
