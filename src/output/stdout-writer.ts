import { OUTPUT_FLUSH_BYTES } from '../limits.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { writeAll } from './write-all.ts';

const STDOUT = 1;

/**
 * Collects records and writes them to stdout in large pieces, synchronously: several times faster than a write of the stream's each
 * (ARCHITECTURE.md). Between two records the buffer never holds a part of one; only a record of megabytes is written in parts.
 *
 * A stdout that was closed before the start can't be told from /dev/null: Node opens that in its place.
 */
export class StdoutWriter {
  /** Append records here. */
  readonly buffer = new ByteBuffer();
  readonly #fd: number;

  constructor(fd: number = STDOUT) {
    this.#fd = fd;
    this.buffer.drain = () => this.flush();
  }

  /** To be called after each record; writes once enough has been collected. Throws {@link OutputError} like {@link flush}. */
  recordEnded(): void {
    if (this.buffer.length >= OUTPUT_FLUSH_BYTES) this.flush();
  }

  /** Writes what has been collected. Throws {@link OutputError} where that can't be done; what had been collected is gone then. */
  flush(): void {
    if (this.buffer.length === 0) return;
    const bytes = this.buffer.view();
    try {
      writeAll(this.#fd, bytes, 0, bytes.length);
    } finally {
      this.buffer.clear();
    }
  }
}
