import { type ByteSource, SourceError } from './byte-source.ts';

/** What a read came to: how many bytes, 0 at the end, or why there are none. */
type ReadResult = number | SourceError;

/**
 * The part of a source that is in memory: `bytes[start, end)`. Readers move `start` past what they used. Two buffers take turns: while a reader
 * works on one, the system reads into the other, behind room for what the reader will leave over; {@link fill} moves that there and swaps
 * them, so slices of `bytes` are good until the next `fill` only. (One reused buffer reads at two to four times the speed of a read
 * stream; the second one hides the reading behind the work where there are two processors: `npm run bench -- --only mix-64k`, wall.)
 */
export class SlidingWindow {
  bytes: Uint8Array;
  start = 0;
  end = 0;
  /** Nothing follows `end`. */
  ended = false;
  /** Why the source ended before its time; null if it didn't. */
  failure: SourceError | null = null;
  /** Bytes read at once. */
  readonly readBytes: number;
  readonly source: ByteSource;
  /** Offset of `bytes[0]` in the source; negative while the window is at the source's first bytes. */
  #offset = 0;
  /** The other buffer, and the reading into it behind its first `#roomBytes`. */
  #spare: Uint8Array;
  #roomBytes: number;
  #ahead: Promise<ReadResult> | null = null;

  constructor(source: ByteSource, readBytes: number) {
    this.source = source;
    this.readBytes = readBytes;
    this.#roomBytes = Math.ceil(readBytes / 4);
    this.bytes = new Uint8Array();
    this.#spare = new Uint8Array(this.#roomBytes + readBytes);
  }

  /** Bytes of the source that the window has shown so far. */
  get bytesRead(): number {
    return this.#offset + this.end;
  }

  /** Offset in the source of `bytes[index]`. */
  offsetOf(index: number): number {
    return this.#offset + index;
  }

  /**
   * Shows more bytes, as many as one read gave. The buffers grow, by doubling, only when what is left over needs it: never because a length field
   * says so. Never rejects for what is wrong with the source: that ends it and stands in `failure`.
   */
  async fill(): Promise<void> {
    if (this.ended) return;
    let result = await (this.#ahead ?? this.#read());
    // A file may have grown since the reading ahead met its end.
    if (result === 0 && this.#ahead !== null) result = await this.#read();
    this.#ahead = null;
    if (result instanceof SourceError) this.failure = result;
    if (result instanceof SourceError || result === 0) {
      this.ended = true;
      return;
    }
    this.#swap(result);
    this.#ahead = this.#read();
  }

  /** Fills until `bytes` bytes are there or the source has ended; true if they are. */
  async require(bytes: number): Promise<boolean> {
    while (this.end - this.start < bytes && !this.ended) await this.fill();
    return this.end - this.start >= bytes;
  }

  /** Goes over to the buffer that holds the next `read` bytes. */
  #swap(read: number): void {
    const leftBytes = this.end - this.start;
    const shownOffset = this.#offset + this.start;
    if (leftBytes > this.#roomBytes) this.#grow(leftBytes, read);
    const shown = this.#spare;
    this.#spare = this.bytes.length === shown.length ? this.bytes : new Uint8Array(shown.length);
    shown.set(this.bytes.subarray(this.start, this.end), this.#roomBytes - leftBytes);
    this.bytes = shown;
    this.start = this.#roomBytes - leftBytes;
    this.end = this.#roomBytes + read;
    this.#offset = shownOffset - this.start;
  }

  /** Gives the buffer that was read into room for what is left over. */
  #grow(leftBytes: number, read: number): void {
    const roomBytes = Math.max(leftBytes, 2 * this.#roomBytes);
    const grown = new Uint8Array(roomBytes + this.readBytes);
    grown.set(this.#spare.subarray(this.#roomBytes, this.#roomBytes + read), roomBytes);
    this.#spare = grown;
    this.#roomBytes = roomBytes;
  }

  /** Settles without an error that nobody waits for; what isn't the source's fault is a bug and rejects. */
  #read(): Promise<ReadResult> {
    const reading = this.source.read(this.#spare, this.#roomBytes, this.#spare.length);
    return reading.catch((error: unknown) => {
      if (error instanceof SourceError) return error;
      throw error;
    });
  }
}
