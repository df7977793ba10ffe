import { MAX_WRITES } from '../limits.ts';
import { hostOf } from '../records/address.ts';
import { inOrder, isAfter } from './instants.ts';
import { KEPT_ITEM_BYTES, type Room, textBytes } from './room.ts';
import type { Write } from './writes.ts';

/**
 * What clients wrote. A broker forwards such requests to the controller in an Envelope, so that a capture may hold them twice: the copy only
 * counts where the request itself wasn't seen.
 */
export class WriteLog {
  readonly #writes: Write[] = [];
  readonly #copies: Write[] = [];
  /** Writes that there was no room for. */
  dropped = 0;
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  add(write: Write): void {
    this.#keep(this.#writes, write);
  }

  /** A write that stood in an Envelope; its `first` and `last` are the Envelope's. */
  addForwarded(write: Write): void {
    this.#keep(this.#copies, write);
  }

  #keep(list: Write[], write: Write): void {
    if (this.#writes.length + this.#copies.length >= MAX_WRITES || !this.#room.take(bytesOf(write))) this.dropped++;
    else list.push(write);
  }

  /** All writes in order of time, each once. To be called when no more come. */
  all(): Write[] {
    const originals = new Map<string, Write[]>();
    for (const write of this.#writes) {
      const key = identity(write, hostOf(write.client));
      const list = originals.get(key);
      if (list === undefined) originals.set(key, [write]);
      else list.push(write);
    }
    const all = [...this.#writes];
    for (const copy of this.#copies) {
      const candidates = originals.get(identity(copy, copy.client))?.filter((write) => isWithin(copy, write)) ?? [];
      // A broker sends the Envelope again where the controller has moved.
      const original = candidates.findLast(({ forwardedIn }) => forwardedIn === null) ?? candidates.at(-1);
      if (original === undefined) {
        all.push(copy);
        continue;
      }
      original.forwardedIn = copy.first;
      // The broker that forwards knows its client even where the capture lacks the connection's beginning.
      original.principal ??= copy.principal;
    }
    return inOrder(all);
  }
}

/** What a write takes, with the rows made of it. */
function bytesOf({ clientId, principal, resources }: Write): number {
  let bytes = KEPT_ITEM_BYTES + textBytes(clientId, principal);
  for (const { name, changes } of resources) {
    bytes += KEPT_ITEM_BYTES + textBytes(name);
    for (const { key, value } of changes) bytes += KEPT_ITEM_BYTES / 2 + textBytes(key, value);
  }
  return bytes;
}

/** What the copy in an Envelope has in common with the request; ids repeat, so that the time must fit as well. */
function identity({ apiKey, apiVersion, correlationId, clientId }: Write, address: string): string {
  return JSON.stringify([apiKey, apiVersion, correlationId, clientId, address]);
}

/** An Envelope is sent after the request came, and before it is answered. */
function isWithin(copy: Write, write: Write): boolean {
  return !isAfter(write.first, copy.first) && (write.last === null || !isAfter(copy.first, write.last));
}
