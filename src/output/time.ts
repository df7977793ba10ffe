import type { PacketPosition } from '../capture/packet.ts';

/** Furthest second from 1970 in either direction that a Date can hold (ECMA-262, Time Values and Time Range). */
const MAX_SECONDS = 8.64e12;

/**
 * UTC as ISO 8601, with 9 decimals where the packet's interface has a resolution finer than a microsecond, else 6:
 * `2026-11-29T17:05:00.123456Z`. Null where the capture has no time for the packet, or one that no calendar goes to.
 */
export function isoTime(at: PacketPosition): string | null {
  if (!(Math.abs(at.seconds) <= MAX_SECONDS)) return null;
  const second = new Date(at.seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  const decimals = String(at.nanos).padStart(9, '0');
  return `${second}.${at.fine ? decimals : decimals.slice(0, 6)}Z`;
}
