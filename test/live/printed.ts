import type { KnownExchange } from './request-log.ts';

/** Members that kafka-dissect adds to Kafka's JSON: the names of codes. */
const NAMES = new Set(['resourceTypeName', 'errorName', 'configSourceName', 'sourceName', 'configTypeName']);

/** A line of kafka-dissect's NDJSON about an exchange. */
export interface PrintedExchange extends KnownExchange {
  readonly status: string;
  readonly time: string;
  readonly latencyMs: number;
}

/** Reduces a printed exchange to what the broker's log has. */
export function knownOf(printed: PrintedExchange): KnownExchange {
  const { client, server, clientId, correlationId, apiVersion, request, response } = printed;
  return {
    client,
    server,
    clientId,
    correlationId,
    apiVersion,
    request: withoutNames(request),
    response: withoutNames(response),
  };
}

function withoutNames(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (member, value: unknown) => (NAMES.has(member) ? undefined : value)));
}

/** When the last packet of a complete exchange was captured, in ms since 1970; its request fits in one packet. */
export function lastPacketTimeMs({ time, latencyMs }: PrintedExchange): number {
  const [, seconds, fraction] = /^(.*)\.(\d+)Z$/.exec(time) as unknown as [string, string, string];
  return Date.parse(`${seconds}Z`) + Number(`0.${fraction}`) * 1000 + latencyMs;
}
