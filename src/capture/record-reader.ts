import type { DiagnosticCode, DiagnosticSink } from '../diagnostics.ts';
import { emptyPacket, type Packet, type PacketReader, Step } from './packet.ts';
import type { SlidingWindow } from './sliding-window.ts';

/** A reader of one or more captures that says how far it is. */
export interface CaptureReader extends PacketReader {
  /** Bytes of the captures read so far, decompressed. */
  readonly bytesRead: number;
  /** Bytes taken so far from the files or streams themselves, for a progress bar. */
  readonly inputBytesRead: number;
  /** Their whole size; undefined where there is no telling. */
  readonly inputBytes: number | undefined;
}

/** What {@link RecordReader.chainAt} found; a positive number is how many bytes from there it needs to tell. */
export const Chain = { found: 0, none: -1 } as const;

/** What {@link RecordReader.walk} returns where it met damage, after saying so with `corrupt` or `incomplete`. */
export const DAMAGED = 3;

/** Times outside of the years 1970 to 9999 are taken for nonsense. */
const MAX_SECONDS = 253_402_300_799;

/**
 * What the readers of pcap and pcapng have in common: the window, the end of the file, and the search for the next good record after damage.
 * A format's reader brings `walk`, which takes good records, and `chainAt`, which tells a chain of good records from noise.
 */
export abstract class RecordReader implements CaptureReader {
  readonly packet: Packet;
  protected readonly window: SlidingWindow;
  #searching = false;
  readonly #diagnostics: DiagnosticSink;
  /** The damaged record: what is wrong with it, where it begins, and the code to report if nothing good follows. */
  #damage = '';
  #damageOffset = 0;
  #damageCode: DiagnosticCode = 'capture-corrupt';

  constructor(window: SlidingWindow, capture: number, diagnostics: DiagnosticSink) {
    this.window = window;
    this.#diagnostics = diagnostics;
    this.packet = { ...emptyPacket(), capture, bytes: window.bytes };
  }

  next(): Step {
    for (;;) {
      if (this.#searching) {
        const found = this.#search();
        if (found !== Step.packet) return found;
      }
      const step = this.walk();
      if (step !== DAMAGED) return step;
    }
  }

  /** As {@link PacketReader.next}, but where a record is damaged it says so and returns {@link DAMAGED}. */
  protected abstract walk(): Step | typeof DAMAGED;

  /**
   * Whether plausible records begin at `bytes[offset]`: {@link Chain.found}, {@link Chain.none}, or how many bytes from `offset` on it takes to
   * tell, where the window ends before that and the file may not.
   */
  protected abstract chainAt(offset: number): number;

  async fill(): Promise<void> {
    await this.window.fill();
  }

  async close(): Promise<void> {
    await this.window.source.close();
  }

  get bytesRead(): number {
    return this.window.bytesRead;
  }

  get inputBytesRead(): number {
    return this.window.source.inputBytesRead;
  }

  get inputBytes(): number | undefined {
    return this.window.source.inputBytes;
  }

  /** For `walk`: comes back with more bytes at the window's start; where the file ends before there are `neededBytes`, it is damaged. `what` names the thing that is cut. */
  protected incomplete(neededBytes: number, what: string): Step | typeof DAMAGED {
    const window = this.window;
    if (!window.ended) return Step.starved;
    if (window.start === window.end) return this.#end();
    // A length field that lies looks like a file cut short. If good records follow, it was a lie.
    const available = window.end - window.start;
    return this.#beginSearch('capture-truncated', `the capture ends inside a ${what}: ${available} of ${neededBytes} bytes are there`);
  }

  /** For `walk`: the record at the window's start can't be right. */
  protected corrupt(damage: string): typeof DAMAGED {
    return this.#beginSearch('capture-corrupt', damage);
  }

  /** Sets the time that the packet was captured; nonsense leaves it unknown and is reported. */
  protected setTime(seconds: number, nanos: number): void {
    const packet = this.packet;
    if (seconds >= 0 && seconds <= MAX_SECONDS) {
      packet.seconds = seconds;
      packet.nanos = nanos;
    } else {
      packet.seconds = Number.NaN;
      packet.nanos = 0;
      this.report('record-suspicious', `a time of ${seconds} seconds since 1970 is taken as unknown`, packet.fileOffset);
    }
  }

  /** Reports a packet with more captured bytes than it had on the wire. */
  protected reportLengths(capturedLength: number): void {
    const { originalLength, fileOffset } = this.packet;
    const message = `${capturedLength} bytes captured of a packet of ${originalLength}; all the captured ones are used`;
    this.report('record-suspicious', message, fileOffset);
  }

  /** Reports a finding about the packet of the current number. */
  protected report(code: DiagnosticCode, message: string, fileOffset: number, bytes?: number): void {
    const { capture, number } = this.packet;
    this.#diagnostics.report({
      code,
      message,
      capture,
      ...(number === 0 ? {} : { packet: number }),
      fileOffset,
      ...(bytes === undefined ? {} : { bytes }),
    });
  }

  /** The damaged record counts as one, so that the numbers go on as they would have if it were the only one. */
  #beginSearch(code: DiagnosticCode, damage: string): typeof DAMAGED {
    this.packet.number++;
    this.#searching = true;
    this.#damage = damage;
    this.#damageCode = code;
    this.#damageOffset = this.window.offsetOf(this.window.start);
    this.window.start++;
    return DAMAGED;
  }

  /** Passes over bytes until a chain of good records begins: then {@link Step.packet}. */
  #search(): Step {
    const window = this.window;
    while (window.start < window.end) {
      const chain = this.chainAt(window.start);
      if (chain === Chain.found) {
        const skippedBytes = window.offsetOf(window.start) - this.#damageOffset;
        this.#searching = false;
        this.report('capture-corrupt', `${this.#damage}; skipped to the next record that looks good`, this.#damageOffset, skippedBytes);
        return Step.packet;
      }
      if (chain !== Chain.none) return Step.starved;
      window.start++;
    }
    if (!window.ended) return Step.starved;
    this.#searching = false;
    this.#reportLostRest();
    return this.#end();
  }

  /** Nothing good follows the damaged record. What stopped the source, if anything did, is the better reason for a record that is cut. */
  #reportLostRest(): void {
    const window = this.window;
    const bytes = window.offsetOf(window.end) - this.#damageOffset;
    if (this.#damageCode === 'capture-corrupt') {
      this.report('capture-corrupt', `${this.#damage}; no good record follows, the rest is lost`, this.#damageOffset, bytes);
      return;
    }
    this.report(window.failure?.code ?? 'capture-truncated', window.failure?.message ?? this.#damage, this.#damageOffset, bytes);
    window.failure = null;
  }

  #end(): Step {
    const failure = this.window.failure;
    if (failure !== null) {
      this.window.failure = null;
      this.packet.number++;
      this.report(failure.code, failure.message, this.window.offsetOf(this.window.end));
    }
    return Step.ended;
  }
}
