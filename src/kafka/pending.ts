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

/**
 * The requests of a connection that wait for their answers. Brokers answer in order, and ids repeat: an answer belongs to the oldest
 * request with its id.
 */
export class PendingRequests {
  readonly #limit: number;
  /** In the order of sending. */
  readonly #requests = new Set<PendingRequest>();
  /** By id, without tokens, oldest first. */
  readonly #byId = new Map<number, PendingRequest[]>();
  /** The latest request that was answered. */
  #lastAnswered = -1;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#requests.size;
  }

  /** The one whose answer is next, if all goes in order. */
  get next(): PendingRequest | null {
    for (const request of this.#requests) return request;
    return null;
  }

  /** Adds a request; returns the oldest, which is given up, if there are too many now. */
  add(request: PendingRequest): PendingRequest | null {
    this.#requests.add(request);
    if (!request.isToken) {
      const same = this.#byId.get(request.correlationId);
      if (same === undefined) this.#byId.set(request.correlationId, [request]);
      else same.push(request);
    }
    const oldest = this.size > this.#limit ? this.next : null;
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
    const all = [...this.#requests];
    this.#requests.clear();
    this.#byId.clear();
    return all;
  }

  #remove(request: PendingRequest): void {
    this.#requests.delete(request);
    const same = this.#byId.get(request.correlationId);
    if (same === undefined || request.isToken) return;
    if (same.length === 1) this.#byId.delete(request.correlationId);
    else same.splice(same.indexOf(request), 1);
  }
}
