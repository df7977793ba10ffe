import { MAX_KEPT_BYTES } from '../limits.ts';
import type { StreamSink, StreamSinkFactory, TcpConnection } from '../tcp/stream-sink.ts';
import type { KafkaOptions } from './conversation.ts';
import { type KafkaCounts, KafkaStream } from './kafka-stream.ts';
import { KeptBytes } from './kept-bytes.ts';

/** Byte streams in, exchanges out: one {@link KafkaStream} a connection. */
export class KafkaStage implements StreamSinkFactory {
  readonly counts: KafkaCounts = { kafka: 0, tls: 0, requests: 0, responses: 0 };
  readonly #options: KafkaOptions;
  readonly #kept = new KeptBytes(MAX_KEPT_BYTES);

  constructor(options: KafkaOptions) {
    this.#options = options;
  }

  open(connection: TcpConnection): StreamSink {
    return new KafkaStream(connection, this.#options, this.counts, this.#kept);
  }
}
