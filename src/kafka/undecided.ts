import type { PacketPosition } from '../capture/packet.ts';
import { UNDECIDED_BYTES } from '../limits.ts';
import type { Direction } from '../tcp/stream-sink.ts';
import type { FrameOracle } from './frame-finder.ts';
import type { Keeper, KeptBytes } from './kept-bytes.ts';
import { clientByContent } from './roles.ts';
import { SeekBuffer } from './seek-buffer.ts';

/** Bytes of one direction whose frame borders aren't known. */
export interface Unsorted {
  readonly buffer: SeekBuffer;
  /** Bytes of the direction before those in the buffer. */
  readonly passed: number;
  /** Bytes just before them that were passed over, from that stream offset on. */
  readonly skippedBytes: number;
  readonly skippedFrom: number;
}

/** What came of a connection that began before the capture while it isn't known yet which side is the broker, if it speaks Kafka at all. */
export class Undecided {
  readonly #sides: readonly [UndecidedSide, UndecidedSide];

  readonly #oracle: FrameOracle;

  constructor(kept: KeptBytes, oracle: FrameOracle) {
    this.#oracle = oracle;
    this.#sides = [new UndecidedSide(kept), new UndecidedSide(kept)];
  }

  data(direction: Direction, bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    this.#sides[direction].append(bytes, start, end, position);
  }

  gap(direction: Direction, length: number): void {
    const side = this.#sides[direction];
    side.giveUp();
    side.passed += length;
  }

  /** Bytes of a direction so far, missing ones included. */
  passed(direction: Direction): number {
    const { passed, buffer } = this.#sides[direction];
    return passed + buffer.length;
  }

  /** Which direction holds the requests; null while nothing tells. `isFinal`: nothing more comes. */
  client(isFinal: boolean): Direction | null {
    return clientByContent(this.#sides[0].buffer, this.#sides[1].buffer, this.#oracle, isFinal);
  }

  /** Nobody looks at it any more. */
  forget(): void {
    for (const side of this.#sides) side.take().buffer.release();
  }

  /** Hands over what a direction has. */
  take(direction: Direction): Unsorted {
    return this.#sides[direction].take();
  }
}

class UndecidedSide implements Keeper {
  buffer: SeekBuffer;
  passed = 0;
  #skippedBytes = 0;
  #skippedFrom = 0;
  readonly #kept: KeptBytes;

  constructor(kept: KeptBytes) {
    this.#kept = kept;
    this.buffer = new SeekBuffer(kept.spare);
  }

  get keptBytes(): number {
    return this.buffer.keptBytes;
  }

  append(bytes: Uint8Array, start: number, end: number, position: PacketPosition): void {
    this.buffer.append(bytes, start, end, position);
    if (this.buffer.heldBytes > UNDECIDED_BYTES) this.#skip(Math.ceil(this.buffer.length / 2));
    this.#kept.update(this);
  }

  giveUp(): void {
    this.#skip(this.buffer.length);
    this.buffer.release();
    this.buffer = new SeekBuffer(this.#kept.spare);
  }

  #skip(count: number): void {
    if (count === 0) return;
    if (this.#skippedBytes === 0) this.#skippedFrom = this.passed;
    this.buffer.drop(count);
    this.#skippedBytes += count;
    this.passed += count;
  }

  take(): Unsorted {
    const taken = { buffer: this.buffer, passed: this.passed, skippedBytes: this.#skippedBytes, skippedFrom: this.#skippedFrom };
    this.buffer = new SeekBuffer(this.#kept.spare);
    this.#kept.update(this);
    return taken;
  }
}
