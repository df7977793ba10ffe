import { nanosBetween, type PacketPosition } from '../capture/packet.ts';
import { auxAt, bodyEntry, memberEntry, NO_ENTRY } from '../decode/walk.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';

/** The four instants of an exchange, as they were captured, and what lies between. Null for what isn't known. */
export interface ExchangeTiming {
  readonly requestFirst: PacketPosition;
  readonly requestLast: PacketPosition | null;
  readonly responseFirst: PacketPosition | null;
  readonly responseLast: PacketPosition | null;
  /** From the request's first byte to its last. */
  readonly requestMs: number | null;
  /** From the request's last byte to the response's first: the broker's, and the network's between it and where packets were captured. */
  readonly brokerMs: number | null;
  /** From the response's first byte to its last. */
  readonly responseMs: number | null;
  /** From the request's last byte to the response's last. */
  readonly latencyMs: number | null;
  /** How long the broker says that it throttles the client. */
  readonly throttleMs: number | null;
}

/** When an exchange's bytes passed, and how long what took. */
export function exchangeTiming({ exchange, response: decoded }: DecodedExchange): ExchangeTiming {
  const { request, response } = exchange;
  const responseFirst = response?.first ?? null;
  const responseLast = response?.last ?? null;
  return {
    requestFirst: request.first,
    requestLast: request.last,
    responseFirst,
    responseLast,
    requestMs: millisBetween(request.first, request.last),
    brokerMs: millisBetween(request.last, responseFirst),
    responseMs: millisBetween(responseFirst, responseLast),
    latencyMs: millisBetween(request.last, responseLast),
    throttleMs: decoded === null ? null : throttleMillis(decoded),
  };
}

function millisBetween(from: PacketPosition | null, to: PacketPosition | null): number | null {
  const nanos = from === null || to === null ? Number.NaN : nanosBetween(from, to);
  return Number.isNaN(nanos) ? null : nanos / 1e6;
}

function throttleMillis(response: NonNullable<DecodedExchange['response']>): number | null {
  const entry = memberEntry(response, bodyEntry(response), 'throttleTimeMs');
  return entry === NO_ENTRY ? null : auxAt(response, entry);
}
