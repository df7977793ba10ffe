import { isatty } from 'node:tty';
import { InterfaceCapture } from './interface-capture.ts';
import { capturesOf } from './options.ts';
import type { RunSettings } from './run.ts';
import { UsageError } from './usage-error.ts';

/** Asking `process.stdin` itself would make standard input non-blocking, also for those who share it and want it. */
const STDIN = 0;

/** The shared options as yargs parses them. */
export interface CaptureArguments {
  readonly interface?: string | undefined;
  readonly filter?: string | undefined;
  readonly maxFrame: number;
  readonly strict?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/**
 * What to read, from the shared options and the words behind the command's name. Starts to capture where an interface is named. Throws
 * {@link UsageError} where there is nothing that could be read.
 */
export async function runSettings(parsed: CaptureArguments, words: readonly (string | number)[]): Promise<RunSettings> {
  const reading = { maxFrameBytes: parsed.maxFrame, strict: parsed.strict ?? false, quiet: parsed.quiet ?? false };
  if (parsed.interface === undefined) return { ...reading, captures: capturesOf(words, isatty(STDIN)), live: null };
  if (words.length > 0) throw new UsageError(`--interface reads no captures beside it: leave out ${words.join(' ')}, or --interface`);
  const live = await InterfaceCapture.start(parsed.interface, parsed.filter);
  return { ...reading, captures: [parsed.interface], live };
}
