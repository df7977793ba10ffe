import { readFileSync } from 'node:fs';

const DESCRIBE_CONFIGS = 32;
/** Before it the line says that the request is completed; its wording changed over the releases. */
const JSON_BEGINS = '{"';

/** A DescribeConfigs exchange as the broker logged it, or as kafka-dissect printed it: what both know. */
export interface KnownExchange {
  readonly client: string;
  readonly server: string;
  readonly clientId: string;
  readonly correlationId: number;
  readonly apiVersion: number;
  readonly request: unknown;
  readonly response: unknown;
}

interface LogLine {
  readonly requestHeader: { clientId: string; correlationId: number; requestApiKey: number; requestApiVersion: number };
  readonly request: unknown;
  readonly response: unknown;
  /** `127.0.0.1:9092-127.0.0.1:51234-0` and a number that sets apart connections of the same addresses. */
  readonly connection: string;
}

/** The DescribeConfigs exchanges in a file that Kafka 2.7 or later wrote as the log `kafka.request.logger` at TRACE. */
export function readRequestLog(path: string): KnownExchange[] {
  // A line without its end is still being written.
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.filter((line) => line.includes('"requestApiKeyName":"DESCRIBE_CONFIGS"')).map(parseLine);
}

function parseLine(line: string): KnownExchange {
  const { requestHeader, request, response, connection } = JSON.parse(line.slice(line.indexOf(JSON_BEGINS))) as LogLine;
  const { clientId, correlationId, requestApiKey, requestApiVersion } = requestHeader;
  const [server, client] = connection.split('-');
  if (requestApiKey !== DESCRIBE_CONFIGS || !server || !client) throw new Error(`can't read the broker's log: ${line}`);
  return { client, server, clientId, correlationId, apiVersion: requestApiVersion, request, response };
}
