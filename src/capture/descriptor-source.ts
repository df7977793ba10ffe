import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import { type ByteSource, SourceError } from './byte-source.ts';

const readDescriptor = promisify(read);
const closeDescriptor = promisify(close);

const STANDARD_INPUT = 0;

/**
 * Reads a regular file or a device by its descriptor, from where that stands. Not for pipes: a read that waits would hold up the end of the
 * process. A file that grows meanwhile is read to its new end; one that shrinks ends early.
 */
export class DescriptorSource implements ByteSource {
  inputBytesRead = 0;
  readonly inputBytes: number | undefined;
  readonly #descriptor: number;
  #closed = false;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(descriptor: number, sizeBytes: number | undefined) {
    this.#descriptor = descriptor;
    this.inputBytes = sizeBytes;
  }

  async read(target: Uint8Array, start: number, end: number): Promise<number> {
    if (this.#closed) return 0;
    try {
      const reading = readDescriptor(this.#descriptor, target, start, end - start, null);
      this.#reading = reading.catch(() => {});
      const { bytesRead } = await reading;
      this.inputBytesRead += bytesRead;
      return bytesRead;
    } catch (error) {
      throw new SourceError('capture-unreadable', `reading stopped: ${(error as Error).message}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // Standard input stays open: its number would go to the next file opened. So would that of a descriptor on which a read still waits.
    if (this.#descriptor === STANDARD_INPUT) return;
    const closing = this.#reading.then(() => closeDescriptor(this.#descriptor));
    // A device may never give what was asked of it.
    if (this.inputBytes !== undefined) await closing;
  }
}
