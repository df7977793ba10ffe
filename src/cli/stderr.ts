import { OutputError, writeAll } from '../output/write-all.ts';

const STDERR = 2;

/** Writes on stderr before it returns. A stderr that can't be written has nobody left to tell: that is passed over. */
export function writeStderr(text: string): void {
  const bytes = Buffer.from(text);
  try {
    writeAll(STDERR, bytes, 0, bytes.length);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
  }
}
