import type { PacketPosition } from '../capture/packet.ts';
import type { SecretField } from '../decode/secret-fields.ts';

/** A secret that crossed in plain text, as it is kept until the end. */
export interface Exposure extends SecretField {
  readonly first: PacketPosition;
  readonly apiName: string;
  readonly clientId: string | null;
  /** Asked at the end: who somebody is may show only later. */
  principal(): string | null;
}
