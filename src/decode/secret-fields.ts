import { Kind } from '../schema/plan.ts';
import { textAt } from './content.ts';
import { type Decoded, ENTRY_WORDS } from './decoded.ts';
import { secretEntries } from './secrets.ts';
import { bodyEntry, memberEntry, nextAt, nodeAt } from './walk.ts';

/** A field that holds a secret. */
export interface SecretField {
  /** `resources[0].configs[2].value` */
  readonly path: string;
  /** The config whose value it is, null for others. */
  readonly key: string | null;
}

/** The fields of a message that hold secrets, in wire order, and at most so many of them. */
export function secretFields(decoded: Decoded, limit = Number.POSITIVE_INFINITY): SecretField[] {
  const secrets = secretEntries(decoded, false);
  const found: SecretField[] = [];
  if (secrets === null) return found;

  const visit = (index: number, path: string, parent: number): void => {
    if (secrets.has(index)) {
      found.push({ path, key: textAt(decoded, memberEntry(decoded, parent, 'name')) });
      return;
    }
    const isArray = nodeAt(decoded, index).kind === Kind.array;
    const until = Math.min(nextAt(decoded, index), decoded.tapeLength);
    let ordinal = 0;
    for (let child = index + ENTRY_WORDS; child < until && found.length < limit; child = nextAt(decoded, child)) {
      const { kind, jsonName } = nodeAt(decoded, child);
      const isUnnamed = kind === Kind.tags || kind === Kind.tag;
      const name = isArray ? `[${ordinal++}]` : isUnnamed ? '' : path === '' ? jsonName : `.${jsonName}`;
      visit(child, path + name, isUnnamed ? parent : index);
    }
  };

  visit(bodyEntry(decoded), '', bodyEntry(decoded));
  return found;
}
