import { textAt } from '../../decode/content.ts';
import type { Decoded } from '../../decode/decoded.ts';
import type { Resource } from '../../decode/resources.ts';
import { auxAt, bodyEntry, childEntries, memberEntry, NO_ENTRY } from '../../decode/walk.ts';

const TOPIC = 2;
const DEFAULT_CONFIG = 5;

/** One element of a message's list of resources, topics or results. */
export interface ResourceEntry extends Resource {
  /** Its tape index. */
  readonly index: number;
}

/** One config of a resource. */
export interface ConfigEntry {
  /** Its tape index. */
  readonly index: number;
  readonly key: string;
}

/** Names of the lists of messages about configs: DescribeConfigs, (Incremental)AlterConfigs and CreateTopics. */
const LISTS: readonly string[] = ['resources', 'results', 'responses', 'topics'];

/** The resources that a message about configs names, in wire order, as far as they were decoded; none for other messages. */
export function* resourceEntries(decoded: Decoded): Generator<ResourceEntry> {
  const body = bodyEntry(decoded);
  for (const list of LISTS) {
    for (const index of childEntries(decoded, memberEntry(decoded, body, list))) {
      const resource = list === 'topics' ? topicOf(decoded, index) : resourceOf(decoded, index);
      if (resource !== null) yield { index, ...resource };
    }
  }
}

function resourceOf(decoded: Decoded, index: number): Resource | null {
  const type = memberEntry(decoded, index, 'resourceType');
  const name = textAt(decoded, memberEntry(decoded, index, 'resourceName'));
  return type === NO_ENTRY || name === null ? null : { type: auxAt(decoded, type), name };
}

function topicOf(decoded: Decoded, index: number): Resource | null {
  const name = textAt(decoded, memberEntry(decoded, index, 'name'));
  return name === null ? null : { type: TOPIC, name };
}

/** The configs of a resource. One whose name wasn't decoded isn't among them. */
export function* configEntries(decoded: Decoded, resource: number): Generator<ConfigEntry> {
  for (const index of childEntries(decoded, memberEntry(decoded, resource, 'configs'))) {
    const key = textAt(decoded, memberEntry(decoded, index, 'name'));
    if (key !== null) yield { index, key };
  }
}

/**
 * Whether somebody set a config: its source isn't DEFAULT_CONFIG, or in version 0 it says that it is no default. A config that doesn't say
 * stands in a request that sets it.
 */
export function isSet(decoded: Decoded, config: number): boolean {
  const source = memberEntry(decoded, config, 'configSource');
  if (source !== NO_ENTRY) return auxAt(decoded, source) !== DEFAULT_CONFIG;
  const isDefault = memberEntry(decoded, config, 'isDefault');
  return isDefault === NO_ENTRY || auxAt(decoded, isDefault) === 0;
}

/** The keys that a DescribeConfigs request names for a resource; null where it asks for all. */
export function keysAsked(decoded: Decoded, resource: number): string[] | null {
  const list = memberEntry(decoded, resource, 'configurationKeys');
  if (list === NO_ENTRY || auxAt(decoded, list) < 0) return null;
  return Array.from(childEntries(decoded, list), (key) => textAt(decoded, key) ?? '');
}
