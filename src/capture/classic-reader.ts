import type { DiagnosticSink } from '../diagnostics.ts';
import { MAX_RECORD_BYTES, MAX_SEARCHED_RECORD_BYTES } from '../limits.ts';
import type { ClassicHeader } from './classic-header.ts';
import { uint32 } from './integers.ts';
import { Step } from './packet.ts';
import { Chain, type DAMAGED, RecordReader } from './record-reader.ts';
import type { SlidingWindow } from './sliding-window.ts';

const RECORD_HEADER_BYTES = 16;
const MODIFIED_RECORD_HEADER_BYTES = 24;
/** Record headers in a row that noise won't give. */
const CHAIN_RECORDS = 3;
/** How far from the good records' times those of a chain may be. */
const CHAIN_SECONDS = 86_400;

/** Which field of a record header is the captured length. */
const Lengths = {
  capturedFirst: 0,
  /** Versions before 2.3 have the original length first … */
  originalFirst: 1,
  /** … and 2.3 has both orders: the smaller one is the captured length (libpcap, sf-pcap.c). */
  smallerIsCaptured: 2,
} as const;

/** Reads the records of a classic capture: pcap in both byte orders and time resolutions, and its modified form. */
export class ClassicReader extends RecordReader {
  readonly #littleEndian: boolean;
  readonly #headerBytes: number;
  readonly #lengths: number;
  readonly #maxCapturedLength: number;
  readonly #fractionsPerSecond: number;
  readonly #nanosPerFraction: number;
  /** Times of the first good record and of the last one; NaN before the first. */
  #firstSeconds = Number.NaN;
  #lastSeconds = Number.NaN;

  /** The window stands behind the file header. */
  constructor(window: SlidingWindow, header: ClassicHeader, capture: number, diagnostics: DiagnosticSink) {
    super(window, capture, diagnostics);
    this.#littleEndian = header.littleEndian;
    this.#headerBytes = header.modified ? MODIFIED_RECORD_HEADER_BYTES : RECORD_HEADER_BYTES;
    this.#lengths = lengthsOf(header);
    // Many snapshot lengths are 0 or smaller than the records.
    this.#maxCapturedLength = Math.min(MAX_RECORD_BYTES, Math.max(header.snaplen, MAX_SEARCHED_RECORD_BYTES));
    this.#fractionsPerSecond = header.nanoseconds ? 1_000_000_000 : 1_000_000;
    this.#nanosPerFraction = header.nanoseconds ? 1 : 1000;
    this.packet.fine = header.nanoseconds;
    this.packet.linkType = header.linkType;
    this.packet.fcsBytes = header.fcsBytes;
    if (header.reservedBits) this.report('record-suspicious', 'reserved bits of the link type are set; they are ignored', 0);
  }

  protected override walk(): Step | typeof DAMAGED {
    const window = this.window;
    const bytes = window.bytes;
    const offset = window.start;
    const headerBytes = this.#headerBytes;
    if (window.end - offset < headerBytes) return this.incomplete(headerBytes, 'record header');
    const little = this.#littleEndian;
    const seconds = uint32(bytes, offset, little);
    const fraction = uint32(bytes, offset + 4, little);
    const capturedLength = this.#capturedLength(offset);
    const originalLength = this.#originalLength(offset);
    if (capturedLength > this.#maxCapturedLength) return this.corrupt(`a captured length of ${capturedLength} bytes can't be right`);
    const start = offset + headerBytes;
    const end = start + capturedLength;
    if (end > window.end) return this.incomplete(headerBytes + capturedLength, 'packet');

    const packet = this.packet;
    packet.number++;
    packet.bytes = bytes;
    packet.start = start;
    packet.end = end;
    packet.originalLength = originalLength;
    packet.fileOffset = window.offsetOf(offset);
    window.start = end;
    if (fraction < this.#fractionsPerSecond) {
      packet.seconds = seconds;
      packet.nanos = fraction * this.#nanosPerFraction;
    } else this.#carry(seconds, fraction);
    if (capturedLength > originalLength) this.reportLengths(capturedLength);
    this.#lastSeconds = seconds;
    if (packet.number === 1) this.#firstSeconds = seconds;
    return Step.packet;
  }

  protected override chainAt(offset: number): number {
    const window = this.window;
    const headerBytes = this.#headerBytes;
    const noneGood = Number.isNaN(this.#lastSeconds);
    let first = this.#firstSeconds;
    let last = this.#lastSeconds;
    let at = offset;
    for (let record = 0; record < CHAIN_RECORDS; record++) {
      // At the end of the file a shorter chain will do, if it ends there to the byte or is itself cut.
      if (at + headerBytes > window.end) {
        if (!window.ended) return at + headerBytes - offset;
        return (record > 0 && at === window.end) || record > 1 ? Chain.found : Chain.none;
      }
      const seconds = uint32(window.bytes, at, this.#littleEndian);
      if (record === 0 && noneGood) {
        first = seconds;
        last = seconds;
      }
      if (!near(seconds, first) && !near(seconds, last)) return Chain.none;
      if (!this.#lengthsPlausible(at)) return Chain.none;
      at += headerBytes + this.#capturedLength(at);
    }
    return Chain.found;
  }

  #lengthsPlausible(offset: number): boolean {
    const captured = this.#capturedLength(offset);
    const original = this.#originalLength(offset);
    return (
      captured > 0 &&
      captured <= original &&
      original <= MAX_SEARCHED_RECORD_BYTES &&
      uint32(this.window.bytes, offset + 4, this.#littleEndian) < this.#fractionsPerSecond
    );
  }

  #capturedLength(offset: number): number {
    const first = uint32(this.window.bytes, offset + 8, this.#littleEndian);
    if (this.#lengths === Lengths.capturedFirst) return first;
    const second = uint32(this.window.bytes, offset + 12, this.#littleEndian);
    return this.#lengths === Lengths.originalFirst ? second : Math.min(first, second);
  }

  #originalLength(offset: number): number {
    const second = uint32(this.window.bytes, offset + 12, this.#littleEndian);
    if (this.#lengths === Lengths.capturedFirst) return second;
    const first = uint32(this.window.bytes, offset + 8, this.#littleEndian);
    return this.#lengths === Lengths.originalFirst ? first : Math.max(first, second);
  }

  /** A fraction of more than a second: some writers count on instead of carrying, some put nanoseconds under the magic of microseconds. */
  #carry(seconds: number, fraction: number): void {
    const carried = Math.floor(fraction / this.#fractionsPerSecond);
    this.setTime(seconds + carried, (fraction - carried * this.#fractionsPerSecond) * this.#nanosPerFraction);
    this.report('record-suspicious', 'the fraction of its time is more than a second; it was carried over', this.packet.fileOffset);
  }
}

function lengthsOf(header: ClassicHeader): number {
  if (header.minorVersion < 3) return Lengths.originalFirst;
  return header.minorVersion === 3 ? Lengths.smallerIsCaptured : Lengths.capturedFirst;
}

function near(seconds: number, reference: number): boolean {
  return Math.abs(seconds - reference) <= CHAIN_SECONDS;
}
