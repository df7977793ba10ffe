import { auxAt, bodyEntry, memberEntry, NO_ENTRY } from '../decode/walk.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { ExchangeTiming } from '../records/exchange-detail.ts';
import { millisBetween } from '../records/time.ts';

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

function throttleMillis(response: NonNullable<DecodedExchange['response']>): number | null {
  const entry = memberEntry(response, bodyEntry(response), 'throttleTimeMs');
  return entry === NO_ENTRY ? null : auxAt(response, entry);
}
