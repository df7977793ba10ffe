import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import { INFLATE_BYTES } from '../limits.ts';
import { type ByteSource, SourceError, type SourceWarning } from './byte-source.ts';
import type { SlidingWindow } from './sliding-window.ts';
import { skipTrailer } from './trailer.ts';

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
/** Header flags of RFC 1952, section 2.3.1. */
const HEADER_CRC = 0x02;
const EXTRA = 0x04;
const NAME = 0x08;
const COMMENT = 0x10;
const RESERVED = 0xe0;
/** Output that one call of zlib fills. Up to so much good output in front of damage is lost: zlib doesn't hand it over with its error. */
const OUTPUT_BYTES = 1 << 16;
/** More output than this of one piece of input makes the next one smaller. */
const INFLATED_BYTES = 1 << 20;
const LEAST_PIECE_BYTES = 512;

/**
 * Decompresses gzip (RFC 1952): members one after the other, as pigz and bgzip write them. Members are taken apart here and only their
 * deflate streams go to zlib, because its own handling of them drops good output when something else follows in the same read.
 */
export class GzipSource implements ByteSource {
  readonly #input: SlidingWindow;
  readonly #warn: SourceWarning;
  #output: Uint8Array[] = [];
  #used = 0;
  #member: Member | null = null;
  #members = 0;
  #ended = false;
  #failure: SourceError | null = null;
  /** Compressed bytes to inflate next. */
  #pieceBytes = INFLATE_BYTES;
  /** The inflating that goes on in zlib's thread while the reader is busy with what came before. */
  #ahead: Promise<void>;

  /** `input` stands at the first member's magic number; it belongs to this source from now on. */
  constructor(input: SlidingWindow, warn: SourceWarning) {
    this.#input = input;
    this.#warn = warn;
    this.#ahead = this.#inflate();
  }

  get inputBytesRead(): number {
    return this.#input.source.inputBytesRead;
  }

  get inputBytes(): number | undefined {
    return this.#input.source.inputBytes;
  }

  async read(target: Uint8Array, start: number, end: number): Promise<number> {
    await this.#ahead;
    const first = this.#output[0];
    if (first === undefined) {
      if (this.#failure !== null) throw this.#failure;
      return 0;
    }
    const taken = first.subarray(this.#used, this.#used + end - start);
    target.set(taken, start);
    this.#used += taken.length;
    if (this.#used === first.length) {
      this.#output.shift();
      this.#used = 0;
      if (this.#output.length === 0) this.#ahead = this.#inflate();
    }
    return taken.length;
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#input.source.close();
    await this.#ahead;
    this.#member?.close();
  }

  /** Goes on until there is output or nothing to come. Never rejects: nobody may be waiting for it. */
  async #inflate(): Promise<void> {
    try {
      while (this.#output.length === 0 && !this.#ended) await this.#step();
    } catch (error) {
      this.#failure = error as SourceError;
      this.#ended = true;
    }
  }

  async #step(): Promise<void> {
    const input = this.#input;
    if (this.#member === null) {
      if (this.#members > 0 && !(await this.#nextMember())) {
        this.#ended = true;
        return;
      }
      await this.#skipHeader();
      this.#member = new Member(this.#output);
      this.#members++;
    }
    if (!(await input.require(1))) throw this.#cut();
    const member = this.#member;
    const before = member.lengthBytes;
    const taken = await member.inflate(input.bytes.subarray(input.start, Math.min(input.end, input.start + this.#pieceBytes)));
    input.start += taken;
    this.#fitPiece(taken, member.lengthBytes - before);
    if (!member.ended) return;
    this.#member = null;
    await this.#checkTrailer(member);
  }

  /** Takes less at once of what swells, so that it isn't held in memory, and more again of what doesn't. */
  #fitPiece(taken: number, inflated: number): void {
    if (inflated > INFLATED_BYTES) this.#pieceBytes = Math.max(LEAST_PIECE_BYTES, Math.floor((taken * INFLATED_BYTES) / inflated));
    else this.#pieceBytes = Math.min(INFLATE_BYTES, 2 * this.#pieceBytes);
  }

  /** True if another member follows. Zeros at the end are padding, of tapes for example. */
  async #nextMember(): Promise<boolean> {
    const input = this.#input;
    if ((await input.require(2)) && input.bytes[input.start] === 0x1f && input.bytes[input.start + 1] === 0x8b) return true;
    await skipTrailer(input, 'gzip', this.#warn);
    return false;
  }

  async #skipHeader(): Promise<void> {
    const input = this.#input;
    if (!(await input.require(HEADER_BYTES))) throw this.#cut();
    const flags = input.bytes[input.start + 3] as number;
    if (input.bytes[input.start + 2] !== 8 || (flags & RESERVED) !== 0) throw damaged('a member header that is none of RFC 1952');
    input.start += HEADER_BYTES;
    if ((flags & EXTRA) !== 0) {
      if (!(await input.require(2))) throw this.#cut();
      const extraBytes = (input.bytes[input.start] as number) | ((input.bytes[input.start + 1] as number) << 8);
      await this.#skip(2 + extraBytes);
    }
    if ((flags & NAME) !== 0) await this.#skipText();
    if ((flags & COMMENT) !== 0) await this.#skipText();
    if ((flags & HEADER_CRC) !== 0) await this.#skip(2);
  }

  async #skip(bytes: number): Promise<void> {
    if (!(await this.#input.require(bytes))) throw this.#cut();
    this.#input.start += bytes;
  }

  /** Skips a text of any length and the zero that ends it. */
  async #skipText(): Promise<void> {
    const input = this.#input;
    for (;;) {
      if (!(await input.require(1))) throw this.#cut();
      if (input.bytes[input.start++] === 0) return;
    }
  }

  async #checkTrailer(member: Member): Promise<void> {
    const input = this.#input;
    if (!(await input.require(TRAILER_BYTES))) throw this.#cut();
    const trailer = new DataView(input.bytes.buffer, input.bytes.byteOffset + input.start, TRAILER_BYTES);
    input.start += TRAILER_BYTES;
    if (trailer.getUint32(0, true) === member.checksum && trailer.getUint32(4, true) === member.lengthBytes % 2 ** 32) return;
    this.#warn('capture-corrupt', 'the gzip checksum does not match: some of the bytes before it are wrong', member.lengthBytes);
  }

  #cut(): SourceError {
    return this.#input.failure ?? new SourceError('capture-truncated', 'the gzip stream is cut short');
  }
}

/** The deflate stream of one member. */
class Member {
  ended = false;
  checksum = 0;
  lengthBytes = 0;
  #failure: Error | null = null;
  #wake: () => void = () => {};
  readonly #inflate: InflateRaw;

  /** Output goes to the end of `output`. */
  constructor(output: Uint8Array[]) {
    this.#inflate = createInflateRaw({ chunkSize: OUTPUT_BYTES });
    this.#inflate.on('data', (chunk: Buffer) => {
      output.push(chunk);
      this.checksum = crc32(chunk, this.checksum);
      this.lengthBytes += chunk.length;
    });
    this.#inflate.on('error', (error) => {
      this.#failure = error;
      this.#wake();
    });
    this.#inflate.on('end', () => this.#wake());
    this.#inflate.on('close', () => this.#wake());
  }

  /** Inflates `bytes`, which are borrowed until it resolves, to how many of them were part of the stream. */
  async inflate(bytes: Uint8Array): Promise<number> {
    const before = this.#inflate.bytesWritten;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#inflate.write(bytes, () => resolve());
    });
    if (this.#failure !== null) throw damaged(this.#failure.message);
    const taken = this.#inflate.bytesWritten - before;
    this.ended = taken < bytes.length;
    if (this.ended) this.close();
    return taken;
  }

  close(): void {
    this.#inflate.destroy();
  }
}

function damaged(what: string): SourceError {
  return new SourceError('capture-corrupt', `the gzip stream is damaged (${what}); what follows is lost`);
}
