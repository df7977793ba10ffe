import type { Lane } from './lane.ts';
import { emptyPacket, type Packet, Step } from './packet.ts';
import type { CaptureReader } from './record-reader.ts';

/** Opens a lane's reader; one that can't be opened any more is reported, and null. */
export type LaneOpener = (lane: Lane) => Promise<CaptureReader | null>;

/** Reads several captures as one: always the lane whose next packet is the earliest, and each lane in its own order. */
export class MergedReader implements CaptureReader {
  readonly packet: Packet;
  readonly inputBytes: number | undefined;
  readonly #open: LaneOpener;
  /** The lane that gives packets; null while none is chosen. */
  #current: Lane | null = null;
  /** The others, the latest first, so that the next one is taken from the end. */
  readonly #waiting: Lane[] = [];
  /** Readers at their end, to be closed at the next chance to wait for it, and the bytes of all that were closed. */
  #finished: CaptureReader[] = [];
  #closedBytesRead = 0;
  #closedInputBytesRead = 0;

  constructor(lanes: readonly Lane[], inputBytes: number | undefined, open: LaneOpener) {
    this.inputBytes = inputBytes;
    this.#open = open;
    for (const lane of lanes) this.#wait(lane);
    this.packet = emptyPacket();
  }

  next(): Step {
    for (;;) {
      const lane = this.#current ?? this.#waiting.pop();
      if (lane === undefined) return Step.ended;
      this.#current = lane;
      const reader = lane.reader;
      if (reader === null) return Step.starved;
      if (lane.ready) {
        lane.ready = false;
        copyPacket(reader.packet, this.packet);
        return Step.packet;
      }
      const step = reader.next();
      if (step === Step.starved) return step;
      if (step === Step.ended) this.#retire(lane, reader);
      else this.#advance(lane, reader.packet);
    }
  }

  async fill(): Promise<void> {
    await this.#closeFinished();
    const lane = this.#current;
    if (lane === null) return;
    if (lane.reader !== null) return lane.reader.fill();
    lane.reader = await this.#open(lane);
    if (lane.reader === null) this.#current = null;
  }

  async close(): Promise<void> {
    for (const reader of this.#openReaders()) this.#finished.push(reader);
    this.#current = null;
    this.#waiting.length = 0;
    await this.#closeFinished();
  }

  get bytesRead(): number {
    return this.#openReaders().reduce((sum, reader) => sum + reader.bytesRead, this.#closedBytesRead);
  }

  get inputBytesRead(): number {
    return this.#openReaders().reduce((sum, reader) => sum + reader.inputBytesRead, this.#closedInputBytesRead);
  }

  #advance(lane: Lane, packet: Packet): void {
    lane.ready = true;
    lane.setTime(packet);
    const earliest = this.#waiting.at(-1);
    if (earliest === undefined || !lane.isAfter(earliest)) return;
    this.#wait(lane);
    this.#current = null;
  }

  /** Puts a lane where its time belongs. */
  #wait(lane: Lane): void {
    const waiting = this.#waiting;
    let low = 0;
    let high = waiting.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((waiting[middle] as Lane).isAfter(lane)) low = middle + 1;
      else high = middle;
    }
    waiting.splice(low, 0, lane);
  }

  #retire(lane: Lane, reader: CaptureReader): void {
    this.#closedBytesRead += reader.bytesRead;
    this.#closedInputBytesRead += reader.inputBytesRead;
    this.#finished.push(reader);
    lane.reader = null;
    this.#current = null;
  }

  async #closeFinished(): Promise<void> {
    const finished = this.#finished;
    this.#finished = [];
    for (const reader of finished) await reader.close();
  }

  #openReaders(): CaptureReader[] {
    const lanes = this.#current === null ? this.#waiting : [this.#current, ...this.#waiting];
    return lanes.flatMap((lane) => lane.reader ?? []);
  }
}

function copyPacket(from: Packet, to: Packet): void {
  to.capture = from.capture;
  to.number = from.number;
  to.seconds = from.seconds;
  to.nanos = from.nanos;
  to.fine = from.fine;
  to.bytes = from.bytes;
  to.start = from.start;
  to.end = from.end;
  to.originalLength = from.originalLength;
  to.linkType = from.linkType;
  to.fcsBytes = from.fcsBytes;
  to.fileOffset = from.fileOffset;
}
