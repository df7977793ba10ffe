import { openCaptures } from './capture/open-captures.ts';
import { inputName } from './capture/open-source.ts';
import { copyPosition, type Packet, type PacketPosition, Step } from './capture/packet.ts';
import type { CaptureReader } from './capture/record-reader.ts';
import type { DiagnosticSink } from './diagnostics.ts';
import type { DecodedExchangeSink, DissectOptions, RunningDissection, Totals } from './dissection.ts';
import { ExchangeDecoder } from './exchange-decoder.ts';
import { SchemaOracle } from './frame-oracle.ts';
import type { Exchange } from './kafka/exchange.ts';
import { KafkaStage } from './kafka/kafka-stage.ts';
import { PacketDecoder } from './net/packet-decoder.ts';
import { Schemas } from './schema/schemas.ts';
import { Reassembler } from './tcp/reassembler.ts';

const SASL_HANDSHAKE = 17;
const DESCRIBE_CONFIGS = 32;
const SASL_AUTHENTICATE = 36;

type PrintedApis = NonNullable<DissectOptions['apis']>;

/** Wires the stages together, and reads: the one place that awaits. */
export class Dissection implements RunningDissection {
  readonly #options: DissectOptions;
  readonly #printed: PrintedApis;
  readonly #diagnostics: DiagnosticSink;
  readonly #sink: DecodedExchangeSink;
  readonly #schemas = new Schemas();
  readonly #decoder: ExchangeDecoder;
  readonly #kafka: KafkaStage;
  readonly #reassembler: Reassembler;
  readonly #packets: PacketDecoder;
  #reader: CaptureReader | null = null;
  #packetCount = 0;
  #first: PacketPosition | null = null;
  #last: PacketPosition | null = null;
  #start: PacketPosition | null = null;
  #exchangeCount = 0;
  readonly #exchanges = { complete: 0, partial: 0, unanswered: 0 };
  #filteredOut = 0;
  #stopped = false;
  readonly #stop: Promise<void>;
  #resolveStop: () => void = () => {};

  constructor(options: DissectOptions, sink: DecodedExchangeSink, diagnostics: DiagnosticSink) {
    this.#options = options;
    this.#printed = options.apis ?? new Set([DESCRIBE_CONFIGS]);
    this.#sink = sink;
    this.#diagnostics = diagnostics;
    const observer = options.observer ?? null;
    this.#decoder = new ExchangeDecoder(this.#schemas, diagnostics);
    this.#kafka = new KafkaStage({
      asksFor: askedApis(this.#printed, observer?.apis ?? new Set()),
      maxFrameBytes: options.maxFrameBytes,
      // With schemas of its own: what is found after a loss doesn't depend on what else is asked for.
      oracle: new SchemaOracle(new Schemas()),
      exchanges: { exchange: (exchange) => this.#exchange(exchange) },
      traffic: observer,
      diagnostics,
    });
    this.#reassembler = new Reassembler(this.#kafka, diagnostics);
    this.#packets = new PacketDecoder(this.#reassembler, diagnostics);
    this.#stop = new Promise((resolve) => {
      this.#resolveStop = resolve;
    });
  }

  async run(): Promise<void> {
    await this.#loadSchemas();
    const reader = await openCaptures(this.#options.captures, this.#diagnostics);
    this.#reader = reader;
    try {
      await this.#read(reader);
    } finally {
      await reader.close();
    }
    this.#packets.end();
    this.#reassembler.end();
  }

  stop(): void {
    this.#stopped = true;
    this.#resolveStop();
  }

  /** Those of DescribeConfigs are always there, the others are many. */
  async #loadSchemas(): Promise<void> {
    const { apis, observer } = this.#options;
    if (apis === undefined && observer === undefined) return;
    const { messages } = await import('./schema/messages/messages.ts');
    this.#schemas.add(messages);
  }

  #prints(apiKey: number): boolean {
    return this.#printed === 'all' || this.#printed.has(apiKey);
  }

  async #read(reader: CaptureReader): Promise<void> {
    const { packet } = reader;
    while (!this.#stopped) {
      const step = reader.next();
      if (step === Step.packet) {
        this.#packetCount++;
        this.#noteTime(packet);
        this.#packets.packet(packet);
      } else if (step === Step.ended) return;
      else {
        const pause = this.#options.onWait?.();
        if (pause) await pause;
        await Promise.race([reader.fill(), this.#stop]);
      }
    }
  }

  #noteTime(packet: Packet): void {
    const { seconds, nanos } = packet;
    const last = this.#last;
    if (last !== null && (seconds > last.seconds || (seconds === last.seconds && nanos >= last.nanos))) {
      last.capture = packet.capture;
      last.number = packet.number;
      last.seconds = seconds;
      last.nanos = nanos;
      last.fine = packet.fine;
      return;
    }
    if (Number.isNaN(seconds)) return;
    if (this.#start === null) {
      this.#start = copyPosition(packet);
      this.#options.observer?.begins?.(this.#start);
    }
    this.#last ??= copyPosition(packet);
    const first = this.#first;
    if (first === null || seconds < first.seconds || (seconds === first.seconds && nanos < first.nanos)) this.#first = copyPosition(packet);
  }

  #exchange(exchange: Exchange): void {
    const capture = this.#options.captures[exchange.request.first.capture];
    const isPrinted = this.#prints(exchange.apiKey);
    const number = isPrinted ? ++this.#exchangeCount : 0;
    const decoded = this.#decoder.decode(exchange, number, capture === undefined ? '' : inputName(capture), this.#start);
    const { observer, filter } = this.#options;
    if (observer?.apis.has(exchange.apiKey)) observer.exchange(decoded);
    if (!isPrinted) return;
    const chosen = filter === undefined ? decoded : filter.apply(decoded);
    if (chosen === null) {
      this.#filteredOut++;
      return;
    }
    this.#exchanges[chosen.status]++;
    this.#sink.exchange(chosen);
  }

  get totals(): Totals {
    const { kafka, tls, requests, responses } = this.#kafka.counts;
    return {
      packets: this.#packetCount,
      bytes: this.#reader?.bytesRead ?? 0,
      inputBytes: this.#reader?.inputBytesRead ?? 0,
      first: this.#first,
      last: this.#last,
      connections: { kafka, tls, other: this.#reassembler.connections - kafka - tls },
      frames: { requests, responses },
      exchanges: { ...this.#exchanges },
      filteredOut: this.#filteredOut,
    };
  }

  get position(): PacketPosition | null {
    return this.#packetCount === 0 || this.#reader === null ? null : this.#reader.packet;
  }
}

/** Tells the APIs whose exchanges are printed or observed from the others. */
function askedApis(printed: PrintedApis, observed: ReadonlySet<number>): (apiKey: number) => boolean {
  if (printed === 'all') return () => true;
  const asked = new Set([...printed, ...observed]);
  // Whoever authenticates said before how.
  if (printed.has(SASL_AUTHENTICATE)) asked.add(SASL_HANDSHAKE);
  return (apiKey) => asked.has(apiKey);
}
