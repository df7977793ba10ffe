import { isUtf8 } from 'node:buffer';
import stringWidth from 'string-width';
import { utf8Text } from '../wire/text.ts';
import { safeJson } from './safe-text.ts';

const ELLIPSIS = '…';

/** Text in double quotes with JSON escapes; safe on a terminal, and still the JSON string it stands for. */
export function quoteText(text: string): string {
  return safeJson(text);
}

/** The bytes as a quoted string: UTF-8 with JSON escapes, bytes that aren't UTF-8 as `\xHH`. Safe on a terminal. */
export function quoteUtf8(bytes: Uint8Array, start: number, end: number): string {
  return quoteUtf8Within(bytes, start, end, Number.POSITIVE_INFINITY).text;
}

/** A text that was made to fit, and the bytes that weren't. */
export interface Fitted {
  readonly text: string;
  readonly cutBytes: number;
}

/** Like {@link quoteUtf8}, but ends before the first character that would not fit into `columns`, quotes included. Walks no further than that. */
export function quoteUtf8Within(bytes: Uint8Array, start: number, end: number, columns: number): Fitted {
  if (columns === Number.POSITIVE_INFINITY && isUtf8(bytes.subarray(start, end)))
    return { text: quoteText(utf8Text(bytes, start, end)), cutBytes: 0 };
  let text = '"';
  let left = columns - 2;
  let at = start;
  while (at < end) {
    const length = characterBytes(bytes, at, end);
    const shown = length === 0 ? `\\x${hexByte(bytes[at] as number)}` : escapeCharacter(utf8Text(bytes, at, at + length));
    left -= columnsOf(shown);
    if (left < 0) break;
    text += shown;
    at += length || 1;
  }
  return { text: `${text}"`, cutBytes: end - at };
}

/** Columns that a text takes on a terminal; wide characters take two, combining ones none. */
export function columnsOf(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7e) return stringWidth(text);
  return text.length;
}

/** The text in exactly `columns` columns: padded with spaces, or cut with `…` as its last column. Expects safe text. */
export function fitText(text: string, columns: number): string {
  const cut = cutText(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - columnsOf(cut)));
}

/** Like {@link fitText}, but keeps the end: `…` is the first column. */
export function fitEnd(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return fitText(text, columns);
  let kept = '';
  let left = columns - 1;
  for (const character of [...text].reverse()) {
    left -= columnsOf(character);
    if (left < 0) break;
    kept = character + kept;
  }
  return fitText(ELLIPSIS + kept, columns);
}

/** The text if it fits into `columns`, else its beginning and `…`. Expects safe text. */
export function cutText(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let left = columns - 1;
  for (const character of text) {
    left -= columnsOf(character);
    if (left < 0) break;
    kept += character;
  }
  return columns < 1 ? '' : kept + ELLIPSIS;
}

/** Two lower case hexadecimal digits. */
export function hexByte(byte: number): string {
  return (byte < 16 ? '0' : '') + byte.toString(16);
}

function escapeCharacter(character: string): string {
  return quoteText(character).slice(1, -1);
}

/** Bytes of the UTF-8 character at `at`, 0 where there is none: the Unicode Standard, table 3-7 (well-formed byte sequences). */
function characterBytes(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) return 0;
  const second = bytes[at + 1] as number;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0;
  return length;
}
