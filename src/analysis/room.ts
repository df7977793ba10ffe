import { MAX_ANSWER_BYTES } from '../limits.ts';

/** What a thing that is kept takes beside its texts, measured on Node 24: objects, their places in maps and lists, and the row made of it. */
export const KEPT_ITEM_BYTES = 512;

/** Memory that an answer may take: whatever is kept until its end asks here first. */
export class Room {
  #left: number;

  constructor(bytes: number = MAX_ANSWER_BYTES) {
    this.#left = bytes;
  }

  /** Whether so many bytes are left. */
  has(bytes: number): boolean {
    return bytes <= this.#left;
  }

  /** Takes so many bytes, if they are left; returns whether they were. */
  take(bytes: number): boolean {
    if (!this.has(bytes)) return false;
    this.#left -= bytes;
    return true;
  }

  /** What was taken isn't kept any more. */
  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** What texts take: characters beyond Latin-1 have two bytes each, and so have all others of their text. */
export function textBytes(...texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + 2 * (text?.length ?? 0), 0);
}
