import { nanosBetween, type PacketPosition } from '../capture/packet.ts';
import { captureName } from '../records/capture-name.ts';
import type { PacketRef } from '../records/rows.ts';

/** Whether one packet came after another: by their times, or by their numbers where a time is missing. */
export function isAfter(one: PacketPosition, other: PacketPosition): boolean {
  const nanos = nanosBetween(other, one);
  if (!Number.isNaN(nanos)) return nanos > 0;
  return one.capture === other.capture ? one.number > other.number : one.capture > other.capture;
}

/** In order of time; what came at the same time stays as it was. Sorts in place. */
export function inOrder<Item extends { readonly first: PacketPosition }>(items: Item[]): Item[] {
  return items.sort((one, other) => (isAfter(one.first, other.first) ? 1 : isAfter(other.first, one.first) ? -1 : 0));
}

/** Names packets in rows: with their capture, where several are read. */
export class PacketNames {
  readonly #captures: readonly string[];

  /** `captures` are the names of the captures, by index. */
  constructor(captures: readonly string[]) {
    this.#captures = captures;
  }

  ref(at: PacketPosition): PacketRef {
    const capture = this.captureOf(at);
    return capture === null ? { packet: at.number } : { packet: at.number, capture };
  }

  /** Null where there is only one. */
  captureOf(at: PacketPosition): string | null {
    return this.#captures.length === 1 ? null : captureName(this.#captures, at.capture);
  }
}
