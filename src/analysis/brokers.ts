import { isIP } from 'node:net';
import { textAt } from '../decode/content.ts';
import type { Decoded } from '../decode/decoded.ts';
import { auxAt, bodyEntry, childEntries, memberEntry, NO_ENTRY } from '../decode/walk.ts';
import { MAX_BROKER_ADDRESSES } from '../limits.ts';
import { portOf } from '../records/address.ts';
import { KEPT_ITEM_BYTES, type Room, textBytes } from './room.ts';

/** A broker as captures tell brokers apart: a node of a cluster, or just an address. */
export interface Broker {
  /** Unique over all clusters. */
  readonly id: string;
  /** Node id as text, else the server's address. */
  readonly name: string;
  /** Null where it isn't known. */
  readonly clusterId: string | null;
  /** More Metadata may tell that it is a node that is known under another id. */
  readonly isProvisional: boolean;
}

interface Node {
  /** Null in Metadata 0 and 1. */
  readonly clusterId: string | null;
  readonly nodeId: number;
}

/**
 * Which server is which broker, as far as Metadata responses tell: a listener's address stands there with the node's id. Host names are
 * never resolved, except `localhost`; but where a server answers for the configs of broker N, and Metadata has N under a name with that
 * server's port, they are the same.
 */
export class Brokers {
  readonly clusterIds = new Set<string>();
  /** By address, as connections are written. */
  readonly #nodes = new Map<string, Node>();
  /** Nodes with a host name, by `node:port`. */
  readonly #named = new Map<string, Node>();
  readonly #brokers = new Map<string, Broker>();
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Learns from a Metadata response. Returns whether anything was new. */
  learn(metadata: Decoded): boolean {
    const body = bodyEntry(metadata);
    const clusterId = textAt(metadata, memberEntry(metadata, body, 'clusterId'));
    if (clusterId !== null && !this.#isKept(clusterId)) return false;
    let isNew = false;
    for (const entry of childEntries(metadata, memberEntry(metadata, body, 'brokers'))) {
      const id = memberEntry(metadata, entry, 'nodeId');
      const port = memberEntry(metadata, entry, 'port');
      if (port === NO_ENTRY) break;
      const host = textAt(metadata, memberEntry(metadata, entry, 'host')) ?? '';
      if (this.#learnNode({ clusterId, nodeId: auxAt(metadata, id) }, host, auxAt(metadata, port))) isNew = true;
    }
    return isNew;
  }

  /** Whether there is room for a cluster, which has one id over all that is kept of it. */
  #isKept(clusterId: string): boolean {
    if (this.clusterIds.has(clusterId)) return true;
    if (this.clusterIds.size >= MAX_BROKER_ADDRESSES || !this.#room.take(textBytes(clusterId))) return false;
    this.clusterIds.add(clusterId);
    return true;
  }

  #learnNode(node: Node, host: string, port: number): boolean {
    if (isIP(host) !== 0) return this.#note(this.#nodes, serverAddress(host, port), node);
    this.#note(this.#named, `${node.nodeId}:${port}`, node);
    if (host !== 'localhost') return false;
    const isNew = this.#note(this.#nodes, `127.0.0.1:${port}`, node);
    return this.#note(this.#nodes, `[::1]:${port}`, node) || isNew;
  }

  /** A server answered for the configs of this broker, which no other does. Returns whether that tells anything new. */
  answersFor(server: string, nodeId: string): boolean {
    if (this.#nodes.has(server)) return false;
    const named = this.#named.get(`${nodeId}:${portOf(server)}`);
    return named !== undefined && this.#note(this.#nodes, server, named);
  }

  /** What is said without a cluster id never overrules what was said before. */
  #note(nodes: Map<string, Node>, address: string, node: Node): boolean {
    const known = nodes.get(address);
    const isFull =
      known === undefined && (nodes.size >= MAX_BROKER_ADDRESSES || !this.#room.take(KEPT_ITEM_BYTES + textBytes(node.clusterId)));
    if (isFull || (known !== undefined && (node.clusterId === null || isSame(known, node)))) return false;
    nodes.set(address, node);
    this.#brokers.delete(address);
    return true;
  }

  /** The broker behind a server's address, by what is known so far. */
  of(server: string): Broker {
    let broker = this.#brokers.get(server);
    if (broker === undefined) {
      broker = brokerOf(server, this.#nodes.get(server));
      if (this.#brokers.size < MAX_BROKER_ADDRESSES) this.#brokers.set(server, broker);
    }
    return broker;
  }
}

function isSame(one: Node, other: Node): boolean {
  return one.clusterId === other.clusterId && one.nodeId === other.nodeId;
}

function brokerOf(server: string, node: Node | undefined): Broker {
  if (node === undefined) return { id: server, name: server, clusterId: null, isProvisional: true };
  const { clusterId, nodeId } = node;
  return { id: `${clusterId ?? ''} ${nodeId}`, name: String(nodeId), clusterId, isProvisional: clusterId === null };
}

/** A host and port as connections are written: IPv6 in its shortest form, in brackets. */
function serverAddress(host: string, port: number): string {
  return isIP(host) === 6 ? `${new URL(`http://[${host}]`).hostname}:${port}` : `${host}:${port}`;
}
