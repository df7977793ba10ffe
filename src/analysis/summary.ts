import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import type { Decoded } from '../decode/decoded.ts';
import { type SecretField, secretFields } from '../decode/secret-fields.ts';
import type { DiagnosticSink } from '../diagnostics.ts';
import type { TrafficObserver } from '../dissection.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Call, KafkaConnection } from '../kafka/exchange.ts';
import type { ForeignProtocol } from '../kafka/foreign-protocol.ts';
import { MAX_SUMMARY_ROWS } from '../limits.ts';
import { hostOf } from '../records/address.ts';
import type { SummaryRecord } from '../records/records.ts';
import type { CaptureRow, NotKafkaRow, SummaryRow } from '../records/rows.ts';
import { apiNames } from '../schema/api-keys.ts';
import { codeName } from '../schema/enums.ts';
import { AllApiStatistics } from './api-statistics.ts';
import { callOf } from './calls.ts';
import { AllClientStatistics } from './client-statistics.ts';
import { API_VERSIONS, ClusterView, clientIdText, ENVELOPE, SASL_AUTHENTICATE, viewApis } from './cluster-view.ts';
import { describedResources } from './described.ts';
import type { Exposure } from './exposures.ts';
import type { Filter } from './filters/filter.ts';
import { inOrder, PacketNames } from './instants.ts';
import { reportDropped } from './limits-reached.ts';
import { Refusals } from './refusals.ts';
import { KEPT_ITEM_BYTES, Room, textBytes } from './room.ts';
import type { Session } from './session.ts';
import { isUnsupportedVersion, VersionProblems } from './version-problems.ts';
import { alterationRows, createdRows } from './write-rows.ts';

const BROKER = 4;
const DESCRIBE_CONFIGS = 32;
/** Delegation tokens and SCRAM credentials: looked at for the secrets in them. */
const SECRET_APIS: readonly number[] = [38, 39, 40, 41, 51];
/** Stands for an API's name where a token came without a Kafka header. */
const BARE_TOKEN = 'SASL token';

/** What a summary shows. */
export interface SummaryOptions {
  /** Names of the captures, by index. */
  readonly captures: readonly string[];
  /** Counts only what it lets through; where it looks into bodies, the APIs whose bodies aren't decoded are left out. Null for none. */
  readonly filter: Filter | null;
  readonly showSecrets: boolean;
}

/** Counts what is in a capture, and who did what. */
export class Summary implements TrafficObserver {
  readonly apis: ReadonlySet<number> = new Set([...viewApis, ...SECRET_APIS, DESCRIBE_CONFIGS]);
  readonly #filter: Filter | null;
  #start: PacketPosition | null = null;
  readonly #showSecrets: boolean;
  readonly #packets: PacketNames;
  readonly #view: ClusterView;
  readonly #statistics = new AllApiStatistics(this.apis);
  readonly #room: Room;
  readonly #clients: AllClientStatistics;
  readonly #refusals: Refusals;
  readonly #versions: VersionProblems;
  readonly #exposures: Exposure[] = [];
  readonly #notKafka: NotKafkaRow[] = [];
  readonly #withoutBeginning = new WeakSet<KafkaConnection>();
  #withoutBeginningCount = 0;
  #droppedRows = 0;

  constructor({ captures, filter, showSecrets }: SummaryOptions, room: Room = new Room()) {
    this.#room = room;
    this.#clients = new AllClientStatistics(room);
    this.#refusals = new Refusals(room);
    this.#versions = new VersionProblems(room);
    this.#filter = filter;
    this.#showSecrets = showSecrets;
    this.#packets = new PacketNames(captures);
    this.#view = new ClusterView({ tokenExposed: (session, exchange, at) => this.#tokenExposed(session, exchange, at) }, room);
  }

  request(connection: KafkaConnection, apiKey: number, clientId: Uint8Array | null, first: PacketPosition): void {
    this.#view.request(connection, clientId);
    if (apiKey === DESCRIBE_CONFIGS && this.#filter === null) this.#clients.request(connection, clientId, first);
    if (connection.fromStart || this.#withoutBeginning.has(connection)) return;
    this.#withoutBeginning.add(connection);
    this.#withoutBeginningCount++;
  }

  call(call: Call): void {
    this.#view.call(call);
    if (this.#filter === null) this.#count(call);
    else if (this.#filter.isHeadOnly && this.#filter.admitsCall(call, this.#start)) this.#countChosen(call);
  }

  begins(start: PacketPosition): void {
    this.#start = start;
  }

  gap(connection: KafkaConnection): void {
    this.#view.gap(connection);
  }

  token(connection: KafkaConnection, bytes: Uint8Array, start: number, end: number, first: PacketPosition): void {
    this.#view.token(connection, bytes, start, end, first);
  }

  notKafka({ client, server }: KafkaConnection, protocol: string, _detail: string, at: PacketPosition): void {
    if (this.#notKafka.length >= MAX_SUMMARY_ROWS || !this.#room.take(KEPT_ITEM_BYTES)) this.#droppedRows++;
    else this.#notKafka.push({ type: 'notKafka', client, server, protocol: protocol as ForeignProtocol['name'], ...this.#packets.ref(at) });
  }

  /** An exchange of {@link apis}. */
  exchange(decoded: DecodedExchange): void {
    const isWanted = this.#filter === null || this.#filter.apply(decoded) !== null;
    this.#view.exchange(decoded, isWanted);
    const { exchange, request, response } = decoded;
    const { apiKey, connection } = exchange;
    if (apiKey === API_VERSIONS && response !== null) this.#versions.learn(connection.server, response);
    if (!isWanted) return;
    if (this.#filter?.isHeadOnly === false) this.#countChosen(callOf(exchange));
    if (response !== null) this.#answered(decoded, response);
    if (apiKey === DESCRIBE_CONFIGS && request !== null) this.#clients.asked(exchange.clientId, request);
    this.#findSecrets(decoded);
  }

  /** Says what there was no room for. */
  report(diagnostics: DiagnosticSink): void {
    reportDropped(diagnostics, 'requests of clients', this.#clients.dropped);
    reportDropped(diagnostics, 'alterations', this.#view.writes.dropped);
    reportDropped(diagnostics, 'rows', this.#droppedRows + this.#refusals.dropped + this.#versions.dropped);
  }

  /** All rows, once nothing more comes: each type together, in the order of the output contract. */
  rows(summary: SummaryRecord): SummaryRow[] {
    const seconds = secondsBetween(summary.firstTime, summary.lastTime);
    const writes = this.#view.writes
      .all()
      .map((write) => ({ ...write, resources: write.resources.filter(({ type, name }) => this.#isChosen(type, name)) }));
    const options = { packets: this.#packets, showSecrets: this.#showSecrets };
    return [
      this.#captureRow(summary, seconds),
      ...this.#statistics.rows(),
      ...this.#clients.rows(seconds),
      ...this.#refusals.rows(),
      ...alterationRows(writes, options),
      ...createdRows(writes, options),
      ...this.#versions.unsupportedRows(this.#packets),
      ...this.#versions.belowKafka4Rows(),
      ...this.#notKafka,
      ...inOrder(this.#exposures).map(({ first, apiName, path, clientId, principal, key }) => ({
        type: 'exposure' as const,
        ...this.#packets.ref(first),
        apiName,
        field: path,
        clientId,
        principal: principal(),
        key,
      })),
    ];
  }

  /** A filter lets through whole exchanges, with resources beside those that it asks for. */
  #isChosen(type: number, name: string): boolean {
    return this.#filter === null || this.#filter.resource(type, name);
  }

  #count(call: Call): void {
    this.#statistics.call(call);
    this.#versions.call(call);
    if (call.apiKey === DESCRIBE_CONFIGS) this.#clients.call(call, this.#view.sessions.of(call.connection));
  }

  /** Whether a filter lets a request through shows only when its answer is there. */
  #countChosen(call: Call): void {
    if (call.apiKey === DESCRIBE_CONFIGS) this.#clients.request(call.connection, call.clientId, call.first);
    this.#count(call);
  }

  #answered({ exchange }: DecodedExchange, response: Decoded): void {
    this.#statistics.response(exchange.apiKey, response);
    if (isUnsupportedVersion(response)) this.#versions.refused(callOf(exchange));
    if (exchange.apiKey !== DESCRIBE_CONFIGS) return;
    const { client, server } = exchange.connection;
    for (const { type, name, errorCode } of describedResources(response)) {
      if (errorCode === 0) {
        if (type === BROKER && name !== '') this.#view.answersFor(server, name);
        continue;
      }
      if (!this.#isChosen(type, name)) continue;
      const refused = {
        clientId: clientIdText(exchange.clientId),
        address: hostOf(client),
        principal: this.#view.sessions.of(exchange.connection).principal,
        resourceType: type,
        resourceName: name,
        errorCode,
      };
      const { first, last } = exchange.response ?? exchange.request;
      this.#refusals.add(refused, this.#view.brokers.of(server).name, last ?? first);
    }
  }

  /** The tokens of SASL are told by the view, which knows their mechanisms. */
  #findSecrets({ exchange, request, response, forwarded }: DecodedExchange): void {
    const { apiKey, connection } = exchange;
    if (apiKey === SASL_AUTHENTICATE) return;
    const principal = this.#view.sessions.of(connection).principal;
    const clientId = clientIdText(exchange.clientId);
    const apiName = codeName(apiNames, apiKey);
    const add = (at: PacketPosition | undefined, fields: readonly SecretField[], inside: string) => {
      for (const { path, key } of fields) {
        if (at !== undefined) this.#expose({ first: at, apiName, path: inside + path, key, clientId, principal: () => principal });
      }
    };
    if (apiKey === ENVELOPE) {
      if (forwarded?.request) add(exchange.request.first, secretFields(forwarded.request), 'requestData.');
      if (forwarded?.response) add(exchange.response?.first, secretFields(forwarded.response), 'responseData.');
      return;
    }
    if (request !== null) add(exchange.request.first, secretFields(request), '');
    // Where decoding stopped, a value may be hidden that the broker would have called no secret.
    if (response !== null && response.error === null) add(exchange.response?.first, secretFields(response), '');
  }

  #tokenExposed(session: Session, decoded: DecodedExchange | null, at: PacketPosition): void {
    const { principal } = session;
    this.#expose({
      first: copyPosition(at),
      apiName: decoded === null ? BARE_TOKEN : codeName(apiNames, SASL_AUTHENTICATE),
      path: decoded === null ? 'token' : 'authBytes',
      key: null,
      clientId: clientIdText(decoded === null ? session.clientId : decoded.exchange.clientId),
      principal: decoded === null ? () => session.principal : () => principal,
    });
  }

  #expose(exposure: Exposure): void {
    const bytes = 2 * KEPT_ITEM_BYTES + textBytes(exposure.path, exposure.key, exposure.clientId, exposure.principal());
    if (this.#exposures.length >= MAX_SUMMARY_ROWS || !this.#room.take(bytes)) this.#droppedRows++;
    else this.#exposures.push(exposure);
  }

  #captureRow({ packets, bytes, firstTime, lastTime, connections, exchanges, lost }: SummaryRecord, seconds: number | null): CaptureRow {
    return {
      type: 'capture',
      packets,
      bytes,
      firstTime,
      lastTime,
      seconds,
      connections,
      exchanges,
      lost,
      clusters: [...this.#view.brokers.clusterIds],
      withoutBeginning: this.#withoutBeginningCount,
    };
  }
}

/** Between two times as rows have them, to the microsecond. */
function secondsBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  const [start, end] = [from, to].map((time) => ({
    second: Date.parse(`${time.slice(0, 19)}Z`) / 1000,
    fraction: Number(`0${time.slice(19, -1)}`),
  }));
  if (start === undefined || end === undefined) return null;
  return Number((end.second - start.second + (end.fraction - start.fraction)).toFixed(6));
}
