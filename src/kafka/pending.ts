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
  /** A later request was answered before it. */
  passedOver: boolean;
}

/**
 * The requests of a connection that wait for their answers. Brokers answer in order, and ids repeat: an answer belongs to the oldest
 * request with its id.
 */
export class PendingRequests {
  readonly #limit: number;
  #requests: PendingRequest[] = [];
  /** Requests before it were answered. */
  #from = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#requests.length - this.#from;
  }

  /** The one whose answer is next, if all goes in order. */
  get next(): PendingRequest | null {
    return this.#requests[this.#from] ?? null;
  }

  /** Adds a request; returns the oldest if there are too many now. */
  add(request: PendingRequest): PendingRequest | null {
    this.#requests.push(request);
    return this.size > this.#limit ? this.#shift() : null;
  }

  /** Those with that id, oldest first. */
  withId(correlationId: number): PendingRequest[] {
    const next = this.#requests[this.#from];
    if (next !== undefined && next.correlationId === correlationId && !next.isToken && this.size === 1) return [next];
    const found: PendingRequest[] = [];
    for (let i = this.#from; i < this.#requests.length; i++) {
      const request = this.#requests[i] as PendingRequest;
      if (request.correlationId === correlationId && !request.isToken) found.push(request);
    }
    return found;
  }

  hasId(correlationId: number): boolean {
    for (let i = this.#from; i < this.#requests.length; i++) {
      const request = this.#requests[i] as PendingRequest;
      if (request.correlationId === correlationId && !request.isToken) return true;
    }
    return false;
  }

  /** Takes out an answered request. Returns whether older ones were passed over for the first time. */
  remove(request: PendingRequest): boolean {
    if (this.next === request) {
      this.#shift();
      return false;
    }
    const at = this.#requests.indexOf(request, this.#from);
    if (at < 0) return false;
    let passedOver = false;
    for (let i = this.#from; i < at; i++) {
      const older = this.#requests[i] as PendingRequest;
      passedOver ||= !older.passedOver;
      older.passedOver = true;
    }
    this.#requests.splice(at, 1);
    return passedOver;
  }

  /** Takes out all. */
  drain(): PendingRequest[] {
    const all = this.#requests.slice(this.#from);
    this.#requests = [];
    this.#from = 0;
    return all;
  }

  #shift(): PendingRequest {
    const request = this.#requests[this.#from] as PendingRequest;
    this.#from++;
    if (this.#from === this.#requests.length) {
      this.#requests.length = 0;
      this.#from = 0;
    } else if (this.#from >= 64 && this.#from * 2 > this.#requests.length) {
      this.#requests = this.#requests.slice(this.#from);
      this.#from = 0;
    }
    return request;
  }
}
