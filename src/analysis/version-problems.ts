import type { Decoded } from '../decode/decoded.ts';
import { bodyValue } from '../decode/values.ts';
import { auxAt, bodyEntry, memberEntry, NO_ENTRY } from '../decode/walk.ts';
import type { Call } from '../kafka/exchange.ts';
import { MAX_BROKER_ADDRESSES, MAX_SUMMARY_ROWS } from '../limits.ts';
import type { BelowKafka4Row, UnsupportedRow } from '../records/rows.ts';
import { apiFacts, apiNames } from '../schema/api-keys.ts';
import { codeName } from '../schema/enums.ts';
import { clientIdText } from './cluster-view.ts';
import type { PacketNames } from './instants.ts';
import { KEPT_ITEM_BYTES, type Room, textBytes } from './room.ts';
import { numberIn, structsIn } from './struct-values.ts';

const UNSUPPORTED_VERSION = 35;
/** What a range of versions takes. */
const RANGE_BYTES = 128;

interface VersionRange {
  readonly first: number;
  readonly last: number;
}

/** What a server said that it knows. */
interface KnownVersions {
  readonly responseBytes: number;
  readonly ranges: ReadonlyMap<number, VersionRange>;
}

interface Unsupported {
  readonly call: Call;
  readonly outcome: UnsupportedRow['outcome'];
}

interface OldRequests {
  readonly clientId: string | null;
  readonly apiKey: number;
  readonly apiVersion: number;
  requests: number;
}

/** Finds the requests in versions that brokers don't know, or that those of Kafka 4 no longer do. */
export class VersionProblems {
  /** Requests that there was no room for. */
  dropped = 0;
  /** What servers said that they know, by their addresses. */
  readonly #known = new Map<string, KnownVersions>();
  readonly #unsupported: Unsupported[] = [];
  readonly #old = new Map<string, OldRequests>();
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  /** A request was answered or given up. */
  call(call: Call): void {
    this.#countOld(call);
    const { response, reason } = call;
    const isClosed = response === null && (reason === 'connection-closed' || reason === 'connection-reset');
    if (isClosed && !this.#isSupported(call)) this.#add(call, 'closed');
  }

  /** An answer UNSUPPORTED_VERSION to an exchange of which this is the call. */
  refused(call: Call): void {
    this.#add(call, 'error-35');
  }

  /** A server's ApiVersions response. */
  learn(server: string, response: Decoded): void {
    // A server says the same again and again: an answer of the same length is taken for the same.
    if (this.#known.get(server)?.responseBytes === response.length) return;
    const body = bodyValue(response, null);
    if (numberIn(body, 'errorCode') !== 0 || (!this.#known.has(server) && this.#known.size >= MAX_BROKER_ADDRESSES)) return;
    const ranges = structsIn(body, 'apiKeys').map(
      (range) =>
        [
          numberIn(range, 'apiKey') ?? -1,
          { first: numberIn(range, 'minVersion') ?? 0, last: numberIn(range, 'maxVersion') ?? -1 },
        ] as const,
    );
    if (!this.#room.take(KEPT_ITEM_BYTES + RANGE_BYTES * ranges.length)) return;
    this.#known.set(server, { responseBytes: response.length, ranges: new Map(ranges) });
  }

  unsupportedRows(packets: PacketNames): UnsupportedRow[] {
    return this.#unsupported.map(({ call: { clientId, connection, apiKey, apiVersion, first }, outcome }) => ({
      type: 'unsupported',
      clientId: clientIdText(clientId),
      client: connection.client,
      apiKey,
      apiName: codeName(apiNames, apiKey),
      apiVersion,
      ...packets.ref(first),
      outcome,
    }));
  }

  belowKafka4Rows(): BelowKafka4Row[] {
    return [...this.#old.values()].map(({ clientId, apiKey, apiVersion, requests }) => ({
      type: 'belowKafka4',
      clientId,
      apiKey,
      apiName: codeName(apiNames, apiKey),
      apiVersion,
      minimum: apiFacts(apiKey)?.minimumInKafka4 ?? null,
      requests,
    }));
  }

  /** What the server said decides; where it wasn't heard, only versions that nobody knows are told apart from other reasons to close. */
  #isSupported({ connection, apiKey, apiVersion }: Call): boolean {
    const known = this.#known.get(connection.server);
    if (known === undefined) return apiVersion <= (apiFacts(apiKey)?.lastVersion ?? -1);
    const range = known.ranges.get(apiKey);
    return range !== undefined && range.first <= apiVersion && apiVersion <= range.last;
  }

  #add(call: Call, outcome: Unsupported['outcome']): void {
    const bytes = 2 * KEPT_ITEM_BYTES + 3 * (call.clientId?.length ?? 0);
    if (this.#unsupported.length >= MAX_SUMMARY_ROWS || !this.#room.take(bytes)) this.dropped++;
    else this.#unsupported.push({ call, outcome });
  }

  #countOld({ apiKey, apiVersion, clientId }: Call): void {
    const facts = apiFacts(apiKey);
    if (facts === null || (facts.minimumInKafka4 !== null && apiVersion >= facts.minimumInKafka4)) return;
    const id = clientIdText(clientId);
    const key = `${apiKey} ${apiVersion} ${id === null ? '' : `"${id}`}`;
    const old = this.#old.get(key);
    if (old !== undefined) old.requests++;
    else if (this.#old.size >= MAX_SUMMARY_ROWS || !this.#room.take(KEPT_ITEM_BYTES + 2 * textBytes(key))) this.dropped++;
    else this.#old.set(key, { clientId: id, apiKey, apiVersion, requests: 1 });
  }
}

/** Whether the response's own error is UNSUPPORTED_VERSION. */
export function isUnsupportedVersion(response: Decoded): boolean {
  const error = memberEntry(response, bodyEntry(response), 'errorCode');
  return error !== NO_ENTRY && auxAt(response, error) === UNSUPPORTED_VERSION;
}
