import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Exchange } from '../kafka/exchange.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { latencyMillis } from './envelope.ts';
import { answerOf, askedText } from './gist.ts';

import { safeText } from './safe-text.ts';
import { columnsOf, fitEnd, fitText, quoteUtf8 } from './text.ts';
import { paint, type Style, type Theme } from './theme.ts';
import { type TimeStyle, timeText } from './time.ts';

/** How overview lines are printed. */
export interface LinePrinterOptions {
  /** Columns of the terminal, which the columns are made for; null for none, and nothing is cut. */
  readonly width: number | null;
  readonly theme: Theme;
  /** How times are shown, `utc` where not given. */
  readonly times?: TimeStyle;
}

/** Widths of the columns, in order. */
interface Columns {
  readonly number: number;
  readonly time: number;
  readonly stream: number;
  readonly client: number;
  readonly clientId: number;
  readonly version: number;
  readonly asked: number;
  readonly answer: number;
  readonly latency: number;
}

/** From this width on there is room for milliseconds and ports, and from the second one for dates. */
const MEDIUM_COLUMNS = 100;
const WIDE_COLUMNS = 140;
/** What the columns are made for where there is no terminal; longer texts then push the others aside. */
const UNLIMITED_COLUMNS = 180;
const NARROWEST_COLUMNS = 72;
const GAPS = 8;
const ISO_MICROS_LENGTH = '2026-11-29T17:05:00.123456Z'.length;
const DATE_LENGTH = '2026-11-29T'.length;
const CLOCK_LENGTH = '17:05:00'.length;
const MILLIS_LENGTH = '17:05:00.123'.length;
const LATENCY_LENGTH = '-12.345 ms'.length;
const LONGEST_CLIENT_LENGTH = '255.255.255.255:65535'.length;

/**
 * Prints an exchange a line, for looking over a capture: number, time (UTC), TCP stream, client, client id, version, what was asked, what
 * came, latency. The columns follow from the width alone, so that lines can be printed as exchanges complete. Adds to `out` and never
 * writes it.
 */
export class LinePrinter {
  readonly #out: ByteBuffer;
  readonly #theme: Theme;
  readonly #columns: Columns;
  readonly #isLimited: boolean;
  readonly #times: TimeStyle;

  constructor(out: ByteBuffer, { width, theme, times = 'utc' }: LinePrinterOptions) {
    this.#out = out;
    this.#theme = theme;
    this.#times = times;
    this.#columns = columnsFor(width ?? UNLIMITED_COLUMNS);
    this.#isLimited = width !== null;
  }

  print(decoded: DecodedExchange): void {
    const { exchange, number } = decoded;
    const { connection, apiVersion, clientId } = exchange;
    const theme = this.#theme;
    const columns = this.#columns;
    const answer = answerOf(decoded);
    const id = clientId === null ? '(null)' : quoteUtf8(clientId, 0, clientId.length).slice(1, -1);
    const cells = [
      paint(theme.span, String(number).padStart(columns.number)),
      this.#cell(timeCell(decoded, this.#times, columns.time), columns.time, theme.span),
      this.#cell(`s${connection.stream}`, columns.stream, theme.span),
      this.#endCell(clientText(exchange, columns.client), columns.client, theme.name),
      this.#cell(id, columns.clientId, theme.value),
      this.#cell(`v${apiVersion}`, columns.version, theme.span),
      this.#cell(safeText(askedText(decoded)), columns.asked, theme.type),
      this.#cell(safeText(answer.text), columns.answer, answer.isBad ? theme.bad : theme.value),
      latencyCell(exchange).padStart(columns.latency),
    ];
    this.#out.utf8(`${cells.join(' ')}\n`);
  }

  #cell(text: string, columns: number, style: Style): string {
    return paint(style, this.#isLimited ? fitText(text, columns) : padded(text, columns));
  }

  /** A cell whose text tells most at its end. */
  #endCell(text: string, columns: number, style: Style): string {
    return paint(style, this.#isLimited ? fitEnd(text, columns) : padded(text, columns));
  }
}

function columnsFor(width: number): Columns {
  const isWide = width >= WIDE_COLUMNS;
  const fixed = {
    number: isWide ? 6 : 5,
    time: isWide ? ISO_MICROS_LENGTH : width >= MEDIUM_COLUMNS ? MILLIS_LENGTH : CLOCK_LENGTH,
    stream: isWide ? 6 : 3,
    version: isWide ? 3 : 2,
    latency: LATENCY_LENGTH,
  };
  const taken = Object.values(fixed).reduce((sum, columns) => sum + columns, GAPS);
  const left = Math.max(NARROWEST_COLUMNS, width) - taken;
  const client = Math.min(LONGEST_CLIENT_LENGTH, Math.floor(left * 0.28));
  const clientId = Math.floor((left - client) * 0.24);
  const asked = Math.floor((left - client - clientId) * 0.42);
  return { ...fixed, client, clientId, asked, answer: left - client - clientId - asked };
}

/** As much of the time as fits: all of it but the distance from UTC, or the time of day. */
function timeCell({ exchange, start }: DecodedExchange, style: TimeStyle, columns: number): string {
  const time = timeText(style, exchange.request.first, start);
  if (time === null) return '-';
  if (style === 'relative') return time.length > columns ? `${time.slice(0, columns - 1)}s` : time.padStart(columns);
  if (columns < ISO_MICROS_LENGTH) return time.slice(DATE_LENGTH, DATE_LENGTH + columns);
  if (style === 'local') return time.slice(0, columns - 1);
  return time.length > columns ? `${time.slice(0, columns - 1)}Z` : time;
}

/** The client's address, and its port where that fits: the stream tells connections apart as well. */
function clientText({ connection }: Exchange, columns: number): string {
  const client = safeText(connection.client);
  return client.length > columns ? client.replace(/:\d+$/, '') : client;
}

/** Milliseconds, or seconds where those would be many. */
function latencyCell(exchange: Exchange): string {
  const millis = latencyMillis(exchange);
  if (millis === null) return '-';
  return Math.abs(millis) < 1000 ? `${millis.toFixed(3)} ms` : `${(millis / 1000).toFixed(3)} s`;
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}
