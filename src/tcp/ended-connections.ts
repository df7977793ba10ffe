import type { Connection } from './connection.ts';

/** Entries taken out before the queue's memory is given back. */
const GIVE_BACK_AFTER = 1024;

/**
 * Ended connections that are remembered, in the order of their ends. (A Set would do, but asking for its first element walks over all that
 * were deleted before: a tenth of `npm run bench -- --only many`.)
 */
export class EndedConnections {
  #queue: Connection[] = [];
  #from = 0;
  /** How many there are. */
  size = 0;

  add(connection: Connection): void {
    if (connection.isRemembered) return;
    connection.isRemembered = true;
    this.#queue.push(connection);
    this.size++;
  }

  delete(connection: Connection): void {
    if (!connection.isRemembered) return;
    connection.isRemembered = false;
    this.size--;
  }

  /** The one that ended first; null where there is none. */
  get oldest(): Connection | null {
    while (this.#queue[this.#from]?.isRemembered === false) this.#from++;
    if (this.#from >= GIVE_BACK_AFTER) {
      this.#queue = this.#queue.slice(this.#from);
      this.#from = 0;
    }
    return this.#queue[this.#from] ?? null;
  }
}
