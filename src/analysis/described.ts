import { textAt } from '../decode/content.ts';
import { type Decoded, ENTRY_WORDS } from '../decode/decoded.ts';
import { auxAt, bodyEntry, childEntries, memberEntry, NO_ENTRY, nextAt, nodeAt } from '../decode/walk.ts';

/** What a DescribeConfigs request asks of one resource. */
export interface AskedResource {
  readonly type: number;
  readonly name: string;
  /** It names no keys, which asks for all of them. */
  readonly allKeys: boolean;
}

/** What a response says of one resource, as far as it was decoded. */
export interface DescribedResource {
  readonly type: number;
  readonly name: string;
  readonly errorCode: number;
  readonly errorMessage: string | null;
  /** Tape entry, for {@link describedConfigs}. */
  readonly entry: number;
}

/** One config of a resource. */
export interface DescribedConfig {
  readonly key: string;
  readonly value: string | null;
  /** Null in version 0. */
  readonly source: number | null;
  readonly isSensitive: boolean;
}

/** The resources of a DescribeConfigs request, in wire order, as far as they were decoded. */
export function* askedResources(request: Decoded): Generator<AskedResource> {
  for (const entry of childEntries(request, memberEntry(request, bodyEntry(request), 'resources'))) {
    const keys = memberEntry(request, entry, 'configurationKeys');
    const name = textAt(request, memberEntry(request, entry, 'resourceName'));
    if (keys === NO_ENTRY || name === null) return;
    yield { type: auxAt(request, memberEntry(request, entry, 'resourceType')), name, allKeys: auxAt(request, keys) <= 0 };
  }
}

/** The results of a DescribeConfigs response, in wire order, as far as they were decoded. */
export function* describedResources(response: Decoded): Generator<DescribedResource> {
  for (const entry of childEntries(response, memberEntry(response, bodyEntry(response), 'results'))) {
    const name = textAt(response, memberEntry(response, entry, 'resourceName'));
    if (name === null) return;
    yield {
      type: auxAt(response, memberEntry(response, entry, 'resourceType')),
      name,
      errorCode: auxAt(response, memberEntry(response, entry, 'errorCode')),
      errorMessage: textAt(response, memberEntry(response, entry, 'errorMessage')),
      entry,
    };
  }
}

/** The configs of a result, in wire order, as far as they were decoded, without the entries in `leftOut`. */
export function* describedConfigs(response: Decoded, result: number, leftOut: ReadonlySet<number> | null): Generator<DescribedConfig> {
  for (const entry of childEntries(response, memberEntry(response, result, 'configs'))) {
    if (leftOut?.has(entry)) continue;
    const config = configAt(response, entry);
    if (config === null) return;
    yield config;
  }
}

/** Reads a config in one pass over its members: they are many. Null where decoding stopped before it said whether it is sensitive. */
function configAt(response: Decoded, entry: number): DescribedConfig | null {
  let key = '';
  let value: string | null = null;
  let source: number | null = null;
  const until = Math.min(nextAt(response, entry), response.tapeLength);
  for (let member = entry + ENTRY_WORDS; member < until; member = nextAt(response, member)) {
    switch (nodeAt(response, member).jsonName) {
      case 'name':
        key = textAt(response, member) ?? '';
        break;
      case 'value':
        value = textAt(response, member);
        break;
      case 'configSource':
        source = auxAt(response, member);
        break;
      case 'isSensitive':
        return { key, value, source, isSensitive: auxAt(response, member) !== 0 };
    }
  }
  return null;
}
