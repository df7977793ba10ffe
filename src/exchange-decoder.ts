import type { PacketPosition } from './capture/packet.ts';
import { FrameDecoder } from './decode/decode-frame.ts';
import type { Decoded } from './decode/decoded.ts';
import { ForwardedDecoder } from './decode/forwarded.ts';
import { authenticateUser, handshakeMechanism } from './decode/sasl.ts';
import { secretFields } from './decode/secret-fields.ts';
import { secretEntries } from './decode/secrets.ts';
import type { DiagnosticSink, Side } from './diagnostics.ts';
import type { DecodedExchange, SaslFacts } from './kafka/decoded-exchange.ts';
import type { Exchange, Frame, KafkaConnection, Reason, Status } from './kafka/exchange.ts';
import { apiNames } from './schema/api-keys.ts';
import type { MessageSide, Schemas } from './schema/schemas.ts';
import { int16, int32 } from './wire/bytes.ts';

const SASL_HANDSHAKE = 17;
const API_VERSIONS = 18;
const SASL_AUTHENTICATE = 36;
const ENVELOPE = 58;
const UNSUPPORTED_VERSION = 35;

/** Decodes the two frames of an exchange, and says what became of it. Tapes are reused: a result is valid until the next call. */
export class ExchangeDecoder {
  readonly #schemas: Schemas;
  readonly #diagnostics: DiagnosticSink;
  readonly #requests = new FrameDecoder();
  readonly #responses = new FrameDecoder();
  readonly #forwarded: ForwardedDecoder;
  /** What the last SaslHandshake on a connection began. */
  readonly #authentications = new WeakMap<KafkaConnection, SaslFacts>();

  constructor(schemas: Schemas, diagnostics: DiagnosticSink) {
    this.#schemas = schemas;
    this.#forwarded = new ForwardedDecoder(schemas);
    this.#diagnostics = diagnostics;
  }

  /** `start` is the first packet that has a time. */
  decode(exchange: Exchange, number: number, captureName: string, start: PacketPosition | null): DecodedExchange {
    const request = this.#decode(exchange, exchange.request, 'request', this.#requests);
    const response = exchange.response === null ? null : this.#decode(exchange, exchange.response, 'response', this.#responses);
    const { status, reason } = outcome(exchange, request, response);
    if (reason === 'version-unsupported') this.#reportVersion(exchange);
    const forwarded = exchange.apiKey === ENVELOPE && request !== null ? this.#forwarded.decode(request, response) : null;
    const sasl = request === null ? null : this.#sasl(exchange, request);
    if (exchange.apiKey === SASL_AUTHENTICATE) this.#reportPassword(exchange, sasl);
    else this.#reportSecrets(exchange, forwarded?.request ?? request, forwarded?.response ?? response);
    return { number, exchange, status, reason, request, response, forwarded, sasl, leftOut: null, captureName, start };
  }

  #sasl({ apiKey, connection }: Exchange, request: Decoded): SaslFacts | null {
    if (apiKey === SASL_HANDSHAKE) this.#authentications.set(connection, { mechanism: handshakeMechanism(request), user: null });
    if (apiKey !== SASL_AUTHENTICATE) return null;
    const { mechanism = null, user = null } = this.#authentications.get(connection) ?? {};
    const facts = { mechanism, user: user ?? authenticateUser(request, mechanism) };
    this.#authentications.set(connection, facts);
    return facts;
  }

  #decode(exchange: Exchange, frame: Frame, side: MessageSide, decoder: FrameDecoder): Decoded | null {
    const version = isVersionFallback(exchange, frame, side) ? 0 : exchange.apiVersion;
    const plan = this.#schemas.plan(exchange.apiKey, version, side);
    if (plan === null) return null;
    const decoded = decoder.decode(plan, frame.bytes, 0, frame.bytes.length);
    if (decoded.error !== null && frame.damage === null) this.#reportMalformed(exchange, frame, side, decoded);
    if (decoded.trailingBytes > 0) {
      this.#report(exchange, frame, side, 'trailing-bytes', `${decoded.trailingBytes} bytes after the body`, decoded.trailingBytes);
    }
    return decoded;
  }

  /** That a secret crossed the wire is a finding of its own, whether it is printed or not. */
  #reportSecrets(exchange: Exchange, request: Decoded | null, response: Decoded | null): void {
    const [asked, answered] = [exchange.request, exchange.response];
    if (request !== null) this.#reportSecretsIn(exchange, asked, 'request', request);
    // Where decoding stopped, a value may be hidden that the broker would have called no secret.
    if (response?.error === null && answered !== null) this.#reportSecretsIn(exchange, answered, 'response', response);
  }

  #reportSecretsIn(exchange: Exchange, frame: Frame, side: MessageSide, decoded: Decoded): void {
    if (decoded.plan.apiKey === ENVELOPE) return;
    const [first] = secretFields(decoded, 1);
    if (first === undefined) return;
    const count = secretEntries(decoded, false)?.size ?? 0;
    const what = count === 1 ? 'a sensitive value was sent' : `${count} sensitive values were sent, this is the first`;
    const message = first.key === null ? what : `${what}: ${first.key}`;
    this.#report(exchange, frame, side, 'sensitive-value-exposed', message, undefined, first.path);
  }

  #reportPassword(exchange: Exchange, sasl: SaslFacts | null): void {
    if (sasl?.mechanism !== 'PLAIN') return;
    const message = 'a password was sent as it is: the mechanism is PLAIN, and the connection not encrypted';
    this.#report(exchange, exchange.request, 'request', 'sensitive-value-exposed', message, undefined, 'authBytes');
  }

  #reportMalformed(exchange: Exchange, frame: Frame, side: MessageSide, { error, plan }: Decoded): void {
    if (error === null) return;
    const where = error.path === '' ? '' : ` at ${error.path}`;
    this.#report(exchange, frame, side, 'body-malformed', `${plan.name}${where}, offset ${error.offset}: ${error.message}`, frame.size + 4);
  }

  #reportVersion(exchange: Exchange): void {
    const name = apiNames.get(exchange.apiKey) ?? `API ${exchange.apiKey}`;
    this.#report(
      exchange,
      exchange.request,
      'request',
      'version-unsupported',
      `${name} version ${exchange.apiVersion} has no schema: not decoded`,
    );
  }

  #report(
    { connection, correlationId }: Exchange,
    frame: Frame,
    side: MessageSide,
    code: 'body-malformed' | 'trailing-bytes' | 'version-unsupported' | 'sensitive-value-exposed',
    message: string,
    bytes?: number,
    path?: string,
  ): void {
    const { stream, client, server } = connection;
    const from: Side = side === 'request' ? 'client' : 'server';
    this.#diagnostics.report({
      code,
      message: `correlation id ${correlationId}: ${message}`,
      capture: frame.first.capture,
      packet: frame.first.number,
      stream,
      connection: from === 'client' ? `${client} → ${server}` : `${server} → ${client}`,
      side: from,
      streamOffset: frame.streamOffset,
      ...(bytes === undefined ? {} : { bytes }),
      ...(path === undefined ? {} : { path }),
    });
  }
}

/**
 * KIP-511: a broker that doesn't know the version of an ApiVersions request answers in version 0, with error 35 and the versions it knows:
 * a correlation id, the error, a count and six bytes for each.
 */
function isVersionFallback({ apiKey, apiVersion }: Exchange, { bytes, size }: Frame, side: MessageSide): boolean {
  if (apiKey !== API_VERSIONS || apiVersion === 0 || side === 'request' || bytes.length < 14) return false;
  return int16(bytes, 8) === UNSUPPORTED_VERSION && size === 10 + 6 * int32(bytes, 10);
}

/** Complete only where both frames are whole and decode to their end. */
function outcome(exchange: Exchange, request: Decoded | null, response: Decoded | null): { status: Status; reason: Reason | null } {
  const requestDamaged = exchange.request.damage !== null || (request !== null && request.error !== null);
  if (request === null) {
    return { status: exchange.response === null ? 'unanswered' : 'partial', reason: exchange.reason ?? 'version-unsupported' };
  }
  if (exchange.response === null) {
    const malformed = exchange.request.damage === null && request.error !== null;
    return { status: requestDamaged ? 'partial' : 'unanswered', reason: malformed ? 'malformed' : exchange.reason };
  }
  if (exchange.reason !== null) return { status: 'partial', reason: exchange.reason };
  if (requestDamaged || response === null || response.error !== null) return { status: 'partial', reason: 'malformed' };
  return { status: 'complete', reason: null };
}
