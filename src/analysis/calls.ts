import type { Call, Exchange } from '../kafka/exchange.ts';

const SIZE_PREFIX_BYTES = 4;

/** Whether a request was answered: bytes of the answer may be missing from the capture, but the broker sent it whole. */
export function isAnswered({ response, reason }: Call): boolean {
  return response !== null && reason !== 'connection-closed' && reason !== 'connection-reset';
}

/** The header-level facts of an exchange. */
export function callOf({ connection, apiKey, apiVersion, correlationId, clientId, request, response, reason }: Exchange): Call {
  return {
    connection,
    apiKey,
    apiVersion,
    correlationId,
    clientId,
    requestBytes: SIZE_PREFIX_BYTES + request.size,
    first: request.first,
    last: request.last,
    response: response && { bytes: SIZE_PREFIX_BYTES + response.size, first: response.first, last: response.last },
    reason,
  };
}
