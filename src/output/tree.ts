import type { Decoded } from '../decode/decoded.ts';
import { secretEntries } from '../decode/secrets.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Frame } from '../kafka/exchange.ts';
import { apiNames } from '../schema/api-keys.ts';
import { codeName } from '../schema/enums.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { byteLayout } from './hex.ts';
import { latencyText } from './latency.ts';
import { MessageTree } from './message-tree.ts';
import { quoteUtf8Within, safeText } from './text.ts';
import { paint, type Theme } from './theme.ts';
import { isoTime } from './time.ts';
import { missingReason, reasonText, statusText } from './words.ts';

/** Columns of a client id in an exchange's first line. */
const CLIENT_ID_COLUMNS = 64;
/** Bytes of the size prefix. */
const SIZE_BYTES = 4;

/** How trees are printed. */
export interface TreeOptions {
  /** Columns of the terminal: longer values are cut with a mark, and meanings. Null for no limit. */
  readonly width: number | null;
  /** Cut no value, whatever the width. */
  readonly full: boolean;
  /** Print what the fields mean. */
  readonly about: boolean;
  /** Levels below each message's own line; deeper ones are folded into their first line. Null for all. */
  readonly depth: number | null;
  /** Print the byte layout of each frame after its tree. */
  readonly hex: boolean;
  /** Print secrets as they are; tokens of SASL are hidden all the same. */
  readonly showSecrets: boolean;
  readonly theme: Theme;
}

/**
 * Prints exchanges as object trees: a line that says who, when and how long, the request, the response. An empty line stands between two
 * exchanges, none inside. Adds to `out` and never writes it.
 */
export class TreePrinter {
  private readonly out: ByteBuffer;
  private readonly options: TreeOptions;
  private readonly tree: MessageTree;
  private isFirst = true;

  constructor(out: ByteBuffer, options: TreeOptions) {
    const { full, width, about, depth, theme } = options;
    this.out = out;
    this.options = options;
    this.tree = new MessageTree(out, { width: full ? null : width, about, depth, theme, sample: false });
  }

  print(decoded: DecodedExchange): void {
    if (!this.isFirst) this.line('');
    this.isFirst = false;
    this.line(headline(decoded, this.options));
    this.message(decoded, 'Request', decoded.exchange.request, decoded.request);
    if (decoded.exchange.response === null) this.line(paint(this.options.theme.bad, unanswered(decoded)));
    else this.message(decoded, 'Response', decoded.exchange.response, decoded.response);
  }

  private message(exchange: DecodedExchange, kind: 'Request' | 'Response', frame: Frame, decoded: Decoded | null): void {
    const { theme, showSecrets } = this.options;
    const redacted = decoded && secretEntries(decoded, showSecrets);
    const frameBytes = frame.size + SIZE_BYTES;
    if (decoded === null) this.line(undecoded(exchange, kind, frame, theme));
    else this.tree.print(decoded, { frameBytes, redacted, missing: frame.damage && reasonText(frame.damage) });
    if (!this.options.hex) return;
    const { bytes, origin, length } = decoded ?? { bytes: frame.bytes, origin: 0, length: frame.bytes.length };
    for (const line of byteLayout({ bytes, origin, length, decoded, redacted }, theme)) this.line(line);
  }

  private line(text: string): void {
    this.out.utf8(`${text}\n`);
  }
}

function headline({ exchange, status, reason }: DecodedExchange, { theme, full }: TreeOptions): string {
  const { connection, clientId } = exchange;
  const parts = [
    isoTime(exchange.request.first) ?? 'time unknown',
    `${safeText(connection.client)} → ${safeText(connection.server)}`,
    `${apiName(exchange.apiKey)} v${exchange.apiVersion}`,
    `correlation ${exchange.correlationId}`,
    `client ${clientId === null ? 'null' : clientIdText(clientId, full)}`,
  ];
  const latency = latencyText(exchange);
  if (latency !== null) parts.push(latency);
  const line = paint(theme.heading, parts.join('  '));
  return status === 'complete' ? line : `${line}  ${paint(theme.bad, statusText(status, reason))}`;
}

function clientIdText(clientId: Uint8Array, full: boolean): string {
  const { text, cutBytes } = quoteUtf8Within(clientId, 0, clientId.length, full ? Number.POSITIVE_INFINITY : CLIENT_ID_COLUMNS);
  return cutBytes === 0 ? text : `${text}…+${cutBytes}B`;
}

function unanswered({ exchange, reason }: DecodedExchange): string {
  return `no ${apiName(exchange.apiKey)}Response${missingReason(reason)}`;
}

/** The one line of a frame that has no schema. */
function undecoded({ exchange }: DecodedExchange, kind: string, frame: Frame, theme: Theme): string {
  const whole = frame.size + SIZE_BYTES;
  const there = frame.bytes.length === whole ? `${whole}B` : `${frame.bytes.length} of ${whole}B`;
  const name = `${apiName(exchange.apiKey)}${kind} message v${exchange.apiVersion}`;
  return `${paint(theme.name, name)} ${paint(theme.span, `[0x0000, ${there}]`)} ${paint(theme.bad, 'not decoded: no schema for this version')}`;
}

function apiName(apiKey: number): string {
  return codeName(apiNames, apiKey);
}
