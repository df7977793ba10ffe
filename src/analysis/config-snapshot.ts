import type { PacketPosition } from '../capture/packet.ts';
import type { DescribedConfig } from './described.ts';
import { isAfter } from './instants.ts';
import { KEPT_ITEM_BYTES, type Room, textBytes } from './room.ts';

/** What a config takes beside its texts, with the row of a difference in it. */
const CONFIG_BYTES = 384;

/** The last that was seen of a config. */
export interface SeenConfig {
  readonly value: string | null;
  /** Null where only answers of version 0 told this value. */
  readonly source: number | null;
  readonly isSensitive: boolean;
  readonly at: PacketPosition;
}

/** What one server said of a resource. */
export interface Telling {
  /** It told all configs that there are, so that what it left out isn't there. */
  isWhole: boolean;
  configs: Map<string, SeenConfig>;
  /** What the configs take. */
  bytes: number;
}

/** A resource, by the servers that told of it. */
export interface SeenResource {
  readonly type: number;
  readonly name: string;
  readonly tellings: Map<string, Telling>;
}

/** An answer about a resource. */
export interface ResourceAnswer {
  readonly type: number;
  readonly name: string;
  readonly server: string;
  /** All configs were asked for, and none of them is left out. */
  readonly isWhole: boolean;
  readonly configs: Iterable<DescribedConfig>;
  /** Kept. */
  readonly at: PacketPosition;
}

/** The last state seen of configs. */
export class ConfigSnapshot {
  /** Configs that there was no room for. */
  dropped = 0;
  readonly resources = new Map<string, SeenResource>();
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Takes an answer; `pairing` is the same for resources that are to be compared. */
  add(pairing: string, { type, name, server, isWhole, configs, at }: ResourceAnswer): void {
    let resource = this.resources.get(pairing);
    if (resource === undefined) {
      if (!this.#room.take(KEPT_ITEM_BYTES + textBytes(pairing, name))) {
        this.dropped++;
        return;
      }
      resource = { type, name, tellings: new Map() };
      this.resources.set(pairing, resource);
    }
    let telling = resource.tellings.get(server);
    if (telling === undefined) {
      if (!this.#room.take(KEPT_ITEM_BYTES)) {
        this.dropped++;
        return;
      }
      telling = { isWhole: false, configs: new Map(), bytes: 0 };
      resource.tellings.set(server, telling);
    }
    // A whole answer takes away what it doesn't hold.
    const before = telling.configs;
    if (isWhole) {
      this.#room.give(telling.bytes);
      telling.bytes = 0;
      telling.configs = new Map();
    }
    for (const config of configs) this.#note(telling, before.get(config.key), config, at);
    telling.isWhole ||= isWhole;
  }

  #note(telling: Telling, known: SeenConfig | undefined, config: DescribedConfig, at: PacketPosition): void {
    const seen = known !== undefined && isAfter(known.at, at) ? known : latest(known, config, at);
    const replaced = telling.configs.get(config.key);
    const more = bytesOf(config.key, seen) - (replaced === undefined ? 0 : bytesOf(config.key, replaced));
    if (!this.#room.take(more)) {
      this.dropped++;
      return;
    }
    telling.bytes += more;
    telling.configs.set(config.key, seen);
  }
}

/** Version 0 tells no source: where it confirms a value, the source stays known. */
function latest(known: SeenConfig | undefined, { value, source, isSensitive }: DescribedConfig, at: PacketPosition): SeenConfig {
  return { value, source: source ?? (known?.value === value ? known.source : null), isSensitive, at };
}

function bytesOf(key: string, { value }: SeenConfig): number {
  return CONFIG_BYTES + textBytes(key, value);
}
