import { Kind } from '../schema/plan.ts';

/**
 * A value of fixed size as text: integers in decimal, booleans as `true` or `false` with the byte beside it where it is neither 0 nor 1,
 * uuids as Kafka prints them (base64url, RFC 4648, without padding). `aux` is the tape's; wider values are read from `bytes` at `at`.
 */
export function numberText(kind: Kind, aux: number, bytes: Uint8Array, at: number): string {
  switch (kind) {
    case Kind.bool:
      return aux === 0 ? 'false' : aux === 1 ? 'true' : `true (byte ${aux & 0xff})`;
    case Kind.uint32:
      return String(aux >>> 0);
    case Kind.int64:
      return viewOf(bytes, at, 8).getBigInt64(0).toString();
    case Kind.float64:
      return String(viewOf(bytes, at, 8).getFloat64(0));
    case Kind.uuid:
      return Buffer.from(bytes.buffer, bytes.byteOffset + at, 16).toString('base64url');
    default:
      return String(aux);
  }
}

function viewOf(bytes: Uint8Array, at: number, length: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + at, length);
}
