import { FilterError } from '../../errors.ts';

/** Whether a text is one that was asked for. */
export type TextTest = (text: string) => boolean;

const REGEX = /^\/(.*)\/([a-z]*)$/s;
const REGEX_FLAGS = /^[imsu]*$/;

/**
 * Reads what an option asks for: a text, a glob (`*` any characters, `?` one), a regular expression between slashes (`/^a|b$/i`), or
 * several of them separated by commas, of which any may hold. A regular expression stands alone: it may have commas of its own.
 */
export function parseTexts(option: string, asked: string): TextTest {
  const [, source, flags = ''] = REGEX.exec(asked) ?? [];
  if (source !== undefined) return regexTest(option, source, flags);
  const tests = asked.split(',').map((part) => textTest(part.trim()));
  return (text) => tests.some((test) => test(text));
}

/** A text or a glob. */
export function textTest(asked: string): TextTest {
  if (!/[*?]/.test(asked)) return (text) => text === asked;
  const pattern = asked
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  const glob = new RegExp(`^${pattern}$`, 'su');
  return (text) => glob.test(text);
}

function regexTest(option: string, source: string, flags: string): TextTest {
  try {
    if (!REGEX_FLAGS.test(flags)) throw new SyntaxError(`unknown flags ${flags}`);
    const regex = new RegExp(source, flags);
    return (text) => regex.test(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/^Invalid regular expression: /, '');
    throw new FilterError(`${option} /${source}/${flags} is no regular expression of JavaScript: ${reason}`);
  }
}
