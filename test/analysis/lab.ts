import { Readable } from 'node:stream';
import type { CaptureInput } from '../../src/capture/open-source.ts';
import type { Diagnostic } from '../../src/diagnostics.ts';
import { Dissection } from '../../src/dissect.ts';
import type { DecodedExchangeSink, ExchangeFilter, Totals, TrafficObserver } from '../../src/dissection.ts';
import { type EncodableStruct, encodeFrame } from '../../src/encode/encode.ts';
import { MAX_FRAME_BYTES } from '../../src/limits.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import type { MessageSide } from '../../src/schema/schemas.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { type CapturedPacket, type Endpoint, pcapFile, tcpConversation } from '../helpers/packets.ts';

// Captures made for a question: a few connections, each with a few exchanges at times that the test chooses.

const schemas = new Schemas();
schemas.add(messages);

const FIRST_SECOND = 1_700_000_000;

/** One request and its answer. */
export interface Said {
  readonly api: number;
  readonly version: number;
  readonly request: EncodableStruct;
  /** Null where none comes. */
  readonly response: EncodableStruct | null;
  /** Seconds from the beginning of the capture. */
  readonly at: number;
  readonly clientId?: string | null;
  /** The version that the answer is written in, where it isn't that of the request. */
  readonly responseVersion?: number;
  readonly correlationId?: number;
  /** Seconds from the request to the answer; a millisecond where not given. */
  readonly takes?: number;
}

/** Bytes that stand in a connection as they are. */
export interface Raw {
  readonly from: 'client' | 'server';
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** One connection. */
export interface Talk {
  readonly client?: string;
  readonly server?: string;
  readonly says: readonly (Said | Raw)[];
  /** False where the capture lacks its beginning. */
  readonly handshake?: boolean;
}

/** The frame of a message in any version of any API. */
export function frame(api: number, version: number, side: MessageSide, header: EncodableStruct, body: EncodableStruct): Uint8Array {
  const plan = schemas.plan(api, version, side);
  if (plan === null) throw new Error(`no plan of ${side} ${api} version ${version}`);
  return encodeFrame(plan, header, body);
}

/** A capture of these connections, packets in order of time. */
export function captureOf(...talks: readonly Talk[]): Uint8Array {
  const packets = talks.flatMap(packetsOf);
  packets.sort((one, other) => (one.seconds as number) - (other.seconds as number) || (one.nanos as number) - (other.nanos as number));
  return pcapFile(packets);
}

function packetsOf(talk: Talk): CapturedPacket[] {
  const said = talk.says.flatMap(messagesOf);
  const frames = tcpConversation({
    client: endpoint(talk.client ?? '10.0.0.9:40000'),
    server: endpoint(talk.server ?? '10.0.0.1:9092'),
    messages: said,
    mss: 65_000,
    handshake: talk.handshake !== false,
  });
  const before = talk.handshake === false ? 0 : 3;
  return frames.map((bytes, index) => {
    const at = said[Math.min(Math.max(0, index - before), said.length - 1)]?.at ?? 0;
    // What isn't said comes just before the first message, or just after the last.
    const micros = Math.round(at * 1e6) + (index < before ? index - before : Math.max(0, index - before - said.length + 1)) + 10;
    return { bytes, seconds: FIRST_SECOND + Math.floor(micros / 1e6), nanos: (micros % 1e6) * 1000 };
  });
}

function messagesOf(said: Said | Raw): { from: 'client' | 'server'; bytes: Uint8Array; at: number }[] {
  if ('bytes' in said) return [said];
  const { api, version, at, correlationId = 7, clientId = 'tool', responseVersion = version } = said;
  const request = { from: 'client' as const, at, bytes: frame(api, version, 'request', { correlationId, clientId }, said.request) };
  if (said.response === null) return [request];
  const bytes = frame(api, responseVersion, 'response', { correlationId }, said.response);
  return [request, { from: 'server', at: at + (said.takes ?? 0.001), bytes }];
}

function endpoint(text: string): Endpoint {
  const colon = text.lastIndexOf(':');
  return { address: text.slice(0, colon).replaceAll(/[[\]]/g, ''), port: Number(text.slice(colon + 1)) };
}

/** The time of a second of a lab's capture, as rows have it: messages come ten microseconds after the time that they were given. */
export function timeAt(second: number): string {
  const micros = Math.round(second * 1e6) + 10;
  const whole = new Date((FIRST_SECOND + Math.floor(micros / 1e6)) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(micros % 1e6).padStart(6, '0')}Z`;
}

export interface Observation {
  readonly totals: Totals;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads captures with an observer. A capture is a path, or the bytes of one. */
export async function observe(
  captures: readonly (string | Uint8Array)[],
  observer: TrafficObserver,
  sink: DecodedExchangeSink = { exchange() {} },
  filter: ExchangeFilter | null = null,
): Promise<Observation> {
  const diagnostics: Diagnostic[] = [];
  const inputs: CaptureInput[] = captures.map((capture, index) =>
    typeof capture === 'string' ? capture : { name: `lab-${index}.pcap`, stream: Readable.from([Buffer.from(capture)]) },
  );
  const options = { captures: inputs, maxFrameBytes: MAX_FRAME_BYTES, observer, ...(filter === null ? {} : { filter }) };
  const dissection = new Dissection(options, sink, { report: (diagnostic) => diagnostics.push(diagnostic) });
  await dissection.run();
  return { totals: dissection.totals, diagnostics };
}

const TOPIC = 2;
const BROKER = 4;

/** One config as DescribeConfigs tells it. */
export interface Config {
  readonly key: string;
  readonly value: string | null;
  readonly source?: number;
  readonly isSensitive?: boolean;
}

/** DescribeConfigs of one resource, and what the broker says. `topic:orders`, `broker:1`. */
export function describe(
  at: number,
  resource: string,
  configs: readonly Config[],
  more: Partial<Said> & { readonly keys?: readonly string[] | null; readonly errorCode?: number } = {},
): Said {
  const { keys = null, errorCode = 0, version = 4, ...rest } = more;
  const asked = resourceOf(resource);
  return {
    api: 32,
    version,
    at,
    request: {
      resources: [{ ...asked, configurationKeys: keys === null ? null : [...keys] }],
      includeSynonyms: false,
      includeDocumentation: false,
    },
    response: {
      throttleTimeMs: 0,
      results: [{ errorCode, errorMessage: null, ...asked, configs: configs.map(configOf) }],
    },
    ...rest,
  };
}

function configOf({ key, value, source = 5, isSensitive = false }: Config): EncodableStruct {
  return {
    name: key,
    value,
    readOnly: false,
    configSource: source,
    isDefault: source === 5,
    isSensitive,
    synonyms: [],
    configType: 2,
    documentation: null,
  };
}

function resourceOf(text: string): { resourceType: number; resourceName: string } {
  const [type, name = ''] = text.split(':');
  return { resourceType: type === 'broker' ? BROKER : TOPIC, resourceName: name };
}

/** IncrementalAlterConfigs of one resource: `[key, operation, value]`, and the error that came. */
export function alter(
  at: number,
  resource: string,
  changes: readonly (readonly [key: string, op: number, value: string | null])[],
  more: Partial<Said> & { readonly errorCode?: number; readonly validateOnly?: boolean } = {},
): Said {
  const { errorCode = 0, validateOnly = false, version = 1, ...rest } = more;
  const altered = resourceOf(resource);
  const configs = changes.map(([name, configOperation, value]) => ({ name, configOperation, value }));
  return {
    api: 44,
    version,
    at,
    request: { resources: [{ ...altered, configs }], validateOnly },
    response: { throttleTimeMs: 0, responses: [{ errorCode, errorMessage: null, ...altered }] },
    ...rest,
  };
}

/** AlterConfigs, which replaces all configs of a resource. */
export function replaceAll(at: number, resource: string, configs: Readonly<Record<string, string>>): Said {
  const altered = resourceOf(resource);
  const list = Object.entries(configs).map(([name, value]) => ({ name, value }));
  return {
    api: 33,
    version: 2,
    at,
    request: { resources: [{ ...altered, configs: list }], validateOnly: false },
    response: { throttleTimeMs: 0, responses: [{ errorCode: 0, errorMessage: null, ...altered }] },
  };
}

/** Metadata that tells nodes: `[id, host, port]`. */
export function metadata(at: number, nodes: readonly (readonly [number, string, number])[], clusterId: string | null = 'cluster-a'): Said {
  return {
    api: 3,
    version: clusterId === null ? 1 : 12,
    at,
    request: { topics: [], allowAutoTopicCreation: false, includeTopicAuthorizedOperations: false },
    response: {
      throttleTimeMs: 0,
      brokers: nodes.map(([nodeId, host, port]) => ({ nodeId, host, port, rack: null })),
      clusterId,
      controllerId: 1,
      topics: [],
    },
  };
}

/** ApiVersions with the client's software; the broker knows DescribeConfigs up to `lastVersion`. */
export function apiVersions(at: number, name: string, softwareVersion: string, lastVersion = 4): Said {
  return {
    api: 18,
    version: 4,
    at,
    request: { clientSoftwareName: name, clientSoftwareVersion: softwareVersion },
    response: {
      errorCode: 0,
      apiKeys: [{ apiKey: 32, minVersion: 1, maxVersion: lastVersion }],
      throttleTimeMs: 0,
    },
  };
}

/** SaslHandshake. */
export function saslHandshake(at: number, mechanism: string, version = 1): Said {
  return { api: 17, version, at, request: { mechanism }, response: { errorCode: 0, mechanisms: [mechanism] } };
}

/** SaslAuthenticate with a token and what the server says to it. */
export function saslAuthenticate(at: number, token: string, answer = '', errorCode = 0): Said {
  return {
    api: 36,
    version: 2,
    at,
    request: { authBytes: Buffer.from(token).toString('base64') },
    response: { errorCode, errorMessage: null, authBytes: Buffer.from(answer).toString('base64'), sessionLifetimeMs: 0 },
  };
}

/** A token without a Kafka header. */
export function bareToken(at: number, from: Raw['from'], token: string): Raw {
  const bytes = Buffer.from(token);
  const size = Buffer.alloc(4);
  size.writeInt32BE(bytes.length);
  return { from, at, bytes: Buffer.concat([size, bytes]) };
}

/** An Envelope around a request of the lab's, from a broker to the controller. */
export function envelope(at: number, inner: Said, principal: string, address: readonly number[]): Said {
  const { api, version, correlationId = 7, clientId = 'tool' } = inner;
  const request = frame(api, version, 'request', { correlationId, clientId }, inner.request).subarray(4);
  const response = inner.response && frame(api, version, 'response', { correlationId }, inner.response).subarray(4);
  const [type = '', name = ''] = principal.split(':');
  const compact = (text: string) => [text.length + 1, ...Buffer.from(text)];
  return {
    api: 58,
    version: 0,
    at,
    clientId: '1',
    request: {
      requestData: base64(request),
      requestPrincipal: base64(Uint8Array.from([0, 0, ...compact(type), ...compact(name), 0, 0])),
      clientHostAddress: base64(Uint8Array.from(address)),
    },
    response: { responseData: response && base64(response), errorCode: 0 },
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
