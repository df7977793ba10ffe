import { textAt } from './content.ts';
import type { Decoded } from './decoded.ts';
import { auxAt, bodyEntry, childEntries, memberEntry, NO_ENTRY } from './walk.ts';

/** A resource that a request asks for or a response tells about. */
export interface Resource {
  /** A code of `resourceTypes`. */
  readonly type: number;
  readonly name: string;
}

/**
 * The resources of a message about configs (DescribeConfigs, AlterConfigs, IncrementalAlterConfigs), in wire order, as far as they were
 * decoded. Empty for other messages.
 */
export function resourcesOf(decoded: Decoded): Resource[] {
  const body = bodyEntry(decoded);
  const requested = memberEntry(decoded, body, 'resources');
  const list = requested === NO_ENTRY ? firstOf(memberEntry(decoded, body, 'results'), memberEntry(decoded, body, 'responses')) : requested;
  const resources: Resource[] = [];
  for (const entry of childEntries(decoded, list)) {
    const type = memberEntry(decoded, entry, 'resourceType');
    const name = textAt(decoded, memberEntry(decoded, entry, 'resourceName'));
    if (type !== NO_ENTRY && name !== null) resources.push({ type: auxAt(decoded, type), name });
  }
  return resources;
}

function firstOf(first: number, second: number): number {
  return first === NO_ENTRY ? second : first;
}
