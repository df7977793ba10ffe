import type { PacketPosition } from '../capture/packet.ts';
import type { Decoded } from '../decode/decoded.ts';
import type { Call, KafkaConnection } from '../kafka/exchange.ts';
import { MAX_LISTED_PER_CLIENT, MAX_SUMMARY_CLIENTS, MAX_WINDOW_REQUESTS } from '../limits.ts';
import { hostOf } from '../records/address.ts';
import type { ClientRow, Software } from '../records/rows.ts';
import { BusiestWindow } from './busiest-window.ts';
import { isAnswered } from './calls.ts';
import { clientIdText } from './cluster-view.ts';
import { askedResources } from './described.ts';
import { KEPT_ITEM_BYTES, type Room, textBytes } from './room.ts';
import type { Session } from './session.ts';

/** What makes a storm (the output contract). */
const STORM_SECONDS = 60;
const STORM_REQUESTS = 100;
const STORM_ALL_KEYS_SHARE = 0.9;
const SIZE_PREFIX_BYTES = 4;
/** What a client takes beside its id and its lists. */
const CLIENT_BYTES = 2048;
/** What an entry of a list takes beside its text. */
const LISTED_BYTES = 64;

/** What one client id asked by DescribeConfigs. */
class ClientStatistics {
  requests = 0;
  answered = 0;
  connections = 0;
  requestBytes = 0;
  responseBytes = 0;
  /** Requests that were decoded to their end, and the resources in them. */
  decoded = 0;
  resources = 0;
  allKeys = 0;
  readonly versions = new Map<number, number>();
  readonly addresses = new Set<string>();
  readonly principals = new Set<string | null>();
  /** By name and version. */
  readonly software = new Map<string, Software>();
  readonly busiest = new BusiestWindow(STORM_SECONDS, MAX_WINDOW_REQUESTS);

  get allKeysShare(): number | null {
    return this.resources === 0 ? null : rounded(this.allKeys / this.resources, 4);
  }

  get isStorm(): boolean {
    return (this.busiest.most ?? 0) >= STORM_REQUESTS && (this.allKeysShare ?? 0) >= STORM_ALL_KEYS_SHARE;
  }
}

/** Tells the clients of DescribeConfigs apart. */
export class AllClientStatistics {
  readonly #clients = new Map<string | null, ClientStatistics>();
  /** Clients that were seen on a connection. */
  readonly #seen = new WeakMap<KafkaConnection, Set<string | null>>();
  /** Requests of clients, and their addresses, principals and software, that there was no room for. */
  dropped = 0;
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  /** A request begins. */
  request(connection: KafkaConnection, clientId: Uint8Array | null, first: PacketPosition): void {
    const id = clientIdText(clientId);
    const client = this.#of(id);
    if (client === null) return;
    client.busiest.add(first);
    const seen = this.#seen.get(connection) ?? new Set();
    if (seen.has(id)) return;
    this.#seen.set(connection, seen.add(id));
    client.connections++;
  }

  /** A request was answered, or given up. */
  call(call: Call, session: Session): void {
    const { connection, clientId, apiVersion, requestBytes, response } = call;
    const client = this.#of(clientIdText(clientId));
    if (client === null) {
      this.dropped++;
      return;
    }
    client.requests++;
    client.requestBytes += requestBytes - SIZE_PREFIX_BYTES;
    client.versions.set(apiVersion, (client.versions.get(apiVersion) ?? 0) + 1);
    this.#list(client.addresses, hostOf(connection.client));
    this.#list(client.principals, session.principal);
    this.#listSoftware(client.software, session.software);
    if (isAnswered(call)) client.answered++;
    if (response !== null) client.responseBytes += response.bytes - SIZE_PREFIX_BYTES;
  }

  /** What a request asks. */
  asked(clientId: Uint8Array | null, request: Decoded): void {
    const client = this.#of(clientIdText(clientId));
    if (client === null || request.error !== null) return;
    client.decoded++;
    for (const { allKeys } of askedResources(request)) {
      client.resources++;
      if (allKeys) client.allKeys++;
    }
  }

  /** The busiest first. `seconds` is the length of the capture. */
  rows(seconds: number | null): ClientRow[] {
    const rows = [...this.#clients].map(([clientId, client]) => rowOf(clientId, client, seconds));
    return rows.sort((one, other) => other.requests - one.requests);
  }

  #of(id: string | null): ClientStatistics | null {
    let client = this.#clients.get(id);
    if (client === undefined) {
      if (this.#clients.size >= MAX_SUMMARY_CLIENTS || !this.#room.take(CLIENT_BYTES + textBytes(id))) return null;
      client = new ClientStatistics();
      this.#clients.set(id, client);
    }
    return client;
  }

  #list<Item extends string | null>(items: Set<Item>, item: Item): void {
    if (items.has(item)) return;
    if (items.size < MAX_LISTED_PER_CLIENT && this.#room.take(LISTED_BYTES + textBytes(item))) items.add(item);
    else this.dropped++;
  }

  #listSoftware(all: Map<string, Software>, software: Software | null): void {
    if (software === null) return;
    const key = `${software.name} ${software.version}`;
    if (all.has(key)) return;
    if (all.size < MAX_LISTED_PER_CLIENT && this.#room.take(KEPT_ITEM_BYTES + 2 * textBytes(key))) all.set(key, software);
    else this.dropped++;
  }
}

function rowOf(clientId: string | null, client: ClientStatistics, seconds: number | null): ClientRow {
  return {
    type: 'client',
    clientId,
    software: client.software.size === 0 ? null : [...client.software.values()],
    addresses: [...client.addresses],
    principals: [...client.principals],
    connections: client.connections,
    requests: client.requests,
    answered: client.answered,
    versions: Object.fromEntries([...client.versions].sort(([one], [other]) => one - other)),
    requestsPerMinute: seconds === null || seconds === 0 ? null : rounded((client.requests * 60) / seconds, 2),
    mostIn60Seconds: client.busiest.most,
    resourcesPerRequest: client.decoded === 0 ? null : rounded(client.resources / client.decoded, 2),
    allKeysShare: client.allKeysShare,
    requestBytes: client.requestBytes,
    responseBytes: client.responseBytes,
    storm: client.isStorm,
  };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
