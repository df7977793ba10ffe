import { textAt } from '../decode/content.ts';
import type { Decoded } from '../decode/decoded.ts';
import { auxAt, memberEntry, NO_ENTRY, nodeAt } from '../decode/walk.ts';
import { Kind, type PlanNode } from '../schema/plan.ts';
import { keptFields, memberKinds, resourceKind } from './kinds.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** What holds an entry of a tape. */
export interface Holder {
  readonly index: number;
  readonly node: PlanNode;
  /** The array around it, if it is an element. */
  readonly array: PlanNode | null;
}

/** The text to put in the place of the string at `index`, which isn't null; null where it stays. */
export function pseudonymAt(decoded: Decoded, index: number, holder: Holder, pseudonyms: Pseudonyms): string | null {
  const { jsonName } = holder.node.kind === Kind.array ? holder.node : nodeAt(decoded, index);
  const text = textAt(decoded, index) ?? '';
  if (keptFields.has(jsonName) || isConfigKey(jsonName, holder.node)) return null;
  if (jsonName === 'host' || jsonName === 'clientHost') return pseudonyms.host(text);
  const kind = kindOf(decoded, jsonName, text, holder);
  return kind === null ? null : pseudonyms.of(kind, text);
}

/** The `name` beside a `value`. */
function isConfigKey(jsonName: string, { fields }: PlanNode): boolean {
  return jsonName === 'name' && fields.some((field) => field.jsonName === 'value');
}

function kindOf(decoded: Decoded, jsonName: string, text: string, { index, array }: Holder): string | null {
  if (jsonName === 'resourceName') {
    const type = memberEntry(decoded, index, 'resourceType');
    return resourceKind(type === NO_ENTRY ? null : auxAt(decoded, type), text);
  }
  // A topic among `topics` is called `name`.
  const named = jsonName === 'name' && array !== null ? array.jsonName : jsonName;
  return memberKinds.get(named) ?? 'text';
}
