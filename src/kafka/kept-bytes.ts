import { SpareBuffers } from './spare-buffers.ts';

/** Keeps bytes, or what takes as much memory, for later. */
export interface Keeper {
  /** Memory that it takes. */
  readonly keptBytes: number;
  /** Gives up all that it can, and says so. Doesn't call {@link KeptBytes.update}. */
  giveUp(): void;
}

/** Keeps the memory of all keepers within a limit: beyond it those silent for longest give up what they have, the one at work excepted. */
export class KeptBytes {
  /** Where keepers take memory from, and give it back. */
  readonly spare = new SpareBuffers();
  readonly #limit: number;
  /** What each takes, the one silent for longest first. */
  readonly #taken = new Map<Keeper, number>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A keeper's bytes became more or fewer. */
  update(keeper: Keeper): void {
    this.#count(keeper);
    for (const oldest of this.#taken.keys()) {
      if (this.#bytes <= this.#limit || oldest === keeper) return;
      oldest.giveUp();
      this.#count(oldest);
    }
  }

  #count(keeper: Keeper): void {
    this.#bytes += keeper.keptBytes - (this.#taken.get(keeper) ?? 0);
    this.#taken.delete(keeper);
    if (keeper.keptBytes > 0) this.#taken.set(keeper, keeper.keptBytes);
  }
}
