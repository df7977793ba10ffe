import { float64At, int64At, uuidAt } from '../decode/content.ts';
import type { Decoded } from '../decode/decoded.ts';
import { auxAt, nodeAt } from '../decode/walk.ts';
import { Kind } from '../schema/plan.ts';

/**
 * The value of an entry of fixed size as text: numbers in decimal, booleans as `true` or `false` with the byte beside it where it is neither
 * 0 nor 1, uuids as Kafka prints them (base64url without padding, RFC 4648).
 */
export function numberText(decoded: Decoded, index: number): string {
  const aux = auxAt(decoded, index);
  switch (nodeAt(decoded, index).kind) {
    case Kind.bool:
      return aux === 0 ? 'false' : aux === 1 ? 'true' : `true (byte ${aux & 0xff})`;
    case Kind.uint32:
      return String(aux >>> 0);
    case Kind.int64:
      return int64At(decoded, index).toString();
    case Kind.float64:
      return String(float64At(decoded, index));
    case Kind.uuid:
      return uuidAt(decoded, index);
    default:
      return String(aux);
  }
}
