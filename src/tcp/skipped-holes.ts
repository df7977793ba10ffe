import type { PacketPosition } from '../capture/packet.ts';

/** Bytes `[from, to)` that aren't there yet. */
export interface SkippedHole {
  readonly from: number;
  readonly to: number;
  /** The packet that showed the hole, and how many of its connection came before. */
  readonly position: PacketPosition;
  readonly arrival: number;
}

/**
 * Holes of a direction that were passed over at once, since nobody looks at their bytes. They aren't lost yet: what comes late fills them, and
 * only what is left after a while is missing. Oldest first.
 */
export class SkippedHoles {
  #holes: SkippedHole[] = [];

  get count(): number {
    return this.#holes.length;
  }

  get oldest(): SkippedHole | null {
    return this.#holes[0] ?? null;
  }

  add(hole: SkippedHole): void {
    this.#holes.push(hole);
  }

  dropOldest(): void {
    this.#holes.shift();
  }

  /** The bytes `[from, to)` came. */
  fill(from: number, to: number): void {
    if (!this.#holes.some((hole) => ((hole.from - to) | 0) < 0 && ((hole.to - from) | 0) > 0)) return;
    const left: SkippedHole[] = [];
    for (const hole of this.#holes) {
      const start = ((from - hole.from) | 0) > 0 ? from : hole.from;
      const end = ((to - hole.to) | 0) < 0 ? to : hole.to;
      if (((end - start) | 0) <= 0) {
        left.push(hole);
        continue;
      }
      if (start !== hole.from) left.push({ ...hole, to: start });
      if (end !== hole.to) left.push({ ...hole, from: end });
    }
    this.#holes = left;
  }
}
