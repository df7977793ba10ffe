import type { PacketPosition } from '../capture/packet.ts';
import type { DiagnosticSink } from '../diagnostics.ts';
import type { TrafficObserver } from '../dissection.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Call, KafkaConnection } from '../kafka/exchange.ts';
import type { ChangeRow, ConfigMembers, SourcedValue, TimelineRow, ValueRow } from '../records/rows.ts';
import { isoTime } from '../records/time.ts';
import { codeName, configSources, resourceTypes } from '../schema/enums.ts';
import { Causes, type ConfigIdentity } from './causes.ts';
import { ClusterView, clientIdText, viewApis } from './cluster-view.ts';
import type { ConfigRun } from './config-series.ts';
import { ConfigStore } from './config-store.ts';
import { describedResources } from './described.ts';
import type { Filter } from './filters/filter.ts';
import { inOrder, PacketNames } from './instants.ts';
import { reportDropped } from './limits-reached.ts';
import { Room } from './room.ts';
import { redactable } from './secret-text.ts';

const BROKER = 4;
const DEFAULT_CONFIG = 5;
const NO_CLIENT_ID = '(null)';

/** What a timeline shows. */
export interface TimelineOptions {
  /** Names of the captures, by index. */
  readonly captures: readonly string[];
  /** Chooses resources; whatever else it lets through is up to who hands over the exchanges. Null for all. */
  readonly filter: Filter | null;
  /** Leaves out what had one value alone. */
  readonly onlyChanges: boolean;
  /** Leaves out what nobody had set at any time. */
  readonly onlySet: boolean;
  readonly showSecrets: boolean;
}

interface DatedRun {
  readonly first: PacketPosition;
  readonly identity: ConfigIdentity;
  readonly before: ConfigRun | null;
  readonly run: ConfigRun;
}

/** Follows the values of configs, and finds who changed them. */
export class Timeline implements TrafficObserver {
  readonly apis: ReadonlySet<number> = new Set(viewApis);
  readonly #options: TimelineOptions;
  readonly #packets: PacketNames;
  readonly #view: ClusterView;
  readonly #store: ConfigStore;

  constructor(options: TimelineOptions, room: Room = new Room()) {
    this.#options = options;
    this.#packets = new PacketNames(options.captures);
    this.#view = new ClusterView({ brokersChanged: () => this.#store.brokersChanged() }, room);
    this.#store = new ConfigStore(this.#view.brokers, options.filter, room);
  }

  request(): void {}

  notKafka(): void {}

  call(call: Call): void {
    this.#view.call(call);
  }

  gap(connection: KafkaConnection): void {
    this.#view.gap(connection);
  }

  token(connection: KafkaConnection, bytes: Uint8Array, start: number, end: number, first: PacketPosition): void {
    this.#view.token(connection, bytes, start, end, first);
  }

  /** An exchange of {@link apis}. */
  exchange(decoded: DecodedExchange): void {
    this.#view.exchange(decoded, true);
  }

  /** A DescribeConfigs exchange. Those that aren't complete tell nothing for sure, those of version 0 not where a value comes from. */
  described({ exchange, response, status, leftOut }: DecodedExchange): void {
    const at = exchange.response?.last;
    if (status !== 'complete' || response === null || !at) return;
    const { server } = exchange.connection;
    for (const { type, name, errorCode } of describedResources(response)) {
      if (type === BROKER && name !== '' && errorCode === 0) this.#view.answersFor(server, name);
    }
    if (exchange.apiVersion === 0) return;
    const client = clientIdText(exchange.clientId) ?? NO_CLIENT_ID;
    this.#store.add({ server, client, at, response, leftOut: leftOut?.response ?? null });
  }

  /** Says what there was no room for. */
  report(diagnostics: DiagnosticSink): void {
    reportDropped(diagnostics, 'answers about configs', this.#store.dropped);
    reportDropped(diagnostics, 'alterations', this.#view.writes.dropped);
  }

  /** All rows in order of time, each made when it is asked for: a value's is when it was first seen, a change's when it was first seen to be made. */
  *rows(): Generator<TimelineRow> {
    const { brokers, writes } = this.#view;
    const causes = new Causes(writes.all(), { brokers, packets: this.#packets, showSecrets: this.#options.showSecrets });
    const dated: DatedRun[] = [];
    for (const { identity, series } of this.#store.all()) {
      const { runs } = series;
      if (this.#options.onlyChanges && runs.length < 2) continue;
      if (this.#options.onlySet && runs.every(({ source }) => source === DEFAULT_CONFIG)) continue;
      for (const [index, run] of runs.entries()) dated.push({ first: run.first, identity, before: runs[index - 1] ?? null, run });
    }
    for (const { identity, before, run } of inOrder(dated)) {
      if (before !== null) yield this.#change(identity, before, run, causes);
      yield this.#value(identity, run);
    }
  }

  #value(identity: ConfigIdentity, run: ConfigRun): ValueRow {
    const firstCapture = this.#packets.captureOf(run.first);
    const lastCapture = this.#packets.captureOf(run.last);
    return {
      type: 'value',
      ...membersOf(identity),
      ...this.#sourced(run),
      isSensitive: run.isSensitive,
      firstSeen: isoTime(run.first),
      firstPacket: run.first.number,
      lastSeen: isoTime(run.last),
      lastPacket: run.last.number,
      observations: run.observations,
      clients: this.#clients(run.clients),
      ...(firstCapture === null ? {} : { firstCapture }),
      ...(lastCapture === null ? {} : { lastCapture }),
    };
  }

  #change(identity: ConfigIdentity, before: ConfigRun, after: ConfigRun, causes: Causes): ChangeRow {
    const span = { from: before.last, to: after.first };
    return {
      type: 'change',
      ...membersOf(identity),
      from: this.#sourced(before),
      to: this.#sourced(after),
      notBefore: isoTime(span.from),
      notAfter: isoTime(span.to),
      by: causes.by(identity, span),
      inherited: causes.inherited(identity, span),
    };
  }

  #sourced({ value, source, isSensitive }: ConfigRun): SourcedValue {
    const shown = redactable(value, isSensitive && !this.#options.showSecrets);
    return { ...shown, source, sourceName: codeName(configSources, source) };
  }

  #clients(pairs: readonly number[]): Record<string, number> {
    const counts: [string, number][] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const count = pairs[i + 1] as number;
      if (count > 0) counts.push([this.#store.clientName(pairs[i] as number), count]);
    }
    return Object.fromEntries(counts);
  }
}

function membersOf({ broker, resourceType, resourceName, key }: ConfigIdentity): ConfigMembers {
  return { broker: broker.name, resourceType, resourceTypeName: codeName(resourceTypes, resourceType), resourceName, key };
}
