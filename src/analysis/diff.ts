import type { PacketPosition } from '../capture/packet.ts';
import type { DiagnosticSink } from '../diagnostics.ts';
import type { TrafficObserver } from '../dissection.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import type { Call, KafkaConnection } from '../kafka/exchange.ts';
import { ClusterView, viewApis } from './cluster-view.ts';
import { ConfigSnapshot } from './config-snapshot.ts';
import { askedResources, describedConfigs, describedResources } from './described.ts';
import type { DiffSide } from './diff-side.ts';
import type { Filter } from './filters/filter.ts';
import { nanosSince } from './filters/moment.ts';
import { reportDropped } from './limits-reached.ts';
import { Room } from './room.ts';

const BROKER = 4;

/** One side of a comparison, and what was seen of it. */
export interface SidePicture {
  readonly side: DiffSide;
  readonly snapshot: ConfigSnapshot;
  /** The broker behind a server's address. */
  brokerOf(server: string): string;
}

/** Takes the pictures of one or both sides out of one run's exchanges. */
export class DiffObserver implements TrafficObserver {
  readonly apis: ReadonlySet<number> = new Set(viewApis);
  readonly pictures: readonly SidePicture[];
  readonly #view: ClusterView;
  readonly #choice: Filter | null;

  /**
   * `choice` chooses resources and keys; null for all. It must not choose exchanges before they come here: that an answer lacks a key is
   * something to know. `room` serves both sides, where they are taken one after the other.
   */
  constructor(sides: readonly DiffSide[], choice: Filter | null, room: Room = new Room()) {
    this.#choice = choice;
    this.#view = new ClusterView({}, room);
    const brokerOf = (server: string) => this.#view.brokers.of(server).id;
    this.pictures = sides.map((side) => ({ side, snapshot: new ConfigSnapshot(room), brokerOf }));
  }

  request(): void {}

  notKafka(): void {}

  call(call: Call): void {
    this.#view.call(call);
  }

  gap(connection: KafkaConnection): void {
    this.#view.gap(connection);
  }

  token(): void {}

  /** An exchange of {@link apis}. */
  exchange(decoded: DecodedExchange): void {
    this.#view.exchange(decoded, false);
  }

  /** A DescribeConfigs exchange. Those that aren't complete tell nothing for sure. */
  described(decoded: DecodedExchange): void {
    const { exchange, request, response, status, start } = decoded;
    const at = exchange.response?.last;
    if (status !== 'complete' || request === null || response === null || !at) return;
    const { server } = exchange.connection;
    const whole = new Set<string>();
    for (const { type, name, allKeys } of askedResources(request)) if (allKeys) whole.add(`${type} ${name}`);
    for (const { type, name, errorCode, entry } of describedResources(response)) {
      if (errorCode !== 0 || this.#choice?.resource(type, name) === false) continue;
      if (type === BROKER && name !== '') this.#view.answersFor(server, name);
      const all = [...describedConfigs(response, entry, null)];
      // Brokers up to 2.3 answer an empty list of keys with no configs.
      const isWhole = all.length > 0 && whole.has(`${type} ${name}`);
      const configs = all.filter(({ key }) => this.#choice?.key(key) !== false);
      const answer = { type, name, server, isWhole, configs, at };
      for (const { side, snapshot } of this.pictures) {
        if (isOf(side, type, name, server, at, start)) snapshot.add(side.kind === 'broker' ? '' : `${type} ${name}`, answer);
      }
    }
  }

  /** Says what there was no room for. */
  report(diagnostics: DiagnosticSink): void {
    const dropped = this.pictures.reduce((sum, { snapshot }) => sum + snapshot.dropped, 0);
    reportDropped(diagnostics, 'configs', dropped);
  }
}

/** Whether an answer belongs to a side. */
function isOf(side: DiffSide, type: number, name: string, server: string, at: PacketPosition, start: PacketPosition | null): boolean {
  switch (side.kind) {
    case 'capture':
      return true;
    case 'time':
      return nanosSince(side.moment, at, start) <= 0;
    case 'broker':
      return type === BROKER && name === side.broker;
    case 'server':
      return server === side.server;
  }
}
