import { SEEK_BYTES_IN_ALL } from '../limits.ts';
import type { StreamSink, StreamSinkFactory, TcpConnection } from '../tcp/stream-sink.ts';
import type { KafkaOptions } from './conversation.ts';
import { type KafkaCounts, KafkaStream } from './kafka-stream.ts';
import { SeekBudget } from './seek-budget.ts';

/** Byte streams in, exchanges out: one {@link KafkaStream} a connection. */
export class KafkaStage implements StreamSinkFactory {
  readonly counts: KafkaCounts = { kafka: 0, tls: 0, requests: 0, responses: 0 };
  readonly #options: KafkaOptions;
  readonly #budget = new SeekBudget(SEEK_BYTES_IN_ALL);

  constructor(options: KafkaOptions) {
    this.#options = options;
  }

  open(connection: TcpConnection): StreamSink {
    return new KafkaStream(connection, this.#options, this.counts, this.#budget);
  }
}
