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
}

/** What a request takes beside its client id and its frame, measured on Node 20. */
const REQUEST_BYTES = 512;

/**
 * The requests of a connection that wait for their answers. Brokers answer in order, and ids repeat: an answer belongs to the oldest
 * request with its id.
 */
export class PendingRequests {
  readonly #limit: number;
  readonly #limitBytes: number;
  /** In the order of sending, with the memory that each takes. */
  readonly #requests = new Map<PendingRequest, number>();
  #keptBytes = 0;
  #lastClientId: Uint8Array | null = null;
  /** By id, without tokens, oldest first. */
  readonly #byId = new Map<number, PendingRequest[]>();
  /** The latest request that was answered. */
  #lastAnswered = -1;

  constructor(limit: number, limitBytes: number) {
    this.#limit = limit;
    this.#limitBytes = limitBytes;
  }

  get size(): number {
    return this.#requests.size;
  }

  /** The one whose answer is next, if all goes in order. */
  get next(): PendingRequest | null {
    for (const request of this.#requests.keys()) return request;
    return null;
  }

  /** The oldest token; null where none waits. */
  get token(): PendingRequest | null {
    for (const request of this.#requests.keys()) if (request.isToken) return request;
    return null;
  }

  /** Memory that they take. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** So much more is kept of a request, if it still waits. */
  keep(request: PendingRequest, bytes: number): void {
    const before = this.#requests.get(request);
    if (before === undefined) return;
    this.#requests.set(request, before + bytes);
    this.#keptBytes += bytes;
  }

  add(request: PendingRequest): void {
    this.#requests.set(request, 0);
    this.keep(request, REQUEST_BYTES + (request.clientId === this.#lastClientId ? 0 : (request.clientId?.length ?? 0)));
    this.#lastClientId = request.clientId;
    if (!request.isToken) {
      const same = this.#byId.get(request.correlationId);
      if (same === undefined) this.#byId.set(request.correlationId, [request]);
      else same.push(request);
    }
  }

  /** Takes the oldest out if there are too many, or they take too much; null if not. */
  takeExcess(): PendingRequest | null {
    const isTooMuch = this.size > this.#limit || (this.#keptBytes > this.#limitBytes && this.size > 1);
    const oldest = isTooMuch ? this.next : null;
    if (oldest !== null) this.#remove(oldest);
    return oldest;
  }

  /** Those with that id, oldest first. Borrowed. */
  withId(correlationId: number): readonly PendingRequest[] {
    return this.#byId.get(correlationId) ?? [];
  }

  hasId(correlationId: number): boolean {
    return this.#byId.has(correlationId);
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
    const all = [...this.#requests.keys()];
    this.#requests.clear();
    this.#keptBytes = 0;
    this.#byId.clear();
    return all;
  }

  #remove(request: PendingRequest): void {
    this.#keptBytes -= this.#requests.get(request) ?? 0;
    this.#requests.delete(request);
    const same = this.#byId.get(request.correlationId);
    if (same === undefined || request.isToken) return;
    if (same.length === 1) this.#byId.delete(request.correlationId);
    else same.splice(same.indexOf(request), 1);
  }
}
