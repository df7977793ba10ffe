import { Decompress } from 'fzstd';
import { MAX_ZSTD_WINDOW_BYTES } from '../limits.ts';
import { type ByteSource, SourceError, type SourceWarning } from './byte-source.ts';
import type { SlidingWindow } from './sliding-window.ts';
import { skipTrailer } from './trailer.ts';

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAX_BLOCK_BYTES = 1 << 17;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

/**
 * Decompresses Zstandard (RFC 8878): frames one after the other, skippable ones among them. Frames and blocks are taken apart here and only
 * then handed to fzstd, one block of at most 128 KiB at a time: so a bomb runs in flat memory, a window is refused before it is allocated,
 * and a cut stream gives every block before the cut. Content checksums are not verified.
 */
export class ZstdSource implements ByteSource {
  readonly #input: SlidingWindow;
  readonly #warn: SourceWarning;
  #output: Uint8Array = new Uint8Array();
  #used = 0;
  #frame: Decompress | null = null;
  #checksumBytes = 0;

  /** `input` stands at the first frame's magic number; it belongs to this source from now on. */
  constructor(input: SlidingWindow, warn: SourceWarning) {
    this.#input = input;
    this.#warn = warn;
  }

  get inputBytesRead(): number {
    return this.#input.source.inputBytesRead;
  }

  get inputBytes(): number | undefined {
    return this.#input.source.inputBytes;
  }

  async read(target: Uint8Array, start: number, end: number): Promise<number> {
    while (this.#used === this.#output.length) {
      if (this.#frame === null) {
        if (!(await this.#nextFrame())) return 0;
      } else await this.#nextBlock(this.#frame);
    }
    const taken = this.#output.subarray(this.#used, this.#used + end - start);
    target.set(taken, start);
    this.#used += taken.length;
    return taken.length;
  }

  close(): Promise<void> {
    return this.#input.source.close();
  }

  /** Opens the next frame with content; false if there is none. */
  async #nextFrame(): Promise<boolean> {
    const input = this.#input;
    for (;;) {
      const magic = (await input.require(4)) ? uint32(input.bytes, input.start) : 0;
      if (magic === FRAME_MAGIC) {
        await this.#openFrame();
        return true;
      }
      if ((magic & 0xfffffff0) !== SKIPPABLE_MAGIC) break;
      if (!(await input.require(8))) throw this.#cut();
      await this.#skip(8 + uint32(input.bytes, input.start + 4));
    }
    await skipTrailer(input, 'zstd', this.#warn);
    return false;
  }

  /** Checks the frame header (RFC 8878, section 3.1.1.1) and hands it on. */
  async #openFrame(): Promise<void> {
    const input = this.#input;
    if (!(await input.require(6))) throw this.#cut();
    const descriptor = input.bytes[input.start + 4] as number;
    const singleSegment = (descriptor & 0x20) !== 0;
    const sizeFlag = descriptor >> 6;
    const sizeBytes = sizeFlag === 0 ? Number(singleSegment) : 1 << sizeFlag;
    if ((descriptor & 0x03) !== 0) throw unsupported('needs a dictionary');
    const headerBytes = 5 + (singleSegment ? 0 : 1) + sizeBytes;
    if (!(await input.require(headerBytes))) throw this.#cut();
    const header = input.bytes.slice(input.start, input.start + headerBytes);
    const windowBytes = singleSegment ? contentBytes(header, sizeBytes) : windowOf(header[5] as number);
    if (windowBytes > MAX_ZSTD_WINDOW_BYTES) {
      throw unsupported(`needs a window of ${windowBytes} bytes, more than the limit of ${MAX_ZSTD_WINDOW_BYTES}`);
    }
    input.start += headerBytes;
    this.#checksumBytes = (descriptor & 0x04) === 0 ? 0 : 4;
    this.#frame = new Decompress((output) => this.#take(output));
    this.#push(this.#frame, header, false);
  }

  #take(output: Uint8Array): void {
    if (output.length === 0) return;
    // A short frame waits in fzstd until its blocks come to 18 bytes, and then all of them come at once.
    this.#output = this.#used === this.#output.length ? output : Buffer.concat([this.#output.subarray(this.#used), output]);
    this.#used = 0;
  }

  async #nextBlock(frame: Decompress): Promise<void> {
    const input = this.#input;
    if (!(await input.require(3))) throw this.#cut();
    const header =
      (input.bytes[input.start] as number) |
      ((input.bytes[input.start + 1] as number) << 8) |
      ((input.bytes[input.start + 2] as number) << 16);
    const last = (header & 1) !== 0;
    const type = (header >> 1) & 3;
    const size = header >> 3;
    if (type === RESERVED_BLOCK || size > MAX_BLOCK_BYTES) throw damaged('a block header that is none of RFC 8878');
    const blockBytes = 3 + (type === RLE_BLOCK ? 1 : size) + (last ? this.#checksumBytes : 0);
    if (!(await input.require(blockBytes))) throw this.#cut();
    const block = input.bytes.slice(input.start, input.start + blockBytes);
    input.start += blockBytes;
    this.#push(frame, block, last);
    if (last) this.#frame = null;
  }

  #push(frame: Decompress, bytes: Uint8Array, last: boolean): void {
    try {
      frame.push(bytes, last);
    } catch (error) {
      throw damaged((error as Error).message);
    }
  }

  async #skip(bytes: number): Promise<void> {
    const input = this.#input;
    let left = bytes;
    while (left > 0) {
      if (!(await input.require(1))) throw this.#cut();
      const skipped = Math.min(left, input.end - input.start);
      input.start += skipped;
      left -= skipped;
    }
  }

  #cut(): SourceError {
    return this.#input.failure ?? new SourceError('capture-truncated', 'the zstd stream is cut short');
  }
}

/** Window_Size of a window descriptor. */
function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** Frame_Content_Size, which stands at the end of the header. */
function contentBytes(header: Uint8Array, sizeBytes: number): number {
  let value = sizeBytes === 2 ? 256 : 0;
  for (let index = 0; index < sizeBytes; index++) value += (header[header.length - sizeBytes + index] as number) * 256 ** index;
  return value;
}

function uint32(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset] as number) |
      ((bytes[offset + 1] as number) << 8) |
      ((bytes[offset + 2] as number) << 16) |
      ((bytes[offset + 3] as number) << 24)) >>>
    0
  );
}

function unsupported(what: string): SourceError {
  return new SourceError('capture-unreadable', `the zstd stream ${what}; decompress it first (zstd -d --long=31)`);
}

function damaged(what: string): SourceError {
  return new SourceError('capture-corrupt', `the zstd stream can't be decompressed (${what}); what follows is lost`);
}
