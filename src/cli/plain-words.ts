import { MAX_FRAME_BYTES } from '../limits.ts';
import type { DissectArguments } from './commands/dissect.ts';

/** Options without a value, by their words. */
const FLAGS: ReadonlyMap<string, 'quiet' | 'strict' | 'full' | 'noAbout' | 'hex'> = new Map([
  ['-q', 'quiet'],
  ['--quiet', 'quiet'],
  ['--strict', 'strict'],
  ['--full', 'full'],
  ['--no-about', 'noAbout'],
  ['--hex', 'hex'],
]);
const FORMATS = ['tree', 'ndjson', 'line'] as const;

/**
 * What the most usual command lines mean, without yargs: captures, the options above and `--format`. Null for any other, and for what might be
 * a command's name or a mistake: yargs is asked then, which means the same by these words (a test holds that) but takes longer to load
 * than all else together (`npm run bench -- --only start-up`: 2.9 times the time of an empty Node against 1.7).
 */
export function plainArguments(words: readonly string[]): DissectArguments | null {
  const captures: string[] = [];
  const flags = new Map<string, true>();
  let format: DissectArguments['format'];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const flag = FLAGS.get(word);
    if (flag !== undefined) flags.set(flag, true);
    else if (isCapture(word)) captures.push(word);
    else if ((word === '-f' || word === '--format') && format === undefined) {
      format = FORMATS.find((known) => known === words[i + 1]);
      if (format === undefined) return null;
      i++;
    } else return null;
  }
  return captures.length === 0 ? null : { _: captures, format, maxFrame: MAX_FRAME_BYTES, ...Object.fromEntries(flags) };
}

/** No command has a dot or a slash in its name. */
function isCapture(word: string): boolean {
  return word === '-' || (!word.startsWith('-') && /[./]/.test(word));
}
