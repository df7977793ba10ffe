import type { PacketPosition } from '../capture/packet.ts';
import type { DiagnosticSink } from '../diagnostics.ts';
import { MAX_CONNECTIONS, MAX_ENDED_CONNECTIONS, MAX_HELD_BYTES, MAX_HELD_BYTES_TOTAL, MAX_HELD_SEGMENTS } from '../limits.ts';
import { type Segment, type SegmentSink, TcpFlag } from '../net/segment.ts';
import { Connection } from './connection.ts';
import { EndedConnections } from './ended-connections.ts';
import { FlowKey, FlowTable } from './flow-table.ts';
import type { Direction, StreamSinkFactory } from './stream-sink.ts';

/** Segments between two looks at what waits. */
const WAITING_CHECKED_EVERY = 1024;

export interface ReassemblerLimits {
  readonly connections: number;
  readonly endedConnections: number;
  readonly heldBytes: number;
  readonly heldSegments: number;
  readonly heldBytesTotal: number;
}

const defaultLimits: ReassemblerLimits = {
  connections: MAX_CONNECTIONS,
  endedConnections: MAX_ENDED_CONNECTIONS,
  heldBytes: MAX_HELD_BYTES,
  heldSegments: MAX_HELD_SEGMENTS,
  heldBytesTotal: MAX_HELD_BYTES_TOTAL,
};

/**
 * Segments in, connections out: finds or opens the connection of each segment, and keeps the number of connections and the bytes they
 * hold within limits.
 */
export class Reassembler implements SegmentSink {
  /** Connections so far. */
  connections = 0;
  /** Wireshark counts a late copy of an ended connection as another one: so do stream numbers. */
  #nextStream = 0;
  readonly #sinks: StreamSinkFactory;
  readonly #diagnostics: DiagnosticSink;
  readonly #limits: ReassemblerLimits;
  readonly #table = new FlowTable();
  /** Ended connections still in the table. */
  readonly #ended = new EndedConnections();
  readonly #waiting = new Set<Connection>();
  #heldBytes = 0;
  #segments = 0;

  constructor(sinks: StreamSinkFactory, diagnostics: DiagnosticSink, limits: Partial<ReassemblerLimits> = {}) {
    this.#sinks = sinks;
    this.#diagnostics = diagnostics;
    this.#limits = { ...defaultLimits, ...limits };
  }

  segment(segment: Segment): void {
    let connection = this.#table.find(segment);
    let direction: Direction = 0;
    if (connection !== null) {
      direction = this.#table.direction;
      if ((segment.flags & TcpFlag.syn) !== 0 && !connection.accepts(segment, direction)) {
        connection.flush('closed', segment.packet);
        this.#forget(connection);
        connection = null;
        direction = 0;
      } else if (connection.closed && (segment.flags & (TcpFlag.syn | TcpFlag.ack)) === TcpFlag.syn) this.#nextStream++;
    }
    if (connection === null) connection = this.#openConnection(segment);
    connection.lastUsed = ++this.#segments;
    const wasClosed = connection.closed;
    connection.segment(segment, direction);
    if (connection.unsettled || connection.isWatched) this.#settle(connection);
    if (connection.bytesAfterEnd > 0) this.#reportAfterEnd(connection, segment.packet, direction);
    if (connection.closed && !wasClosed) this.#remember(connection);
    if (this.#waiting.size > 0 && this.#segments % WAITING_CHECKED_EVERY === 0) this.#checkWaiting(segment.packet);
  }

  /** The capture ended: passes on what is held and closes all connections, in the order of their beginning. */
  end(): void {
    const open = this.#table.all().filter((connection) => !connection.closed);
    open.sort((a, b) => a.stream - b.stream);
    for (const connection of open) connection.flush('capture-ended');
  }

  #openConnection(segment: Segment): Connection {
    if (this.#table.size - this.#ended.size >= this.#limits.connections) this.#evict();
    this.connections++;
    const connection = new Connection(this.#nextStream++, new FlowKey(segment), this.#sinks);
    this.#table.add(connection);
    return connection;
  }

  /** Gives up the sixteenth of the connections that was silent for longest: one sort serves many. */
  #evict(): void {
    const open = this.#table.all().filter((connection) => !connection.closed);
    open.sort((a, b) => a.lastUsed - b.lastUsed);
    for (const connection of open.slice(0, Math.ceil(open.length / 16))) {
      if (connection.matters) this.#reportEviction(connection);
      connection.flush('evicted');
      this.#forget(connection);
    }
  }

  #reportAfterEnd(connection: Connection, position: PacketPosition, direction: Direction): void {
    const bytes = connection.bytesAfterEnd;
    connection.bytesAfterEnd = 0;
    this.#diagnostics.report({
      code: 'tcp-dropped',
      message: `${bytes} bytes came after the connection's end`,
      capture: position.capture,
      packet: position.number,
      stream: connection.stream,
      connection: `${connection.endpoint(direction)} → ${connection.endpoint((1 - direction) as Direction)}`,
      bytes,
    });
  }

  #reportEviction(connection: Connection): void {
    this.#diagnostics.report({
      code: 'connection-evicted',
      message: `more than ${this.#limits.connections} connections at once: this one, silent for longest, is given up`,
      stream: connection.stream,
      connection: `${connection.endpoint(0)} → ${connection.endpoint(1)}`,
    });
  }

  #remember(connection: Connection): void {
    this.#ended.add(connection);
    if (this.#ended.size <= this.#limits.endedConnections) return;
    const { oldest } = this.#ended;
    if (oldest !== null) this.#forget(oldest);
  }

  #forget(connection: Connection): void {
    this.#table.remove(connection);
    this.#ended.delete(connection);
    this.#count(connection);
  }

  /** Counts what changed; most of what is watched only waits for skipped bytes, which aren't held. */
  #settle(connection: Connection): void {
    if (connection.waiting || connection.countedBytes > 0 || connection.unsettled !== connection.isWatched) this.#account(connection);
  }

  /** Keeps the sum of held bytes, and the sum within its limits. */
  #account(connection: Connection): void {
    const { heldBytes, heldSegments } = this.#limits;
    while (connection.mostHeldBytes > heldBytes || connection.mostHeldSegments > heldSegments) connection.makeRoom();
    this.#count(connection);
    for (const oldest of this.#waiting) {
      if (this.#heldBytes <= this.#limits.heldBytesTotal) break;
      while (oldest.waiting) oldest.makeRoom();
      this.#count(oldest);
      if (oldest !== connection && oldest.closed) this.#remember(oldest);
    }
  }

  #count(connection: Connection): void {
    this.#heldBytes += connection.heldBytes - connection.countedBytes;
    connection.countedBytes = connection.heldBytes;
    connection.isWatched = connection.unsettled;
    if (connection.isWatched) this.#waiting.add(connection);
    else this.#waiting.delete(connection);
  }

  /** Connections that wait get no packets of their own, perhaps: time goes on all the same. */
  #checkWaiting(now: PacketPosition): void {
    for (const connection of this.#waiting) {
      connection.pump(now);
      this.#account(connection);
      if (connection.closed) this.#remember(connection);
    }
  }
}
