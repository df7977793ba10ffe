import type { PacketPosition } from '../capture/packet.ts';
import type { Frame } from './exchange.ts';

/** A request on its way to an answer. */
export interface PendingRequest {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  readonly clientId: Uint8Array | null;
  /** A SASL token without a Kafka header: answered by the next frame, whatever it holds. */
  readonly isToken: boolean;
  /** Bytes with the size prefix. */
  readonly bytes: number;
  readonly first: PacketPosition;
  last: PacketPosition | null;
  /** Set for an asked-for API once the frame ended or was damaged. */
  frame: Frame | null;
  /** Its answer, where that came before the frame ended. */
  response: Frame | null;
  /** Gaps in the response direction when it was sent: more by now means that its answer may be lost. */
  readonly gapsBefore: number;
  /** Requests of the connection before it. */
  readonly ordinal: number;
  /** It asks for no answer: a Produce with acks 0. */
  readonly isUnanswered: boolean;
  /** Its place among those that wait: {@link PendingRequests}' own. */
  readonly queue: QueuePlace;
}

/** Where a request waits, and what it takes. */
interface QueuePlace {
  isWaiting: boolean;
  before: PendingRequest | null;
  after: PendingRequest | null;
  keptBytes: number;
}

/** What a request takes beside its client id and its frame, measured on Node 20. */
const REQUEST_BYTES = 512;
/** With fewer that wait it is faster to look at each than to keep an index. */
const INDEXED_FROM = 16;
const NONE: readonly PendingRequest[] = [];

/**
 * The requests of a connection that wait for their answers. Brokers answer in order, and ids repeat: an answer belongs to the oldest
 * request with its id. A chain in the order of sending, and an index by id while many wait: `npm run bench -- --only small`, where every packet
 * is a request or an answer.
 */
export class PendingRequests {
  readonly #limit: number;
  readonly #limitBytes: number;
  #oldest: PendingRequest | null = null;
  #newest: PendingRequest | null = null;
  #size = 0;
  #keptBytes = 0;
  #lastClientId: Uint8Array | null = null;
  /** By id, without tokens, oldest first; null while few wait. */
  #byId: Map<number, PendingRequest[]> | null = null;
  /** The latest request that was answered. */
  #lastAnswered = -1;

  constructor(limit: number, limitBytes: number) {
    this.#limit = limit;
    this.#limitBytes = limitBytes;
  }

  get size(): number {
    return this.#size;
  }

  /** The one whose answer is next, if all goes in order. */
  get next(): PendingRequest | null {
    return this.#oldest;
  }

  /** The oldest token; null where none waits. */
  get token(): PendingRequest | null {
    let request = this.#oldest;
    while (request !== null && !request.isToken) request = request.queue.after;
    return request;
  }

  /** Memory that they take. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** So much more is kept of a request, if it still waits. */
  keep(request: PendingRequest, bytes: number): void {
    if (!request.queue.isWaiting) return;
    request.queue.keptBytes += bytes;
    this.#keptBytes += bytes;
  }

  add(request: PendingRequest): void {
    const { queue } = request;
    queue.isWaiting = true;
    queue.before = this.#newest;
    if (this.#newest === null) this.#oldest = request;
    else this.#newest.queue.after = request;
    this.#newest = request;
    this.#size++;
    this.keep(request, REQUEST_BYTES + (request.clientId === this.#lastClientId ? 0 : (request.clientId?.length ?? 0)));
    this.#lastClientId = request.clientId;
    if (this.#byId !== null) addTo(this.#byId, request);
    else if (this.#size === INDEXED_FROM) this.#byId = this.#index();
  }

  #index(): Map<number, PendingRequest[]> {
    const byId = new Map<number, PendingRequest[]>();
    for (let request = this.#oldest; request !== null; request = request.queue.after) addTo(byId, request);
    return byId;
  }

  /** Takes the oldest out if there are too many, or they take too much; null if not. */
  takeExcess(): PendingRequest | null {
    const isTooMuch = this.#size > this.#limit || (this.#keptBytes > this.#limitBytes && this.#size > 1);
    const oldest = isTooMuch ? this.#oldest : null;
    if (oldest !== null) this.#remove(oldest);
    return oldest;
  }

  /** Those with that id, oldest first. Borrowed. */
  withId(correlationId: number): readonly PendingRequest[] {
    if (this.#byId !== null) return this.#byId.get(correlationId) ?? NONE;
    let found: PendingRequest[] | null = null;
    for (let request = this.#oldest; request !== null; request = request.queue.after) {
      if (request.correlationId !== correlationId || request.isToken) continue;
      if (found === null) found = [request];
      else found.push(request);
    }
    return found ?? NONE;
  }

  hasId(correlationId: number): boolean {
    return this.withId(correlationId).length > 0;
  }

  /** Takes out an answered request. */
  answered(request: PendingRequest): void {
    this.#lastAnswered = Math.max(this.#lastAnswered, request.ordinal);
    this.#remove(request);
  }

  /** Whether a later request was answered before it. */
  isPassedOver(request: PendingRequest): boolean {
    return request.ordinal < this.#lastAnswered;
  }

  /** Takes out all. */
  drain(): PendingRequest[] {
    const all: PendingRequest[] = [];
    for (let request = this.#oldest; request !== null; request = this.#oldest) {
      this.#remove(request);
      all.push(request);
    }
    return all;
  }

  #remove(request: PendingRequest): void {
    const { queue } = request;
    if (!queue.isWaiting) return;
    if (queue.before === null) this.#oldest = queue.after;
    else queue.before.queue.after = queue.after;
    if (queue.after === null) this.#newest = queue.before;
    else queue.after.queue.before = queue.before;
    this.#size--;
    this.#keptBytes -= queue.keptBytes;
    queue.isWaiting = false;
    queue.before = null;
    queue.after = null;
    queue.keptBytes = 0;
    if (this.#size === 0) this.#lastClientId = null;
    if (this.#byId === null) return;
    if (this.#size === 0) this.#byId = null;
    else removeFrom(this.#byId, request);
  }
}

/** The place of a request that doesn't wait yet. */
export function createQueuePlace(): QueuePlace {
  return { isWaiting: false, before: null, after: null, keptBytes: 0 };
}

function addTo(byId: Map<number, PendingRequest[]>, request: PendingRequest): void {
  if (request.isToken) return;
  const same = byId.get(request.correlationId);
  if (same === undefined) byId.set(request.correlationId, [request]);
  else same.push(request);
}

function removeFrom(byId: Map<number, PendingRequest[]>, request: PendingRequest): void {
  const same = byId.get(request.correlationId);
  if (same === undefined || request.isToken) return;
  if (same.length === 1) byId.delete(request.correlationId);
  else same.splice(same.indexOf(request), 1);
}
