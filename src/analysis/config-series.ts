import type { PacketPosition } from '../capture/packet.ts';
import { inOrder, isAfter } from './instants.ts';

/** A time during which all answers about a config agreed. */
export interface ConfigRun {
  readonly value: string | null;
  readonly source: number;
  isSensitive: boolean;
  /** Responses' last packets. */
  first: PacketPosition;
  last: PacketPosition;
  observations: number;
  /** Pairs of a client's index and its observations: most runs have one client. */
  readonly clients: number[];
}

/** One answer about a config. */
export interface Observation {
  readonly value: string | null;
  readonly source: number;
  readonly isSensitive: boolean;
  /** Kept. */
  readonly at: PacketPosition;
  readonly client: number;
}

/** What one broker said of one config, collapsed to runs of equal value and source, in order of time. */
export class ConfigSeries {
  #runs: ConfigRun[] = [];

  get runs(): readonly ConfigRun[] {
    return this.#runs;
  }

  /**
   * Adds an answer. Answers may come a little late, since a hole in one connection holds its answers back. Returns how many runs more there
   * are. Where `mayGrow` is false, an answer that would open one is left out, and -1 is returned.
   */
  observe(observation: Observation, mayGrow: boolean): number {
    const run = this.#runs.at(-1);
    if (run === undefined || !isSameValue(run, observation)) {
      if (!mayGrow) return -1;
      const before = this.#runs.length;
      // Most configs never change: a list that is made whole takes less than one that grew.
      if (run === undefined) this.#runs = [runOf(observation)];
      else if (!isAfter(run.last, observation.at)) this.#runs.push(runOf(observation));
      else this.#merge([runOf(observation)]);
      return this.#runs.length - before;
    }
    run.observations++;
    if (isAfter(observation.at, run.last)) run.last = observation.at;
    else if (isAfter(run.first, observation.at)) run.first = observation.at;
    countClient(run.clients, observation.client, 1);
    return 0;
  }

  /** Takes in what turned out to be told by the same broker. Returns how many runs there are more than in both before. */
  absorb(other: ConfigSeries): number {
    const before = this.#runs.length + other.#runs.length;
    this.#merge(other.#runs);
    return this.#runs.length - before;
  }

  /** Puts the first and last sight of all runs in order: what lay between them is known no more. */
  #merge(others: readonly ConfigRun[]): void {
    const sights = inOrder([...this.#runs, ...others].flatMap(sightsOf));
    const merged: ConfigRun[] = [];
    for (const sight of sights) {
      const run = merged.at(-1);
      if (run === undefined || !isSameValue(run, sight)) {
        merged.push(sight);
        continue;
      }
      run.last = sight.last;
      run.observations += sight.observations;
      for (let i = 0; i < sight.clients.length; i += 2)
        countClient(run.clients, sight.clients[i] as number, sight.clients[i + 1] as number);
    }
    this.#runs = merged;
  }
}

function isSameValue(one: Pick<ConfigRun, 'value' | 'source'>, other: Pick<ConfigRun, 'value' | 'source'>): boolean {
  return one.value === other.value && one.source === other.source;
}

function runOf({ value, source, isSensitive, at, client }: Observation): ConfigRun {
  return { value, source, isSensitive, first: at, last: at, observations: 1, clients: [client, 1] };
}

/** A run as two: all its observations but one stand at its beginning. */
function sightsOf(run: ConfigRun): ConfigRun[] {
  if (run.observations === 1) return [run];
  const clients = [...run.clients];
  const client = clients[0] as number;
  countClient(clients, client, -1);
  const { value, source, isSensitive, first, last, observations } = run;
  return [
    { value, source, isSensitive, first, last: first, observations: observations - 1, clients },
    { value, source, isSensitive, first: last, last, observations: 1, clients: [client, 1] },
  ];
}

function countClient(clients: number[], client: number, count: number): void {
  for (let i = 0; i < clients.length; i += 2) {
    if (clients[i] !== client) continue;
    clients[i + 1] = (clients[i + 1] as number) + count;
    return;
  }
  clients.push(client, count);
}
