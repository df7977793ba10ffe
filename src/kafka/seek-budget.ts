/** Keeps bytes whose frame borders aren't known. */
export interface Seeker {
  /** Memory they take. */
  readonly seekBytes: number;
  /** Passes them all over. */
  forget(): void;
}

/** Keeps the memory of all seekers within a limit: beyond it the one silent for longest forgets what it has. */
export class SeekBudget {
  readonly #limit: number;
  /** What each takes, the one silent for longest first. */
  readonly #taken = new Map<Seeker, number>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A seeker's bytes became more or fewer. */
  update(seeker: Seeker): void {
    this.#count(seeker);
    for (const [oldest] of this.#taken) {
      if (this.#bytes <= this.#limit) return;
      oldest.forget();
      this.#count(oldest);
    }
  }

  #count(seeker: Seeker): void {
    this.#bytes += seeker.seekBytes - (this.#taken.get(seeker) ?? 0);
    this.#taken.delete(seeker);
    if (seeker.seekBytes > 0) this.#taken.set(seeker, seeker.seekBytes);
  }
}
