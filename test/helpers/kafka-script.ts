import type { Diagnostic } from '../../src/diagnostics.ts';
import { ExchangeDecoder } from '../../src/exchange-decoder.ts';
import { SchemaOracle } from '../../src/frame-oracle.ts';
import type { KafkaConnection } from '../../src/kafka/exchange.ts';
import { KafkaStage } from '../../src/kafka/kafka-stage.ts';
import { MAX_FRAME_BYTES } from '../../src/limits.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import type { CloseCause, Direction, GapCause, StreamSink } from '../../src/tcp/stream-sink.ts';
import { bigEndian, concat } from './packets.ts';

const DESCRIBE_CONFIGS = 32;
const TOPIC = 2;

/** A frame: the size prefix and what is behind it. */
export function frame(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const content = concat(...parts);
  return concat(bigEndian(content.length, 4), content);
}

/** A string with its int16 length; null for null. */
export function string(text: string | null): Uint8Array {
  if (text === null) return Uint8Array.from([255, 255]);
  const bytes = Buffer.from(text);
  return concat(bigEndian(bytes.length, 2), bytes);
}

/** A request of any API in header version 1. */
export function request(
  apiKey: number,
  version: number,
  id: number,
  body: readonly number[] = [],
  clientId: string | null = 'adm',
): Uint8Array {
  return frame(bigEndian(apiKey, 2), bigEndian(version, 2), bigEndian(id, 4), string(clientId), body);
}

/** A response of any API in header version 0. */
export function response(id: number, body: readonly number[] = []): Uint8Array {
  return frame(bigEndian(id, 4), body);
}

/** A DescribeConfigs request, version 1, for topics. */
export function describe(id: number, topics: readonly string[] | string, clientId: string | null = 'adm'): Uint8Array {
  const resources = [topics].flat().map((topic) => [TOPIC, ...string(topic), 255, 255, 255, 255]);
  return request(DESCRIBE_CONFIGS, 1, id, [...bigEndian(resources.length, 4), ...resources.flat(), 0], clientId);
}

/** Its response: one config per topic, with a value of so many bytes. */
export function described(id: number, topics: readonly string[] | string, valueBytes = 1): Uint8Array {
  const config = [...string('k'), ...string('v'.repeat(valueBytes)), 0, 1, 0, 0, 0, 0, 0];
  const results = [topics].flat().map((topic) => [0, 0, 255, 255, TOPIC, ...string(topic), 0, 0, 0, 1, ...config]);
  return response(id, [0, 0, 0, 0, ...bigEndian(results.length, 4), ...results.flat()]);
}

/** What a stream brings next. */
export type Step = (sink: StreamSink, packet: number) => void;

const position = (packet: number) => ({ capture: 0, number: packet, seconds: 1_700_000_000, nanos: packet * 1000, fine: false });

function bytes(direction: Direction, parts: readonly Uint8Array[]): Step {
  return (sink, packet) => {
    const all = concat(...parts);
    if (!sink.ignoring) sink.data(direction, all, 0, all.length, position(packet));
    // The bytes are borrowed.
    all.fill(0x21);
  };
}

/** A segment from the client. */
export const client = (...parts: readonly Uint8Array[]): Step => bytes(0, parts);
/** A segment from the server. */
export const server = (...parts: readonly Uint8Array[]): Step => bytes(1, parts);
export const clientGap =
  (length: number, cause: GapCause = 'gap'): Step =>
  (sink, packet) =>
    sink.gap(0, length, cause, position(packet));
export const serverGap =
  (length: number, cause: GapCause = 'gap'): Step =>
  (sink, packet) =>
    sink.gap(1, length, cause, position(packet));
export const clientEnd: Step = (sink) => sink.end(0);
export const serverEnd: Step = (sink) => sink.end(1);

export interface ScriptOptions {
  /** 0, or null where the capture begins in mid-connection. */
  opener?: Direction | null;
  /** The server's beginning isn't known although the client's is. */
  serverJoined?: boolean;
  maxFrameBytes?: number;
  asksFor?: (apiKey: number) => boolean;
  /** How the connection ends after the steps; with the capture unless told otherwise. */
  end?: CloseCause;
  /** The server sent nothing at all. */
  noServerPackets?: boolean;
}

/**
 * Plays steps on one connection, each of a packet numbered from 1, then its end. Exchanges come as
 * `id status reason request-packets/response-packets`, diagnostics as `side code packet bytes`.
 */
export function play(steps: readonly Step[], options: ScriptOptions = {}) {
  const diagnostics: Diagnostic[] = [];
  const exchanges: string[] = [];
  const tokens: string[] = [];
  const notKafka: string[] = [];
  const calls: number[] = [];
  const after: number[] = [];
  const sinkOfDiagnostics = { report: (diagnostic: Diagnostic) => diagnostics.push(diagnostic) };
  const decoder = new ExchangeDecoder(new Schemas(), sinkOfDiagnostics);
  const stage = new KafkaStage({
    asksFor: options.asksFor ?? ((apiKey) => apiKey === DESCRIBE_CONFIGS),
    maxFrameBytes: options.maxFrameBytes ?? MAX_FRAME_BYTES,
    oracle: new SchemaOracle(new Schemas()),
    exchanges: {
      exchange: (exchange) => {
        const { status, reason } = decoder.decode(exchange, 1, '', null);
        const packets = [exchange.request, exchange.response].map((each) =>
          each === null ? '' : `${each.first.number}-${each.last?.number ?? ''}`,
        );
        exchanges.push([exchange.correlationId, status, ...(reason === null ? [] : [reason]), packets.join('/')].join(' '));
      },
    },
    traffic: {
      request() {},
      call: ({ correlationId }) => calls.push(correlationId),
      gap() {},
      token: (_: KafkaConnection, all, start, end) => tokens.push(Buffer.from(all.subarray(start, end)).toString('latin1')),
      notKafka: (_, protocol, detail) => notKafka.push(`${protocol}: ${detail}`),
    },
    diagnostics: sinkOfDiagnostics,
  });
  const opener = options.opener === undefined ? 0 : options.opener;
  const sink = stage.open({
    stream: 0,
    opener,
    endpoint: (direction) => ['192.0.2.1:51234', '192.0.2.2:9092'][direction] as string,
    beginsWhole: (direction) => opener !== null && !(direction === 1 && options.serverJoined === true),
    hasPackets: (direction) => direction === 0 || options.noServerPackets !== true,
  });
  steps.forEach((step, i) => {
    step(sink, i + 1);
    after.push(exchanges.length);
  });
  sink.close(options.end ?? 'capture-ended');
  const told = diagnostics.map(({ side = 'both', code, packet, bytes: count }) =>
    [side, code, packet, count].filter((part) => part !== undefined).join(' '),
  );
  return { exchanges, told, diagnostics, tokens, notKafka, calls, after, counts: stage.counts };
}
