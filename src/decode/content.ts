import { type Decoded, Word } from './decoded.ts';
import { auxAt, NO_ENTRY } from './walk.ts';

/** The text of a string entry; null for null and for {@link NO_ENTRY}. Bytes that aren't UTF-8 become U+FFFD, as WHATWG says. */
export function textAt(decoded: Decoded, index: number): string | null {
  return index === NO_ENTRY || auxAt(decoded, index) < 0 ? null : contentBuffer(decoded, index).toString('utf8');
}

/** The content of a string, bytes or records entry that isn't null. Borrows the frame's bytes. */
export function contentBuffer(decoded: Decoded, index: number): Buffer {
  const { bytes, origin } = decoded;
  return Buffer.from(bytes.buffer, bytes.byteOffset + origin + auxAt(decoded, index), contentBytes(decoded, index));
}

/** Bytes of a string, bytes or records entry without its length prefix; 0 for null. */
export function contentBytes(decoded: Decoded, index: number): number {
  const start = auxAt(decoded, index);
  return start < 0 ? 0 : (decoded.tape[index + Word.end] as number) - start;
}

/** The value of an int64 entry. */
export function int64At(decoded: Decoded, index: number): bigint {
  return viewOf(decoded, index).getBigInt64(0);
}

/** The value of a float64 entry. */
export function float64At(decoded: Decoded, index: number): number {
  return viewOf(decoded, index).getFloat64(0);
}

/** A uuid entry as Kafka prints it: base64url without padding. */
export function uuidAt(decoded: Decoded, index: number): string {
  const view = viewOf(decoded, index);
  return Buffer.from(view.buffer, view.byteOffset, 16).toString('base64url');
}

/** What stands in the place of a secret. */
export function redactedText(contentBytes: number): string {
  return `<redacted, ${contentBytes} bytes>`;
}

function viewOf(decoded: Decoded, index: number): DataView {
  const { bytes, origin, tape } = decoded;
  return new DataView(bytes.buffer, bytes.byteOffset + origin + (tape[index + Word.start] as number));
}
