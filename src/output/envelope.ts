import type { Decoded } from '../decode/decoded.ts';
import type { Forwarded } from '../decode/forwarded.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Exchange, Frame } from '../kafka/exchange.ts';
import { addressOf } from '../records/address.ts';
import { captureName } from '../records/capture-name.ts';
import {
  type ErrorRecord,
  type ExchangeRecord,
  type ForwardedRecord,
  type FrameRecord,
  SCHEMA_VERSION,
  type UnknownTagRecord,
} from '../records/records.ts';
import { isoTime, millisBetween } from '../records/time.ts';
import { apiNames } from '../schema/api-keys.ts';
import { codeName } from '../schema/enums.ts';
import { utf8Text } from '../wire/text.ts';

/** The members of a record before its bodies, in order. `captures` are the names of the captures, by index. */
export function recordHead(
  decoded: DecodedExchange,
  captures: readonly string[],
): Omit<ExchangeRecord, 'request' | 'response' | 'error' | 'unknownTags'> {
  const { exchange, reason } = decoded;
  const { connection, request, response } = exchange;
  return {
    type: 'exchange',
    schemaVersion: SCHEMA_VERSION,
    status: decoded.status,
    ...(reason === null ? {} : { reason }),
    number: decoded.number,
    capture: decoded.captureName,
    time: isoTime(request.first),
    latencyMs: latencyMillis(exchange),
    stream: connection.stream,
    client: connection.client,
    server: connection.server,
    apiKey: exchange.apiKey,
    apiName: codeName(apiNames, exchange.apiKey),
    apiVersion: exchange.apiVersion,
    correlationId: exchange.correlationId,
    clientId: exchange.clientId && utf8Text(exchange.clientId),
    requestFrame: frameRecord(request, decoded.captureName, captures),
    responseFrame: response && frameRecord(response, decoded.captureName, captures),
  };
}

/** The members of a record after its bodies, in order. */
export function recordTail({
  request,
  response,
  sasl,
  leftOut,
}: DecodedExchange): Pick<ExchangeRecord, 'sasl' | 'configsLeftOut' | 'error' | 'unknownTags'> {
  const error = errorRecord(request) ?? errorRecord(response);
  const unknownTags = [...unknownTagRecords(request), ...unknownTagRecords(response)];
  return {
    ...(sasl === null ? {} : { sasl }),
    ...(leftOut === null ? {} : { configsLeftOut: leftOut.count }),
    ...(error === null ? {} : { error }),
    ...(unknownTags.length === 0 ? {} : { unknownTags }),
  };
}

/** The members of a forwarded request's record before its bodies, in order. */
export function forwardedHead(forwarded: Forwarded): Omit<ForwardedRecord, 'request' | 'response'> {
  const { apiKey, apiVersion, correlationId, clientId, principal, clientAddress } = forwarded;
  return {
    apiKey,
    apiName: codeName(apiNames, apiKey),
    apiVersion,
    correlationId,
    clientId: clientId && utf8Text(clientId),
    principal,
    clientAddress: clientAddress && addressOf(clientAddress),
  };
}

/**
 * From the request's last byte to the response's last byte; null where either isn't there or has no time, negative where they were recorded
 * in the wrong order.
 */
export function latencyMillis({ request, response }: Exchange): number | null {
  return millisBetween(request.last, response?.last ?? null);
}

function frameRecord(frame: Frame, recordCapture: string, captures: readonly string[]): FrameRecord {
  const { first, last } = frame;
  const capture = captureName(captures, first.capture);
  const lastCapture = last === null ? capture : captureName(captures, last.capture);
  return {
    packet: first.number,
    lastPacket: last?.number ?? null,
    time: isoTime(first),
    bytes: frame.size,
    streamOffset: frame.streamOffset,
    ...(capture === recordCapture ? {} : { capture }),
    ...(lastCapture === capture ? {} : { lastCapture }),
  };
}

function errorRecord(decoded: Decoded | null): ErrorRecord | null {
  if (decoded === null || decoded.error === null) return null;
  const { code, message, offset, path } = decoded.error;
  return { side: decoded.plan.side, code, message, offset, path };
}

function unknownTagRecords(decoded: Decoded | null): UnknownTagRecord[] {
  if (decoded === null) return [];
  const { bytes, origin, plan, unknownTags } = decoded;
  return unknownTags.map(({ path, tag, start, end }) => ({
    side: plan.side,
    path,
    tag,
    hex: Buffer.from(bytes.buffer, bytes.byteOffset + origin + start, end - start).toString('hex'),
  }));
}
