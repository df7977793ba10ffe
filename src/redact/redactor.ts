import type { Decoded } from '../decode/decoded.ts';
import type { Forwarded } from '../decode/forwarded.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Frame, KafkaConnection } from '../kafka/exchange.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { redactDecoded } from './redact-frame.ts';
import { redactMessage, redactRow } from './redact-record.ts';

const SIZE_BYTES = 4;

/**
 * Puts pseudonyms in the place of client ids, addresses, names and values, right before anything is printed: what is printed can be given
 * away and still tells what belongs together. Config keys, codes, ids of brokers, ports, times and places in captures stay.
 */
export class Redactor {
  readonly #pseudonyms: Pseudonyms;

  constructor(pseudonyms: Pseudonyms) {
    this.#pseudonyms = pseudonyms;
  }

  /** Owns its bytes and tapes. */
  exchange(decoded: DecodedExchange): DecodedExchange {
    const { exchange, sasl, forwarded } = decoded;
    const request = decoded.request && redactDecoded(decoded.request, this.#pseudonyms);
    const response = decoded.response && redactDecoded(decoded.response, this.#pseudonyms);
    return {
      ...decoded,
      exchange: {
        ...exchange,
        connection: this.#connection(exchange.connection),
        clientId: this.#clientId(exchange.clientId),
        request: redactFrame(exchange.request, request),
        response: exchange.response && redactFrame(exchange.response, response),
      },
      request,
      response,
      sasl: sasl && { ...sasl, user: sasl.user && this.#pseudonyms.of('user', sasl.user) },
      forwarded: forwarded && this.#forwarded(forwarded),
    };
  }

  diagnostic(diagnostic: Diagnostic): Diagnostic {
    const { connection } = diagnostic;
    const message = redactMessage(diagnostic.message, this.#pseudonyms);
    return { ...diagnostic, message, ...(connection === undefined ? {} : { connection: redactMessage(connection, this.#pseudonyms) }) };
  }

  row<Row extends object>(row: Row): Row {
    return redactRow(row, this.#pseudonyms);
  }

  #connection(connection: KafkaConnection): KafkaConnection {
    const { client, server } = connection;
    return { ...connection, client: this.#pseudonyms.endpoint(client), server: this.#pseudonyms.endpoint(server) };
  }

  #clientId(clientId: Uint8Array | null): Uint8Array | null {
    return clientId && Buffer.from(this.#pseudonyms.of('client', Buffer.from(clientId).toString('utf8')));
  }

  /** Bytes have no pseudonym that could be told from an address: that of the client is left out. */
  #forwarded(forwarded: Forwarded): Forwarded {
    const { clientId, principal, request, response } = forwarded;
    return {
      ...forwarded,
      clientId: this.#clientId(clientId),
      principal: principal && this.#pseudonyms.principal(principal),
      clientAddress: null,
      request: request && redactDecoded(request, this.#pseudonyms),
      response: response && redactDecoded(response, this.#pseudonyms),
    };
  }
}

/** The frame of a redacted message; zeros where it isn't decoded. */
function redactFrame(frame: Frame, decoded: Decoded | null): Frame {
  if (decoded === null) return { ...frame, bytes: new Uint8Array(frame.bytes.length) };
  const missing = SIZE_BYTES + frame.size - frame.bytes.length;
  return { ...frame, bytes: decoded.bytes, size: decoded.length + missing - SIZE_BYTES };
}
