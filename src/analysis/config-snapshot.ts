import type { PacketPosition } from '../capture/packet.ts';
import { MAX_FOLLOWED_CONFIGS } from '../limits.ts';
import type { DescribedConfig } from './described.ts';
import { isAfter } from './instants.ts';

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
  #count = 0;

  /** Takes an answer; `pairing` is the same for resources that are to be compared. */
  add(pairing: string, { type, name, server, isWhole, configs, at }: ResourceAnswer): void {
    let resource = this.resources.get(pairing);
    if (resource === undefined) {
      if (this.resources.size >= MAX_FOLLOWED_CONFIGS) {
        this.dropped++;
        return;
      }
      resource = { type, name, tellings: new Map() };
      this.resources.set(pairing, resource);
    }
    let telling = resource.tellings.get(server);
    if (telling === undefined) {
      telling = { isWhole: false, configs: new Map() };
      resource.tellings.set(server, telling);
    }
    const before = telling.configs;
    this.#count -= before.size;
    // A whole answer takes away what it doesn't hold.
    const after = isWhole ? new Map<string, SeenConfig>() : before;
    for (const config of configs) this.#note(after, before.get(config.key), config, at);
    telling.configs = after;
    telling.isWhole ||= isWhole;
    this.#count += after.size;
  }

  #note(configs: Map<string, SeenConfig>, known: SeenConfig | undefined, config: DescribedConfig, at: PacketPosition): void {
    if (known === undefined && this.#count + configs.size >= MAX_FOLLOWED_CONFIGS) {
      this.dropped++;
      return;
    }
    if (known !== undefined && isAfter(known.at, at)) {
      configs.set(config.key, known);
      return;
    }
    const { key, value, isSensitive } = config;
    // Version 0 tells no source: where it confirms a value, the source stays known.
    const source = config.source ?? (known?.value === value ? known.source : null);
    configs.set(key, { value, source, isSensitive, at });
  }
}
