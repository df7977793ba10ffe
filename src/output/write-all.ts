import { writeSync } from 'node:fs';

/** How long to sleep before a full non-blocking pipe is tried again. */
const RETRY_MILLIS = 1;

/** The descriptor can't be written: nobody reads it any more, the disk is full, it isn't open. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  /** The system's name for the cause: `EPIPE`, `ENOSPC`. */
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code ?? 'EIO';
  }

  /** The reader has what it wanted and went away, as `head` does. */
  get readerGone(): boolean {
    return this.code === 'EPIPE';
  }
}

/**
 * Writes `bytes[start, end)` whole before it returns, sleeping where a non-blocking pipe is full. Throws {@link OutputError} where that
 * can't be done; part of the bytes may have been written then.
 */
export function writeAll(fd: number, bytes: Uint8Array, start: number, end: number): void {
  let at = start;
  while (at < end) {
    try {
      at += writeSync(fd, bytes, at, end - at);
    } catch (error) {
      const cause = error as NodeJS.ErrnoException;
      if (cause.code !== 'EAGAIN') throw new OutputError(cause);
      sleep(RETRY_MILLIS);
    }
  }
}

function sleep(millis: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);
}
