import type { PacketPosition } from '../capture/packet.ts';
import type { Decoded } from '../decode/decoded.ts';
import { MAX_SUMMARY_CLIENTS } from '../limits.ts';
import type { Broker, Brokers } from './brokers.ts';
import type { ConfigIdentity } from './causes.ts';
import { ConfigSeries } from './config-series.ts';
import { describedConfigs, describedResources } from './described.ts';
import type { Filter } from './filters/filter.ts';
import { Names } from './names.ts';
import { KEPT_ITEM_BYTES, type Room, textBytes } from './room.ts';

const OTHER_CLIENTS = '(others)';
/** What a config takes, and each run of it, beside their texts, measured on Node 24. */
const SERIES_BYTES = 320;
const RUN_BYTES = 256;

/** A resource as one broker tells of it. */
interface FollowedResource {
  readonly type: number;
  readonly name: string;
  readonly series: Map<string, ConfigSeries>;
}

/** What one broker tells. */
interface FollowedBroker {
  readonly broker: Broker;
  readonly server: string;
  readonly resources: Map<string, FollowedResource>;
}

/** A response whose configs are to be kept. */
export interface DescribedAnswer {
  readonly server: string;
  readonly client: string;
  /** The packet with the response's last byte; kept. */
  readonly at: PacketPosition;
  readonly response: Decoded;
  /** Tape entries of configs that weren't asked for; null for none. */
  readonly leftOut: ReadonlySet<number> | null;
}

/** Keeps what was said of each config by each broker, as runs of equal answers. */
export class ConfigStore {
  /** Answers that there was no room for. */
  dropped = 0;
  readonly #brokers: Brokers;
  readonly #filter: Filter | null;
  readonly #followed = new Map<string, FollowedBroker>();
  readonly #clients = new Names(MAX_SUMMARY_CLIENTS);
  readonly #texts = new Names(Number.POSITIVE_INFINITY);
  readonly #room: Room;

  constructor(brokers: Brokers, filter: Filter | null, room: Room) {
    this.#room = room;
    this.#brokers = brokers;
    this.#filter = filter;
  }

  add({ server, client, at, response, leftOut }: DescribedAnswer): void {
    const clientIndex = this.#clients.indexOf(this.#isKept(client) ? client : OTHER_CLIENTS, OTHER_CLIENTS);
    for (const { type, name, errorCode, entry } of describedResources(response)) {
      if (errorCode !== 0 || this.#filter?.resource(type, name) === false) continue;
      for (const { key, value, source, isSensitive } of describedConfigs(response, entry, leftOut)) {
        if (source === null) continue;
        const series = this.#seriesOf(server, type, name, key);
        const bytes = RUN_BYTES + (value === null || this.#texts.has(value) ? 0 : textBytes(value));
        const hasRoom = this.#room.has(bytes);
        const text = value === null || !hasRoom ? value : this.#texts.shared(value);
        const more = series?.observe({ value: text, source, isSensitive, at, client: clientIndex }, hasRoom) ?? -1;
        if (more < 0) this.dropped++;
        else if (more > 0) this.#room.take(bytes + (more - 1) * RUN_BYTES);
      }
    }
  }

  /** Whether there is room for a client's name. */
  #isKept(client: string): boolean {
    return this.#clients.has(client) || this.#room.take(KEPT_ITEM_BYTES + textBytes(client));
  }

  /** Puts together what turned out to come from one broker. */
  brokersChanged(): void {
    for (const [id, followed] of this.#followed) {
      if (!followed.broker.isProvisional || this.#brokers.of(followed.server).id === id) continue;
      this.#followed.delete(id);
      const { resources } = this.#brokerOf(followed.server);
      for (const [key, resource] of followed.resources) this.#absorb(resources, key, resource);
    }
  }

  *all(): Generator<{ readonly identity: ConfigIdentity; readonly series: ConfigSeries }> {
    for (const { broker, resources } of this.#followed.values()) {
      for (const { type, name, series: all } of resources.values()) {
        for (const [key, series] of all) yield { identity: { broker, resourceType: type, resourceName: name, key }, series };
      }
    }
  }

  clientName(index: number): string {
    return this.#clients.textOf(index);
  }

  #absorb(resources: Map<string, FollowedResource>, resourceKey: string, resource: FollowedResource): void {
    const known = resources.get(resourceKey);
    if (known === undefined) {
      resources.set(resourceKey, resource);
      return;
    }
    for (const [key, series] of resource.series) {
      const same = known.series.get(key);
      if (same === undefined) known.series.set(key, series);
      else this.#room.take(Math.max(0, RUN_BYTES * same.absorb(series)));
    }
  }

  #brokerOf(server: string): FollowedBroker {
    const broker = this.#brokers.of(server);
    let followed = this.#followed.get(broker.id);
    if (followed === undefined) {
      followed = { broker, server, resources: new Map() };
      this.#followed.set(broker.id, followed);
    }
    return followed;
  }

  /** Null where there is no room for more. */
  #seriesOf(server: string, type: number, name: string, key: string): ConfigSeries | null {
    const resourceKey = `${type} ${name}`;
    const known = this.#followed.get(this.#brokers.of(server).id)?.resources.get(resourceKey)?.series.get(key);
    if (known !== undefined) return known;
    const bytes = SERIES_BYTES + (this.#texts.has(key) ? 0 : textBytes(key));
    if (!this.#room.has(bytes + KEPT_ITEM_BYTES + textBytes(resourceKey))) return null;
    this.#room.take(bytes);
    const { resources } = this.#brokerOf(server);
    let resource = resources.get(resourceKey);
    if (resource === undefined) {
      this.#room.take(KEPT_ITEM_BYTES + textBytes(resourceKey));
      resource = { type, name, series: new Map() };
      resources.set(resourceKey, resource);
    }
    const series = new ConfigSeries();
    resource.series.set(this.#texts.shared(key), series);
    return series;
  }
}
