import { hostPort } from '../net/address.ts';
import type { Segment } from '../net/segment.ts';
import type { Connection } from './connection.ts';
import type { Direction } from './stream-sink.ts';

/** The two endpoints of a connection, as the words of a {@link Segment}; the first one is `source`. */
export class FlowKey {
  readonly ipVersion: 4 | 6;
  readonly source0: number;
  readonly source1: number;
  readonly source2: number;
  readonly source3: number;
  readonly destination0: number;
  readonly destination1: number;
  readonly destination2: number;
  readonly destination3: number;
  readonly sourcePort: number;
  readonly destinationPort: number;

  constructor(segment: Segment) {
    this.ipVersion = segment.ipVersion;
    this.source0 = segment.source0;
    this.source1 = segment.source1;
    this.source2 = segment.source2;
    this.source3 = segment.source3;
    this.destination0 = segment.destination0;
    this.destination1 = segment.destination1;
    this.destination2 = segment.destination2;
    this.destination3 = segment.destination3;
    this.sourcePort = segment.sourcePort;
    this.destinationPort = segment.destinationPort;
  }

  /** 0 if the first endpoint sent the segment, 1 if the second, -1 if it belongs to others. */
  directionOf(segment: Segment): Direction | -1 {
    if (segment.ipVersion !== this.ipVersion) return -1;
    if (
      segment.sourcePort === this.sourcePort &&
      segment.destinationPort === this.destinationPort &&
      segment.source3 === this.source3 &&
      segment.destination3 === this.destination3 &&
      segment.source0 === this.source0 &&
      segment.source1 === this.source1 &&
      segment.source2 === this.source2 &&
      segment.destination0 === this.destination0 &&
      segment.destination1 === this.destination1 &&
      segment.destination2 === this.destination2
    )
      return 0;
    if (
      segment.sourcePort === this.destinationPort &&
      segment.destinationPort === this.sourcePort &&
      segment.source3 === this.destination3 &&
      segment.destination3 === this.source3 &&
      segment.source0 === this.destination0 &&
      segment.source1 === this.destination1 &&
      segment.source2 === this.destination2 &&
      segment.destination0 === this.source0 &&
      segment.destination1 === this.source1 &&
      segment.destination2 === this.source2
    )
      return 1;
    return -1;
  }

  /** The endpoint that sends a direction: `192.0.2.1:51234`. */
  endpoint(direction: Direction): string {
    return direction === 0
      ? hostPort(this.ipVersion, this.source0, this.source1, this.source2, this.source3, this.sourcePort)
      : hostPort(this.ipVersion, this.destination0, this.destination1, this.destination2, this.destination3, this.destinationPort);
  }
}

const FIRST_BUCKETS = 1024;

/** Finds the connection of a segment by its endpoints, whichever of them sent it. Chained buckets of int32 hashes: `npm run bench`, many. */
export class FlowTable {
  #buckets: (Connection | null)[] = new Array(FIRST_BUCKETS).fill(null);
  #size = 0;
  #last: Connection | null = null;
  /** Direction of the segment that was last found. */
  direction: Direction = 0;

  get size(): number {
    return this.#size;
  }

  find(segment: Segment): Connection | null {
    if (this.#last !== null && this.#isOf(this.#last, segment)) return this.#last;
    for (let at = this.#buckets[this.#bucketOf(segment)] as Connection | null; at !== null; at = at.chained) {
      if (!this.#isOf(at, segment)) continue;
      this.#last = at;
      return at;
    }
    return null;
  }

  #isOf(connection: Connection, segment: Segment): boolean {
    const direction = connection.key.directionOf(segment);
    if (direction < 0) return false;
    this.direction = direction as Direction;
    return true;
  }

  add(connection: Connection): void {
    if (this.#size >= this.#buckets.length) this.#grow();
    this.#insert(connection);
    this.#size++;
    this.#last = connection;
  }

  remove(connection: Connection): void {
    if (this.#last === connection) this.#last = null;
    const bucket = this.#bucketOf(connection.key);
    let before: Connection | null = null;
    for (let at = this.#buckets[bucket] as Connection | null; at !== null; at = at.chained) {
      if (at === connection) {
        if (before === null) this.#buckets[bucket] = at.chained;
        else before.chained = at.chained;
        at.chained = null;
        this.#size--;
        return;
      }
      before = at;
    }
  }

  all(): Connection[] {
    const found: Connection[] = [];
    for (const head of this.#buckets) for (let at = head; at !== null; at = at.chained) found.push(at);
    return found;
  }

  #insert(connection: Connection): void {
    const bucket = this.#bucketOf(connection.key);
    connection.chained = this.#buckets[bucket] as Connection | null;
    this.#buckets[bucket] = connection;
  }

  #grow(): void {
    const connections = this.all();
    this.#buckets = new Array(this.#buckets.length * 2).fill(null);
    for (const connection of connections) this.#insert(connection);
  }

  /** The same for both directions: the endpoints' hashes are added. */
  #bucketOf(key: FlowKey | Segment): number {
    const source = hashEndpoint(key.source0 ^ key.source1 ^ key.source2 ^ key.source3, key.sourcePort);
    const destination = hashEndpoint(key.destination0 ^ key.destination1 ^ key.destination2 ^ key.destination3, key.destinationPort);
    return (source + destination) & (this.#buckets.length - 1);
  }
}

function hashEndpoint(address: number, port: number): number {
  let hash = Math.imul(address ^ Math.imul(port, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}
