import type { PacketPosition } from '../capture/packet.ts';
import { isSecretKey } from '../decode/secret-keys.ts';
import type { CauseMembers, ChangeRow } from '../records/rows.ts';
import { apiNames } from '../schema/api-keys.ts';
import { codeName, resourceTypes } from '../schema/enums.ts';
import type { Broker, Brokers } from './brokers.ts';
import { fallbackKeys } from './config-synonyms.ts';
import { inOrder, isAfter, type PacketNames } from './instants.ts';
import { redactable } from './secret-text.ts';
import { ALTER_CONFIGS, type ConfigChange, CREATE_TOPICS, type Write, type WrittenResource } from './writes.ts';

const TOPIC = 2;
const BROKER = 4;

/** A config of a resource, as one broker tells of it. */
export interface ConfigIdentity {
  readonly broker: Broker;
  readonly resourceType: number;
  readonly resourceName: string;
  readonly key: string;
}

/** A span of time: from the last sight of an old value to the first sight of a new one. */
export interface Span {
  readonly from: PacketPosition;
  readonly to: PacketPosition;
}

/** What {@link Causes} needs to know. */
export interface CauseOptions {
  readonly brokers: Brokers;
  readonly packets: PacketNames;
  readonly showSecrets: boolean;
}

interface Alteration {
  readonly first: PacketPosition;
  readonly write: Write;
  readonly resource: WrittenResource;
}

/** Finds the requests that may have made a change: those that took effect while it happened. */
export class Causes {
  readonly #options: CauseOptions;
  /** By resource, in order of time. */
  readonly #alterations = new Map<string, Alteration[]>();

  /** `writes` are in order of time. */
  constructor(writes: readonly Write[], options: CauseOptions) {
    this.#options = options;
    for (const write of writes) {
      if (write.apiKey === CREATE_TOPICS || write.validateOnly || write.last === null) continue;
      for (const resource of write.resources) if (resource.errorCode === 0) this.#add({ first: write.first, write, resource });
    }
  }

  /** The requests that altered the config itself. */
  by({ broker, resourceType, resourceName, key }: ConfigIdentity, span: Span): CauseMembers[] {
    const causes: CauseMembers[] = [];
    for (const { write, resource } of this.#within(resourceType, resourceName, span)) {
      const change = this.#mayBeOf(broker, write) ? changeOf(write, resource, [key]) : null;
      if (change !== null) causes.push(this.#cause(write, change));
    }
    return causes;
  }

  /** The requests that altered what the config falls back on where its own resource doesn't set it. */
  inherited({ broker, resourceType, resourceName, key }: ConfigIdentity, span: Span): ChangeRow['inherited'] {
    const keys = fallbackKeys(resourceType, key);
    if (keys.length === 0) return [];
    const resources = resourceType === TOPIC ? ['', ...this.#brokerNames(broker)] : resourceName === '' ? [] : [''];
    const found = inOrder(resources.flatMap((name) => [...this.#within(BROKER, name, span)]));
    const causes: ChangeRow['inherited'][number][] = [];
    for (const { write, resource } of found) {
      const change = this.#mayBeOf(broker, write) ? changeOf(write, resource, keys) : null;
      if (change === null) continue;
      const { type, name } = resource;
      causes.push({
        ...this.#cause(write, change),
        resourceType: type,
        resourceTypeName: codeName(resourceTypes, type),
        resourceName: name,
        key: change.key,
      });
    }
    return causes;
  }

  #add(alteration: Alteration): void {
    const key = resourceKey(alteration.resource.type, alteration.resource.name);
    const list = this.#alterations.get(key);
    if (list === undefined) this.#alterations.set(key, [alteration]);
    else list.push(alteration);
  }

  /** Those whose exchange overlaps the span. */
  *#within(type: number, name: string, { from, to }: Span): Generator<Alteration> {
    for (const alteration of this.#alterations.get(resourceKey(type, name)) ?? []) {
      const { first, last } = alteration.write;
      if (isAfter(first, to)) return;
      if (last !== null && !isAfter(from, last)) yield alteration;
    }
  }

  /** What the broker is called as a resource: its node id; where that isn't known, whatever it was altered as itself. */
  #brokerNames(broker: Broker): string[] {
    if (broker.name !== broker.id) return [broker.name];
    const names = new Set<string>();
    for (const list of this.#alterations.values()) {
      for (const { write, resource } of list) {
        if (resource.type === BROKER && resource.name !== '' && write.server === broker.id) names.add(resource.name);
      }
    }
    return [...names];
  }

  /** Not where the request went to another cluster. */
  #mayBeOf({ clusterId }: Broker, { server }: Write): boolean {
    const other = this.#options.brokers.of(server).clusterId;
    return clusterId === null || other === null || clusterId === other;
  }

  #cause(write: Write, { key, op, value }: ConfigChange): CauseMembers {
    const { packets, showSecrets } = this.#options;
    return {
      ...packets.ref(write.first),
      apiName: codeName(apiNames, write.apiKey),
      clientId: write.clientId,
      client: write.client,
      principal: write.principal,
      op,
      ...redactable(value, !showSecrets && isSecretKey(key)),
    };
  }
}

function resourceKey(type: number, name: string): string {
  return `${type} ${name}`;
}

/** What a request does to the first of these configs that it names. AlterConfigs also resets those that it doesn't name. */
function changeOf(write: Write, { changes }: WrittenResource, keys: readonly string[]): ConfigChange | null {
  const change = changes.find(({ key }) => keys.includes(key));
  if (change !== undefined || write.apiKey !== ALTER_CONFIGS) return change ?? null;
  return { key: keys[0] as string, op: 'REPLACE_ALL', value: null };
}
