/** Hands items from a producer that pushes to a consumer that asks, and lets the producer wait until all were taken. */
export class Handoff<Item> {
  #items: Item[] = [];
  #ended = false;
  #wakeConsumer: () => void = () => {};
  #wakeProducer: () => void = () => {};

  /** Offers an item. */
  give(item: Item): void {
    this.#items.push(item);
    this.#wakeConsumer();
  }

  /** Fulfilled once every item was taken and the next is asked for, or {@link end} was called. */
  async drained(): Promise<void> {
    while (!this.#ended && this.#items.length > 0) {
      await new Promise<void>((resolve) => {
        this.#wakeProducer = resolve;
      });
    }
  }

  /** No more items come, or none is wanted. May be called again. */
  end(): void {
    this.#ended = true;
    this.#wakeConsumer();
    this.#wakeProducer();
  }

  /** The items in the order in which they were given, until the end. For one consumer. */
  async *items(): AsyncGenerator<Item, void, void> {
    for (;;) {
      // Those given meanwhile are met as well.
      for (const item of this.#items) yield item;
      this.#items = [];
      if (this.#ended) return;
      this.#wakeProducer();
      await new Promise<void>((resolve) => {
        this.#wakeConsumer = resolve;
      });
    }
  }
}
