import { exchangeTiming } from '../analysis/exchange-timing.ts';
import { findFramePackets, type WantedFrame } from '../frame-packets.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Exchange } from '../kafka/exchange.ts';
import { detailLines, exchangeDetailRecord } from '../output/exchange-detail.ts';
import { safeJson } from '../output/safe-text.ts';
import type { StdoutWriter } from '../output/stdout-writer.ts';
import { timeText } from '../output/time.ts';
import type { ExchangeDetail, ExchangeTiming, FramePacket } from '../records/exchange-detail.ts';
import type { Redactor } from '../redact/redactor.ts';
import { chosenFormat, createOutput, type PrintArguments } from './printer.ts';
import type { RunOutput, RunSettings } from './run.ts';
import { createTerminalTheme } from './terminal.ts';
import { timeStyle } from './time-style.ts';
import { UsageError } from './usage-error.ts';

/** Which exchange to show. */
export type Wanted = { readonly number: number } | { readonly stream: number; readonly correlationId: number };

/** Reads `17` or `3:42`; anything else is a {@link UsageError}. */
export function parseWanted(text: string): Wanted {
  const [, first, correlationId] = /^(\d+)(?::(-?\d+))?$/.exec(text) ?? [];
  if (first === undefined || (correlationId === undefined && Number(first) === 0)) {
    throw new UsageError(`show takes an exchange's number from 1, or STREAM:CORRELATION, as in 17 or 3:42, not ${text}`);
  }
  return correlationId === undefined ? { number: Number(first) } : { stream: Number(first), correlationId: Number(correlationId) };
}

/** An exchange that was found, without what it borrowed. */
interface Found {
  readonly number: number;
  readonly exchange: Exchange;
  readonly timing: ExchangeTiming;
  readonly start: DecodedExchange['start'];
  /** By which its packets are found; the exchange may have pseudonyms. */
  readonly frames: readonly WantedFrame[];
}

/** Prints the wanted exchange, and once reading is over what else there is to say about it. */
export class ShowOutput implements RunOutput {
  readonly diagnostics = null;
  readonly writer: StdoutWriter;
  readonly #wanted: Wanted;
  readonly #parsed: PrintArguments;
  readonly #captures: readonly string[];
  readonly #canReadAgain: boolean;
  readonly #redactor: Redactor | null;
  readonly #printer: RunOutput;
  readonly #found: Found[] = [];
  #exchangeCount = 0;

  /** `settings` say where the captures are read from: only files can be read once more. */
  static async create(
    wanted: Wanted,
    parsed: PrintArguments,
    settings: RunSettings,
    redactor: Redactor | null,
    writer: StdoutWriter,
  ): Promise<ShowOutput> {
    const isTree = chosenFormat({ ...parsed, hex: undefined }) === 'tree';
    const printer = await createOutput({ ...parsed, hex: isTree || undefined }, settings.captures, writer);
    return new ShowOutput(wanted, parsed, settings, redactor, printer);
  }

  private constructor(
    wanted: Wanted,
    parsed: PrintArguments,
    { captures, live }: RunSettings,
    redactor: Redactor | null,
    printer: RunOutput,
  ) {
    this.#wanted = wanted;
    this.#parsed = parsed;
    this.#captures = captures;
    this.#canReadAgain = live === null && !captures.includes('-');
    this.#redactor = redactor;
    this.#printer = printer;
    this.writer = printer.writer;
  }

  /** Nothing more is wanted: numbers come once, correlation ids again and again. */
  get isDone(): boolean {
    return 'number' in this.#wanted && this.#found.length > 0;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Why nothing was found. */
  get absence(): string {
    if ('number' in this.#wanted) return `there is no exchange ${this.#wanted.number}: ${this.#exchangeCount} are in what was read`;
    const { stream, correlationId } = this.#wanted;
    return `there is no exchange with correlation id ${correlationId} on stream ${stream}; kafka-dissect -f line lists what there is`;
  }

  exchange(decoded: DecodedExchange): void {
    this.#exchangeCount++;
    if (!isWanted(decoded, this.#wanted)) return;
    const shown = this.#redactor?.exchange(decoded) ?? decoded;
    this.#printer.exchange(shown);
    const { number, exchange, start } = shown;
    this.#found.push({ number, exchange, timing: exchangeTiming(shown), start, frames: framesOf(decoded.exchange) });
  }

  end(): void {}

  /** Prints the rest: reads the captures once more for it, if they are files. */
  async finish(): Promise<void> {
    const packets = await this.#packets();
    for (const [index, found] of this.#found.entries()) {
      const [requestPackets = null, responsePackets = null] = packets[index] ?? [];
      await this.#printDetail(found, { ...found, requestPackets, responsePackets, captures: this.#captures });
    }
    this.writer.flush();
  }

  async #printDetail({ number, start }: Found, detail: ExchangeDetail): Promise<void> {
    const { buffer } = this.writer;
    if (chosenFormat({ ...this.#parsed, hex: undefined }) === 'ndjson') {
      buffer.utf8(`${safeJson(exchangeDetailRecord(detail))}\n`);
      return;
    }
    const theme = await createTerminalTheme(this.#parsed);
    const style = timeStyle(this.#parsed, 'tree');
    const heading = this.#found.length > 1 ? [`Exchange ${number}`] : [];
    const lines = detailLines(detail, theme, (at) => timeText(style, at, start));
    for (const line of ['', ...heading, ...lines]) buffer.utf8(`${line}\n`);
  }

  /** The packets of each exchange's request and response. */
  async #packets(): Promise<(FramePacket[] | null)[][]> {
    if (!this.#canReadAgain) return [];
    const found = await findFramePackets(
      this.#captures,
      this.#found.flatMap(({ frames }) => frames),
    );
    return this.#found.map(({ frames }) => found.splice(0, frames.length));
  }
}

function isWanted({ number, exchange }: DecodedExchange, wanted: Wanted): boolean {
  if ('number' in wanted) return number === wanted.number;
  return exchange.connection.stream === wanted.stream && exchange.correlationId === wanted.correlationId;
}

function framesOf({ connection, request, response }: Exchange): WantedFrame[] {
  const { client, server } = connection;
  const frames = [{ source: client, destination: server, frame: request }];
  return response === null ? frames : [...frames, { source: server, destination: client, frame: response }];
}
