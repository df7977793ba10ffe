import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { answerOf, askedText } from './gist.ts';
import { latencyText } from './latency.ts';
import { columnsOf, fitEnd, fitText, quoteUtf8, safeText } from './text.ts';
import { paint, type Style, type Theme } from './theme.ts';
import { isoTime } from './time.ts';

/** How overview lines are printed. */
export interface LinePrinterOptions {
  /** Columns of the terminal, which the columns are made for; null for none, and nothing is cut. */
  readonly width: number | null;
  readonly theme: Theme;
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

/** From this width on there is room for dates. */
const WIDE_COLUMNS = 140;
/** What the columns are made for where there is no terminal; longer texts then push the others aside. */
const UNLIMITED_COLUMNS = 180;
const NARROWEST_COLUMNS = 72;
const GAPS = 8;
const ISO_MICROS_LENGTH = '2026-11-29T17:05:00.123456Z'.length;
const DATE_LENGTH = '2026-11-29T'.length;
const CLOCK_LENGTH = '17:05:00.123'.length;
const LONGEST_IPV4_LENGTH = '255.255.255.255:65535'.length;

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

  constructor(out: ByteBuffer, { width, theme }: LinePrinterOptions) {
    this.#out = out;
    this.#theme = theme;
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
      this.#cell(timeText(decoded, columns.time), columns.time, theme.span),
      this.#cell(`s${connection.stream}`, columns.stream, theme.span),
      this.#endCell(safeText(connection.client), columns.client, theme.name),
      this.#cell(id, columns.clientId, theme.value),
      this.#cell(`v${apiVersion}`, columns.version, theme.span),
      this.#cell(safeText(askedText(decoded)), columns.asked, theme.type),
      this.#cell(safeText(answer.text), columns.answer, answer.isBad ? theme.bad : theme.value),
      (latencyText(exchange) ?? '-').padStart(columns.latency),
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
    number: isWide ? 6 : 4,
    time: isWide ? ISO_MICROS_LENGTH : CLOCK_LENGTH,
    stream: isWide ? 6 : 3,
    version: isWide ? 3 : 2,
    latency: isWide ? 12 : 9,
  };
  const taken = Object.values(fixed).reduce((sum, columns) => sum + columns, GAPS);
  const left = Math.max(NARROWEST_COLUMNS, width) - taken;
  const client = Math.min(LONGEST_IPV4_LENGTH, Math.floor(left * 0.28));
  const clientId = Math.floor((left - client) * 0.24);
  const asked = Math.floor((left - client - clientId) * 0.42);
  return { ...fixed, client, clientId, asked, answer: left - client - clientId - asked };
}

/** As much of the time as fits: all of it, or the time of day to the millisecond. */
function timeText({ exchange }: DecodedExchange, columns: number): string {
  const time = isoTime(exchange.request.first);
  if (time === null) return '-';
  return columns < ISO_MICROS_LENGTH
    ? time.slice(DATE_LENGTH, DATE_LENGTH + CLOCK_LENGTH)
    : time.length > columns
      ? `${time.slice(0, columns - 1)}Z`
      : time;
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}
