import type { PacketPosition } from '../../src/capture/packet.ts';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { type EncodableStruct, encodeFrame } from '../../src/encode/encode.ts';
import type { DecodedExchange } from '../../src/kafka/decoded-exchange.ts';
import type { Frame, Reason, Status } from '../../src/kafka/exchange.ts';
import type { MessagePlan } from '../../src/schema/plan.ts';
import { Schemas } from '../../src/schema/schemas.ts';

const DESCRIBE_CONFIGS = 32;
const NEWEST_VERSION = 4;

/** What an exchange is made of; what isn't said has a value that suits most tests. */
export interface ExchangeFacts {
  readonly number?: number;
  readonly version?: number;
  readonly clientId?: string | Uint8Array | null;
  readonly client?: string;
  /** Bytes from the size prefix on. */
  readonly request?: Uint8Array;
  /** Null where none came. */
  readonly response?: Uint8Array | null;
  readonly reason?: Reason | null;
  readonly time?: Partial<PacketPosition>;
}

export const schemas = new Schemas();

/** The plan of DescribeConfigs in a version that has one. */
export function planOf(version: number, side: 'request' | 'response'): MessagePlan {
  const plan = schemas.plan(DESCRIBE_CONFIGS, version, side);
  if (plan === null) throw new Error(`no plan of version ${version}`);
  return plan;
}

/** The request's frame. */
export function requestFrame(version: number, body: EncodableStruct, clientId: string | null = 'adm'): Uint8Array {
  return encodeFrame(planOf(version, 'request'), { correlationId: 7, clientId }, body);
}

/** The response's frame. */
export function responseFrame(version: number, body: EncodableStruct): Uint8Array {
  return encodeFrame(planOf(version, 'response'), { correlationId: 7 }, body);
}

/** Asks for all configs of topic orders and for two of broker 1. */
export const requestBody: EncodableStruct = {
  resources: [
    { resourceType: 2, resourceName: 'orders', configurationKeys: null },
    { resourceType: 4, resourceName: '1', configurationKeys: ['log.retention.ms', 'ssl.keystore.password'] },
  ],
  includeSynonyms: true,
  includeDocumentation: true,
};

/** A topic with two configs, a broker that is refused, and codes that nobody knows. */
export const responseBody: EncodableStruct = {
  throttleTimeMs: 0,
  results: [
    {
      errorCode: 0,
      errorMessage: '',
      resourceType: 2,
      resourceName: 'orders',
      configs: [
        {
          name: 'retention.ms',
          value: '86400000',
          readOnly: false,
          isDefault: false,
          configSource: 1,
          isSensitive: false,
          synonyms: [
            { name: 'retention.ms', value: '86400000', source: 1 },
            { name: 'log.retention.ms', value: null, source: 5 },
          ],
          configType: 5,
          documentation: 'Maximum time in milliseconds before old segments are discarded: "forever" is -1.\nA second line, with ünïcödé.',
        },
        {
          name: 'sasl.jaas.config',
          value: 'password="hunter2 is here"',
          readOnly: true,
          isDefault: true,
          configSource: 99,
          isSensitive: true,
          synonyms: [],
          configType: 9,
          documentation: null,
        },
      ],
    },
    { errorCode: 31, errorMessage: 'Cluster authorization failed.', resourceType: 4, resourceName: '1', configs: [] },
  ],
};

/** An exchange of the frames given, decoded as the real ones are. */
export function exchangeOf(facts: ExchangeFacts = {}): DecodedExchange {
  const { number = 1, version = NEWEST_VERSION, clientId = 'adm', client = '10.0.0.1:51234', reason = null, time = {} } = facts;
  const request = facts.request ?? requestFrame(version, requestBody, typeof clientId === 'string' ? clientId : null);
  const response = facts.response === undefined ? responseFrame(version, responseBody) : facts.response;
  return {
    number,
    status: statusOf(response, reason),
    reason,
    request: decoded(version, 'request', request),
    response: response && decoded(version, 'response', response),
    forwarded: null,
    sasl: null,
    leftOut: null,
    start: null,
    captureName: 'orders.pcap',
    exchange: {
      connection: { stream: 3, client, server: '10.0.0.2:9092', fromStart: true },
      apiKey: DESCRIBE_CONFIGS,
      apiVersion: version,
      correlationId: 7,
      clientId: typeof clientId === 'string' ? Buffer.from(clientId) : clientId,
      request: frameOf(request, { number: 10, ...time }),
      response: response && frameOf(response, { number: 12, nanos: 124_690_000, ...time }, reason),
      reason,
    },
  };
}

function statusOf(response: Uint8Array | null, reason: Reason | null): Status {
  if (reason === null) return 'complete';
  return response === null ? 'unanswered' : 'partial';
}

function decoded(version: number, side: 'request' | 'response', bytes: Uint8Array) {
  const plan = schemas.plan(DESCRIBE_CONFIGS, version, side);
  return plan && decodeFrame(plan, bytes, 0, bytes.length);
}

function frameOf(bytes: Uint8Array, at: Partial<PacketPosition>, damage: Reason | null = null): Frame {
  const first = { capture: 0, number: 1, seconds: Date.UTC(2026, 10, 29, 17, 5) / 1000, nanos: 123_456_000, fine: false, ...at };
  const size = Buffer.from(bytes).readInt32BE(0);
  return { bytes, size, first, last: bytes.length === size + 4 ? first : null, streamOffset: 0, damage };
}
