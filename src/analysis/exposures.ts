import type { PacketPosition } from '../capture/packet.ts';
import { textAt } from '../decode/content.ts';
import { type Decoded, ENTRY_WORDS } from '../decode/decoded.ts';
import { secretEntries } from '../decode/secrets.ts';
import { bodyEntry, memberEntry, nextAt, nodeAt } from '../decode/walk.ts';
import { Kind } from '../schema/plan.ts';

/** A field that holds a secret. */
export interface SecretField {
  /** `resources[0].configs[2].value` */
  readonly path: string;
  /** The config whose value it is, null for others. */
  readonly key: string | null;
}

/** A secret that crossed in plain text, as it is kept until the end. */
export interface Exposure extends SecretField {
  readonly first: PacketPosition;
  readonly apiName: string;
  readonly clientId: string | null;
  /** Asked at the end: who somebody is may show only later. */
  principal(): string | null;
}

/** The fields of a message that hold secrets, in wire order. */
export function secretFields(decoded: Decoded): SecretField[] {
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
    for (let child = index + ENTRY_WORDS; child < until; child = nextAt(decoded, child)) {
      const { kind, jsonName } = nodeAt(decoded, child);
      const isUnnamed = kind === Kind.tags || kind === Kind.tag;
      const name = isArray ? `[${ordinal++}]` : isUnnamed ? '' : path === '' ? jsonName : `.${jsonName}`;
      visit(child, path + name, isUnnamed ? parent : index);
    }
  };

  visit(bodyEntry(decoded), '', bodyEntry(decoded));
  return found;
}
