import type { CaptureInput } from './open-source.ts';
import type { PacketPosition } from './packet.ts';
import type { CaptureReader } from './record-reader.ts';

/** One of several captures that are merged. */
export class Lane {
  readonly input: CaptureInput;
  readonly capture: number;
  /** Null while the capture isn't open, which one that has packets only later needn't be. */
  reader: CaptureReader | null = null;
  /** The reader's packet is the one that is next. */
  ready = false;
  /** Time of the packet that is next, where known, else of the one before it; before all others while there was none. */
  seconds = Number.NEGATIVE_INFINITY;
  nanos = 0;

  constructor(input: CaptureInput, capture: number) {
    this.input = input;
    this.capture = capture;
  }

  setTime(position: PacketPosition): void {
    if (Number.isNaN(position.seconds)) return;
    this.seconds = position.seconds;
    this.nanos = position.nanos;
  }

  /** Its next packet comes after the other's: by time, and at the same time by the order in which the captures were named. */
  isAfter(other: Lane): boolean {
    if (this.seconds !== other.seconds) return this.seconds > other.seconds;
    if (this.nanos !== other.nanos) return this.nanos > other.nanos;
    return this.capture > other.capture;
  }
}
