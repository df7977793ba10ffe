import type { PacketPosition } from '../capture/packet.ts';
import { textAt } from '../decode/content.ts';
import type { Decoded } from '../decode/decoded.ts';
import type { Forwarded } from '../decode/forwarded.ts';
import { bodyValue } from '../decode/values.ts';
import { bodyEntry, memberEntry } from '../decode/walk.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Call, KafkaConnection } from '../kafka/exchange.ts';
import { addressOf } from '../records/address.ts';
import { utf8Text } from '../wire/text.ts';
import { Brokers } from './brokers.ts';
import type { Room } from './room.ts';
import { type Session, Sessions } from './session.ts';
import { bytesIn, numberIn, textIn } from './struct-values.ts';
import { WriteLog } from './write-log.ts';
import { ALTER_CONFIGS, CREATE_TOPICS, INCREMENTAL_ALTER_CONFIGS, isValidateOnly, type Sender, writtenResources } from './writes.ts';

const METADATA = 3;
const SASL_HANDSHAKE = 17;
export const API_VERSIONS = 18;
export const SASL_AUTHENTICATE = 36;
export const ENVELOPE = 58;

const writeApis: ReadonlySet<number> = new Set([CREATE_TOPICS, ALTER_CONFIGS, INCREMENTAL_ALTER_CONFIGS]);
/** Answered before a client has authenticated. */
const openApis: ReadonlySet<number> = new Set([SASL_HANDSHAKE, API_VERSIONS, SASL_AUTHENTICATE]);

/** The APIs whose exchanges the view wants. */
export const viewApis: readonly number[] = [METADATA, ...openApis, ...writeApis, ENVELOPE];

/** What a view tells of while it learns. */
export interface ViewListener {
  /** The answer of a server's that was called by its address may come from a broker that is known under another name. */
  brokersChanged?(): void;
  /** A client's first SASL token gives a secret away. */
  tokenExposed?(session: Session, exchange: DecodedExchange | null, at: PacketPosition): void;
}

/** What a capture tells of a cluster and its clients beside the exchanges asked for: who they are, which broker is which, what was written. */
export class ClusterView {
  readonly sessions = new Sessions();
  readonly brokers: Brokers;
  readonly writes: WriteLog;
  readonly #listener: ViewListener;

  constructor(listener: ViewListener, room: Room) {
    this.brokers = new Brokers(room);
    this.writes = new WriteLog(room);
    this.#listener = listener;
  }

  request(connection: KafkaConnection, clientId: Uint8Array | null): void {
    this.sessions.of(connection).clientId = clientId;
  }

  call({ connection, apiKey, response }: Call): void {
    if (response !== null && !openApis.has(apiKey)) this.sessions.of(connection).served();
  }

  gap(connection: KafkaConnection): void {
    this.sessions.of(connection).gap();
  }

  token(connection: KafkaConnection, bytes: Uint8Array, start: number, end: number, first: PacketPosition): void {
    const session = this.sessions.of(connection);
    if (session.bareToken(Buffer.from(bytes.subarray(start, end)))) this.#listener.tokenExposed?.(session, null, first);
  }

  /** An exchange of the {@link viewApis}, in the order of completion. One that isn't wanted writes nothing to the log. */
  exchange(decoded: DecodedExchange, isWanted: boolean): void {
    const { request, response, exchange } = decoded;
    const session = this.sessions.of(exchange.connection);
    switch (exchange.apiKey) {
      case METADATA:
        if (response !== null && this.brokers.learn(response)) this.#listener.brokersChanged?.();
        break;
      case API_VERSIONS:
        if (request !== null) learnSoftware(session, request);
        break;
      case SASL_HANDSHAKE:
        if (request !== null) session.handshake(mechanismOf(request, response));
        break;
      case SASL_AUTHENTICATE:
        if (request !== null) this.#authenticate(session, decoded, request, response);
        break;
      case ENVELOPE:
        if (decoded.forwarded !== null && isWanted) this.#forwarded(decoded, decoded.forwarded);
        break;
      default:
        if (request !== null && isWanted && writeApis.has(exchange.apiKey)) this.#write(decoded, request, response, session);
    }
  }

  /** A server answered for the configs of this broker without an error. */
  answersFor(server: string, brokerName: string): void {
    if (this.brokers.answersFor(server, brokerName)) this.#listener.brokersChanged?.();
  }

  #authenticate(session: Session, decoded: DecodedExchange, request: Decoded, response: Decoded | null): void {
    const token = bytesIn(bodyValue(request, null), 'authBytes');
    if (token === null) return;
    const answer = response === null ? null : bodyValue(response, null);
    const isRefused = numberIn(answer, 'errorCode') !== 0;
    const exposes = session.authenticate(token, isRefused ? null : (bytesIn(answer, 'authBytes') ?? Buffer.alloc(0)));
    if (exposes) this.#listener.tokenExposed?.(session, decoded, decoded.exchange.request.first);
  }

  #write({ exchange }: DecodedExchange, request: Decoded, response: Decoded | null, session: Session): void {
    const { apiKey, apiVersion, correlationId, connection } = exchange;
    this.writes.add({
      apiKey,
      apiVersion,
      correlationId,
      ...senderOf(exchange.clientId, connection, session.principal),
      validateOnly: isValidateOnly(request),
      resources: writtenResources(request, response),
      first: exchange.request.first,
      last: exchange.response?.last ?? null,
      forwardedIn: null,
    });
  }

  /** A broker that forwards a request is its client's stand-in: the envelope says who that is. */
  #forwarded({ exchange }: DecodedExchange, forwarded: Forwarded): void {
    const { apiKey, apiVersion, correlationId, clientId, clientAddress, principal, request, response } = forwarded;
    if (request === null || !writeApis.has(apiKey)) return;
    this.writes.addForwarded({
      apiKey,
      apiVersion,
      correlationId,
      clientId: clientIdText(clientId),
      client: clientAddress === null ? exchange.connection.client : addressOf(clientAddress),
      server: exchange.connection.server,
      principal,
      validateOnly: isValidateOnly(request),
      resources: writtenResources(request, response),
      first: exchange.request.first,
      last: exchange.response?.last ?? null,
      forwardedIn: exchange.request.first,
    });
  }
}

/** The text of a client id; bytes that aren't UTF-8 become U+FFFD. */
export function clientIdText(clientId: Uint8Array | null): string | null {
  return clientId && utf8Text(clientId);
}

function senderOf(clientId: Uint8Array | null, { client, server }: KafkaConnection, principal: string | null): Sender {
  return { clientId: clientIdText(clientId), client, server, principal };
}

function learnSoftware(session: Session, request: Decoded): void {
  const body = bodyEntry(request);
  const name = textAt(request, memberEntry(request, body, 'clientSoftwareName'));
  const version = textAt(request, memberEntry(request, body, 'clientSoftwareVersion'));
  if (name !== null && version !== null) session.software = { name, version };
}

/** Null where the broker doesn't have it. */
function mechanismOf(request: Decoded, response: Decoded | null): string | null {
  const body = bodyValue(request, null);
  const isRefused = response !== null && numberIn(bodyValue(response, null), 'errorCode') !== 0;
  return body === null || isRefused ? null : textIn(body, 'mechanism');
}
