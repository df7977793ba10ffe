import type { Decoded } from '../decode/decoded.ts';
import type { Forwarded } from '../decode/forwarded.ts';
import { mayHoldSecrets, secretEntries } from '../decode/secrets.ts';
import type { DecodedExchange, SaslFacts } from '../kafka/decoded-exchange.ts';
import type { Exchange, Frame } from '../kafka/exchange.ts';
import { addressOf } from '../records/address.ts';
import { apiNames } from '../schema/api-keys.ts';
import { codeName } from '../schema/enums.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { byteLayout } from './hex.ts';
import { latencyText } from './latency.ts';
import { MessageTree } from './message-tree.ts';
import { safeText } from './safe-text.ts';
import { quoteText, quoteUtf8Within } from './text.ts';
import { paint, type Theme } from './theme.ts';
import { type TimeStyle, timeText } from './time.ts';
import { missingReason, reasonText, statusText } from './words.ts';

/** Columns of a client id in an exchange's first line. */
const CLIENT_ID_COLUMNS = 64;
/** Bytes of the size prefix. */
const SIZE_BYTES = 4;

const notDecoded = 'not decoded: no schema for this version';

type Kind = 'Request' | 'Response';

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
  /** How times are shown, `utc` where not given. */
  readonly times?: TimeStyle;
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
    const { exchange, request, response, leftOut, forwarded } = decoded;
    this.line(headline(decoded, this.options));
    this.message(exchange, 'Request', exchange.request, request, leftOut?.request ?? null);
    if (forwarded !== null) {
      this.line(paint(this.options.theme.heading, forwardedHeadline(forwarded, this.options)));
      this.embedded(forwarded, 'Request', forwarded.request);
    }
    if (exchange.response === null) this.line(paint(this.options.theme.bad, unanswered(decoded)));
    else this.message(exchange, 'Response', exchange.response, response, leftOut?.response ?? null);
    if (forwarded !== null && response !== null) this.embedded(forwarded, 'Response', forwarded.response);
  }

  private message(exchange: Exchange, kind: Kind, frame: Frame, decoded: Decoded | null, leftOut: ReadonlySet<number> | null): void {
    const { theme, showSecrets } = this.options;
    const redacted = decoded && secretEntries(decoded, showSecrets);
    const endOffset = frame.size + SIZE_BYTES;
    if (decoded === null) this.line(undecoded(exchange, kind, frame, theme));
    else this.tree.print(decoded, { endOffset, redacted, leftOut, missing: frame.damage && reasonText(frame.damage) });
    if (!this.options.hex) return;
    const { bytes, origin, length } = decoded ?? { bytes: frame.bytes, origin: 0, length: frame.bytes.length };
    const hideUndecoded = mayHoldSecrets(exchange.apiKey, showSecrets);
    for (const line of byteLayout({ bytes, origin, length, decoded, redacted, hideUndecoded }, theme)) this.line(line);
  }

  /** A message inside an envelope, whose bytes are laid out with it. */
  private embedded(forwarded: Forwarded, kind: Kind, decoded: Decoded | null): void {
    if (decoded === null) {
      this.line(`${messageName(forwarded, kind)}  ${paint(this.options.theme.bad, notDecoded)}`);
      return;
    }
    const redacted = secretEntries(decoded, this.options.showSecrets);
    this.tree.print(decoded, { endOffset: decoded.length, redacted, leftOut: null, missing: null });
  }

  private line(text: string): void {
    this.out.spill();
    this.out.utf8(`${text}\n`);
  }
}

function headline({ exchange, start, status, reason, sasl }: DecodedExchange, { theme, full, times = 'utc' }: TreeOptions): string {
  const { connection, clientId } = exchange;
  const parts = [
    timeText(times, exchange.request.first, start) ?? 'time unknown',
    `${safeText(connection.client)} → ${safeText(connection.server)}`,
    `${apiName(exchange.apiKey)} v${exchange.apiVersion}`,
    `correlation ${exchange.correlationId}`,
    `client ${clientId === null ? 'null' : clientIdText(clientId, full)}`,
  ];
  if (sasl !== null) parts.push(saslText(sasl));
  const latency = latencyText(exchange);
  if (latency !== null) parts.push(latency);
  const line = paint(theme.heading, parts.join('  '));
  return status === 'complete' ? line : `${line}  ${paint(theme.bad, statusText(status, reason))}`;
}

function clientIdText(clientId: Uint8Array, full: boolean): string {
  const { text, cutBytes } = quoteUtf8Within(clientId, 0, clientId.length, full ? Number.POSITIVE_INFINITY : CLIENT_ID_COLUMNS);
  return cutBytes === 0 ? text : `${text}…+${cutBytes}B`;
}

function forwardedHeadline(forwarded: Forwarded, { full }: TreeOptions): string {
  const { apiKey, apiVersion, correlationId, clientId, principal, clientAddress } = forwarded;
  return [
    `forwarded for ${principal === null ? 'a principal that is not known' : safeText(principal)}`,
    `from ${clientAddress === null ? 'an address that is not known' : addressOf(clientAddress)}`,
    `${apiName(apiKey)} v${apiVersion}`,
    `correlation ${correlationId}`,
    `client ${clientId === null ? 'null' : clientIdText(clientId, full)}`,
  ].join('  ');
}

function saslText({ mechanism, user }: SaslFacts): string {
  const by = mechanism === null ? 'mechanism not known' : safeText(mechanism);
  return user === null ? by : `${by} user ${quoteText(user)}`;
}

function unanswered({ exchange, reason }: DecodedExchange): string {
  return `no ${apiName(exchange.apiKey)}Response${missingReason(reason)}`;
}

/** The one line of a frame that has no schema. */
function undecoded(exchange: Exchange, kind: Kind, frame: Frame, theme: Theme): string {
  const whole = frame.size + SIZE_BYTES;
  const there = frame.bytes.length === whole ? `${whole}B` : `${frame.bytes.length} of ${whole}B`;
  const name = messageName(exchange, kind);
  return `${paint(theme.name, name)} ${paint(theme.span, `[0x0000, ${there}]`)} ${paint(theme.bad, notDecoded)}`;
}

function messageName({ apiKey, apiVersion }: { readonly apiKey: number; readonly apiVersion: number }, kind: Kind): string {
  return `${apiName(apiKey)}${kind} message v${apiVersion}`;
}

function apiName(apiKey: number): string {
  return codeName(apiNames, apiKey);
}
