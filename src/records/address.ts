import { addressText, ipv4Text } from '../net/address.ts';
import { int32 } from '../wire/bytes.ts';

/** An IPv4 or IPv6 address as text, from its 4 or 16 bytes. */
export function addressOf(bytes: Uint8Array): string {
  if (bytes.length === 4) return ipv4Text(int32(bytes, 0));
  return addressText(6, int32(bytes, 0), int32(bytes, 4), int32(bytes, 8), int32(bytes, 12));
}

/** The address of `192.0.2.1:51234` or `[2001:db8::1]:9092`, without port and brackets. */
export function hostOf(endpoint: string): string {
  return endpoint.slice(0, endpoint.lastIndexOf(':')).replace(/^\[|\]$/g, '');
}

/** The port of `192.0.2.1:51234` or `[2001:db8::1]:9092`. */
export function portOf(endpoint: string): string {
  return endpoint.slice(endpoint.lastIndexOf(':') + 1);
}
