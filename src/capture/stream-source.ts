import type { Readable } from 'node:stream';
import { type ByteSource, SourceError } from './byte-source.ts';

/** Reads a stream of bytes: a pipe, a socket, or whatever a program hands over. Closing destroys the stream. */
export class StreamSource implements ByteSource {
  inputBytesRead = 0;
  readonly inputBytes = undefined;
  readonly #stream: Readable;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();
  #used = 0;
  #closed = false;

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async read(target: Uint8Array, start: number, end: number): Promise<number> {
    while (this.#used === this.#chunk.length) {
      const next = await this.#next();
      if (next === null) return 0;
      this.#chunk = next;
      this.#used = 0;
    }
    const taken = this.#chunk.subarray(this.#used, this.#used + end - start);
    target.set(taken, start);
    this.#used += taken.length;
    this.inputBytesRead += taken.length;
    return taken.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stream.destroy();
  }

  async #next(): Promise<Uint8Array | null> {
    if (this.#closed) return null;
    try {
      const { done, value } = await this.#chunks.next();
      return done === true ? null : value;
    } catch (error) {
      if (this.#closed) return null;
      throw new SourceError('capture-unreadable', `reading stopped: ${(error as Error).message}`, { cause: error });
    }
  }
}
