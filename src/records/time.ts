import { nanosBetween, type PacketPosition } from '../capture/packet.ts';

/** Furthest second from 1970 in either direction that a Date can hold (ECMA-262, Time Values and Time Range). */
export const MAX_SECONDS = 8.64e12;
const NANOS_PER_MILLI = 1e6;

/**
 * UTC as ISO 8601, with 9 decimals where the packet's interface has a resolution finer than a microsecond, else 6:
 * `2026-11-29T17:05:00.123456Z`. Null where the capture has no time for the packet, or one that no calendar goes to.
 */
export function isoTime(at: Instant): string | null {
  if (!(Math.abs(at.seconds) <= MAX_SECONDS)) return null;
  return `${calendarTime(at.seconds, at)}Z`;
}

/** When a packet was captured, apart from which one it is. */
export type Instant = Pick<PacketPosition, 'seconds' | 'nanos' | 'fine'>;

/** What {@link isoTime} wrote. */
export function parseIsoTime(text: string): Instant {
  const [second = '', decimals = ''] = text.slice(0, -'Z'.length).split('.');
  return { seconds: Date.parse(`${second}Z`) / 1000, nanos: Number(decimals.padEnd(9, '0')), fine: decimals.length > 6 };
}

/** Date and time of day of seconds from 1970, with the packet's decimals: `2026-11-29T17:05:00.123456`. */
export function calendarTime(seconds: number, { nanos, fine }: Instant): string {
  const second = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  const decimals = String(nanos).padStart(9, '0');
  return `${second}.${fine ? decimals : decimals.slice(0, 6)}`;
}

/**
 * Milliseconds from one packet to another; null where either isn't there or has no time. Exact: the quotient is the double nearest to the
 * true value, and prints with the decimals that the captures had.
 */
export function millisBetween(from: PacketPosition | null, to: PacketPosition | null): number | null {
  if (from === null || to === null) return null;
  const nanos = nanosBetween(from, to);
  return Number.isNaN(nanos) ? null : nanos / NANOS_PER_MILLI;
}
