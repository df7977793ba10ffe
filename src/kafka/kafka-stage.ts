import type { StreamSink, StreamSinkFactory, TcpConnection } from '../tcp/stream-sink.ts';
import type { KafkaOptions } from './conversation.ts';
import { type KafkaCounts, KafkaStream } from './kafka-stream.ts';

/** Byte streams in, exchanges out: one {@link KafkaStream} a connection. */
export class KafkaStage implements StreamSinkFactory {
  readonly counts: KafkaCounts = { kafka: 0, tls: 0, requests: 0, responses: 0 };
  readonly #options: KafkaOptions;

  constructor(options: KafkaOptions) {
    this.#options = options;
  }

  open(connection: TcpConnection): StreamSink {
    return new KafkaStream(connection, this.#options, this.counts);
  }
}
