import { redactedText } from '../decode/content.ts';
import type { Redactable } from '../records/rows.ts';

/** A value for a row, or its length where it is a secret. Null is none. */
export function redactable(value: string | null, isSecret: boolean): Redactable {
  if (!isSecret || value === null) return { value };
  return { value: redactedText(Buffer.byteLength(value)), valueRedacted: true };
}
