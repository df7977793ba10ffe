/** Texts that come again and again, kept once each, with a number from 0 in the order of their first coming. */
export class Names {
  readonly #limit: number;
  readonly #indexes = new Map<string, number>();
  readonly #texts: string[] = [];

  /** Beyond `limit` texts the further ones aren't kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  has(text: string): boolean {
    return this.#indexes.has(text);
  }

  /** Number of the text, or of `others` where it isn't kept. */
  indexOf(text: string, others: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    if (this.#texts.length >= this.#limit && text !== others) return this.indexOf(others, others);
    this.#indexes.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** The kept text that equals this one, so that each is in memory once; the text itself where it isn't kept. */
  shared(text: string): string {
    if (this.#texts.length >= this.#limit && !this.#indexes.has(text)) return text;
    return this.textOf(this.indexOf(text, text));
  }

  textOf(index: number): string {
    return this.#texts[index] as string;
  }
}
