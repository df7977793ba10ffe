import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import { addressText } from './address.ts';
import type { PeeledSegment } from './peeled-segment.ts';

/** Fragments begin at multiples of 8 bytes and all but the last are multiples of 8 long, so what was received is kept by the unit. */
const unitBytes = 8;

/** One IP datagram while its fragments come in. It owns its bytes, which grow as fragments arrive. */
export class Datagram {
  /** For messages. */
  readonly name: string;
  /** IP protocol of what it carries, as its first fragment says, or until that comes any other. */
  protocol: number;
  /** The packet it began with. */
  readonly position: PacketPosition;
  readonly fileOffset: number;
  /** Its content, as far as it was received and captured. */
  bytes = new Uint8Array();
  /** Length on the wire, -1 while the last fragment hasn't come. */
  length = -1;
  /** Bytes on the wire of the fragments so far, overlaps counted once. */
  receivedBytes = 0;
  /** It is known to carry no TCP and holds nothing. */
  ignored = false;
  #received = new Uint8Array();
  /** End of the fragment that reaches farthest. */
  #farthest = 0;
  /** From here on, a snapshot length cut something away. */
  #cutAt = Number.POSITIVE_INFINITY;

  constructor(segment: PeeledSegment) {
    this.name = nameOf(segment);
    this.protocol = segment.fragmentProtocol;
    this.position = copyPosition(segment.packet);
    this.fileOffset = segment.packet.fileOffset;
  }

  get complete(): boolean {
    return this.receivedBytes === this.length;
  }

  /** What it takes of memory. */
  get heldBytes(): number {
    return this.bytes.length + this.#received.length;
  }

  /** End of the content that was captured without a cut. */
  get capturedEnd(): number {
    return Math.min(this.length, this.#cutAt);
  }

  /** Whether a fragment that ends at `end` can belong to it: within its length and, once it is complete, equal to what it holds. */
  agreesWith(segment: PeeledSegment, end: number): boolean {
    if (this.ignored) return segment.fragmentOffset !== 0;
    const length = segment.moreFragments ? this.length : end;
    if (this.length >= 0 && (end > this.length || length !== this.length)) return false;
    if (length >= 0 && length < this.#farthest) return false;
    return !this.complete || this.#holds(segment);
  }

  /** Copies what the fragment has and isn't here yet. The fragment agrees. */
  add(segment: PeeledSegment): void {
    const offset = segment.fragmentOffset;
    const end = offset + segment.payloadLength;
    if (offset === 0) this.protocol = segment.fragmentProtocol;
    if (!segment.moreFragments) this.length = end;
    this.#farthest = Math.max(this.#farthest, end);
    this.#grow(end);
    const shift = segment.start - offset;
    const capturedEnd = segment.end - shift;
    for (let unit = offset; unit < end; unit += unitBytes) {
      if (this.#received[unit / unitBytes] === 1) continue;
      this.#received[unit / unitBytes] = 1;
      const unitEnd = Math.min(unit + unitBytes, end);
      this.receivedBytes += unitEnd - unit;
      for (let at = unit; at < unitEnd; at++) this.bytes[at] = segment.bytes[at + shift] as number;
      if (unitEnd > capturedEnd) this.#cutAt = Math.min(this.#cutAt, Math.max(unit, capturedEnd));
    }
  }

  /** Lets its bytes go; what still comes of it is dropped. */
  ignore(): void {
    this.ignored = true;
    this.bytes = new Uint8Array();
    this.#received = new Uint8Array();
  }

  #holds(segment: PeeledSegment): boolean {
    const shift = segment.start - segment.fragmentOffset;
    const end = Math.min(segment.end - shift, this.capturedEnd);
    for (let at = segment.fragmentOffset; at < end; at++) {
      if (this.bytes[at] !== segment.bytes[at + shift]) return false;
    }
    return true;
  }

  #grow(end: number): void {
    if (end <= this.bytes.length) return;
    const capacity = Math.max(Math.ceil(end / unitBytes) * unitBytes, this.bytes.length * 2);
    const bytes = new Uint8Array(capacity);
    bytes.set(this.bytes);
    this.bytes = bytes;
    const received = new Uint8Array(capacity / unitBytes);
    received.set(this.#received);
    this.#received = received;
  }
}

function nameOf(segment: PeeledSegment): string {
  const source = addressText(segment.ipVersion, segment.source0, segment.source1, segment.source2, segment.source3);
  const destination = addressText(
    segment.ipVersion,
    segment.destination0,
    segment.destination1,
    segment.destination2,
    segment.destination3,
  );
  return `IPv${segment.ipVersion} datagram ${segment.fragmentId >>> 0} from ${source} to ${destination}`;
}
