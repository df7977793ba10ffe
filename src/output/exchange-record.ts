import type { Decoded } from '../decode/decoded.ts';
import type { Forwarded } from '../decode/forwarded.ts';
import { secretEntries } from '../decode/secrets.ts';
import { bodyValue, type StructValue } from '../decode/values.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { ExchangeRecord } from '../records/records.ts';
import { forwardedHead, recordHead, recordTail } from './envelope.ts';

/** What a record needs to know beside its exchange. */
export interface RecordOptions {
  /** Names of the captures, by index. */
  readonly captures: readonly string[];
  /** Give sensitive values. */
  readonly showSecrets: boolean;
}

/** The exchange as a plain object that owns all it holds: what a line of NDJSON parses to. */
export function exchangeRecord(decoded: DecodedExchange, options: RecordOptions): ExchangeRecord {
  return {
    ...recordHead(decoded, options.captures),
    request: bodyOf(decoded.request, decoded.leftOut?.request ?? null, options),
    response: bodyOf(decoded.response, decoded.leftOut?.response ?? null, options),
    ...forwardedPart(decoded.forwarded, options),
    ...recordTail(decoded),
  };
}

function bodyOf(decoded: Decoded | null, leftOut: ReadonlySet<number> | null, { showSecrets }: RecordOptions): StructValue | null {
  return decoded && bodyValue(decoded, secretEntries(decoded, showSecrets), leftOut);
}

function forwardedPart(forwarded: Forwarded | null, options: RecordOptions): Pick<ExchangeRecord, 'forwarded'> {
  if (forwarded === null) return {};
  const { request, response } = forwarded;
  return { forwarded: { ...forwardedHead(forwarded), request: bodyOf(request, null, options), response: bodyOf(response, null, options) } };
}
