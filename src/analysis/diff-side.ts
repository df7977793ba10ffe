import { type Moment, parseMoment } from './filters/moment.ts';

/** One side of a comparison. */
export type DiffSide =
  | { readonly kind: 'capture'; readonly text: string; readonly capture: string }
  | { readonly kind: 'time'; readonly text: string; readonly moment: Moment }
  | { readonly kind: 'broker'; readonly text: string; readonly broker: string }
  | { readonly kind: 'server'; readonly text: string; readonly server: string };

/**
 * Reads `@2026-11-29T18:21:00Z` (without a zone it is UTC, or `localZone` the local time), `broker:1`, `server:127.0.0.1:9092`, or a capture's
 * path. Throws a `FilterError` for a time that is none.
 */
export function parseSide(option: string, text: string, localZone = false): DiffSide {
  if (text.startsWith('@')) return { kind: 'time', text, moment: parseMoment(`${option} @`, text.slice(1), localZone) };
  const [, kind, name] = /^(broker|server):(.*)$/s.exec(text) ?? [];
  if (kind === 'broker' && name !== undefined) return { kind, text, broker: name };
  if (kind === 'server' && name !== undefined) return { kind, text, server: name };
  return { kind: 'capture', text, capture: text };
}
