/**
 * What a terminal might act on or that changes the order of what it shows: C0, DEL, C1, line and paragraph separators, the bidi controls of
 * UAX #9, the byte order mark, and surrogates without their other half.
 */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/**
 * Text for a terminal, unquoted: file names, diagnostics, anything that may hold bytes from outside. Whatever a terminal could act on
 * becomes a JSON escape; a backslash stays one, so that paths read as they were typed.
 */
export function safeText(text: string): string {
  return text.replace(UNSAFE, escapeUnit);
}

/** JSON that is safe on a terminal. What is unsafe stands inside strings alone, so that escaping it leaves the value what it was. */
export function safeJson(value: object | string): string {
  return safeText(JSON.stringify(value));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
