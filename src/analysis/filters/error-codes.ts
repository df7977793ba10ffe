import { type Decoded, ENTRY_WORDS } from '../../decode/decoded.ts';
import { auxAt, nextAt, nodeAt } from '../../decode/walk.ts';
import { FilterError } from '../../errors.ts';
import { errorNames } from '../../schema/error-codes.ts';

const NONE = 0;

/** Whether an error code is one that was asked for. */
export type ErrorTest = (code: number) => boolean;

/** Reads codes or names separated by commas: `29`, `TOPIC_AUTHORIZATION_FAILED`, `-1`; nothing, or `any`, is every code but 0. */
export function parseErrors(option: string, asked: string): ErrorTest {
  if (asked === '' || asked.toLowerCase() === 'any') return (code) => code !== NONE;
  const codes = new Set(asked.split(',').map((part) => errorCode(option, part.trim())));
  return (code) => codes.has(code);
}

function errorCode(option: string, text: string): number {
  const wanted = text.toUpperCase();
  for (const [code, name] of errorNames) if (name === wanted) return code;
  const code = Number(text);
  if (/^-?\d+$/.test(text) && code >= -32_768 && code <= 32_767) return code;
  const like = [...errorNames.values()].filter((name) => wanted.length > 2 && (name.includes(wanted) || wanted.includes(name)));
  const hint = like.length === 0 ? 'as in 29 or TOPIC_AUTHORIZATION_FAILED' : `perhaps ${like.slice(0, 4).join(', ')}`;
  throw new FilterError(
    `${option}: there is no error ${text}; it takes a code or a name of Kafka's, ${hint}, and without either means any error`,
  );
}

/** Whether some error code in the entries from `from` to `until` passes. */
export function hasError(decoded: Decoded, from: number, until: number, test: ErrorTest): boolean {
  for (let index = from; index < until; index += ENTRY_WORDS) {
    if (nodeAt(decoded, index).names === errorNames && test(auxAt(decoded, index))) return true;
  }
  return false;
}

/** The same for one entry and all that it holds. */
export function entryHasError(decoded: Decoded, entry: number, test: ErrorTest): boolean {
  return hasError(decoded, entry, nextAt(decoded, entry), test);
}
