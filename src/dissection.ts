import type { CaptureInput } from './capture/open-source.ts';
import type { PacketPosition } from './capture/packet.ts';
import type { DecodedExchange } from './kafka/decoded-exchange.ts';
import type { TrafficSink } from './kafka/exchange.ts';

export type { CaptureInput };

/** What to read and how. */
export interface DissectOptions {
  readonly captures: readonly CaptureInput[];
  /** Frames that claim more are given up; {@link MAX_FRAME_BYTES} by default. */
  readonly maxFrameBytes: number;
  /**
   * Called each time before waiting for input, when everything that could be said so far has been said: the moment to flush, so that
   * a live reader sees each exchange at once. Reading goes on once what it returns is fulfilled.
   */
  readonly onWait?: () => void | Promise<void>;
  /** APIs whose exchanges are printed, of whatever version; DescribeConfigs alone where not given. */
  readonly apis?: ReadonlySet<number> | 'all';
  /** Chooses what is printed; everything is where there is none. */
  readonly filter?: ExchangeFilter;
  /** Sees all traffic; nothing beyond the exchanges is looked at where there is none. */
  readonly observer?: TrafficObserver;
}

/** Chooses exchanges, and what of them is printed. */
export interface ExchangeFilter {
  /** The exchange, or as much of it as is asked for; null if it isn't asked for. */
  apply(exchange: DecodedExchange): DecodedExchange | null;
}

/** Learns from what goes on beside the exchanges that are printed. */
export interface TrafficObserver extends TrafficSink {
  /** The APIs whose exchanges it takes. */
  readonly apis: ReadonlySet<number>;
  /** The first packet that has a time, before anything that it brings. Kept. */
  begins?(start: PacketPosition): void;
  /** An exchange of these APIs, in the order of completion; it counts nowhere, and its number is 0 unless it is printed too. Borrowed. */
  exchange(exchange: DecodedExchange): void;
}

/** Takes decoded exchanges in the order of printing. What it throws ends the dissection. */
export interface DecodedExchangeSink {
  exchange(exchange: DecodedExchange): void;
}

/** What a dissection has read and found so far. */
export interface Totals {
  readonly packets: number;
  /** Bytes of the captures read, decompressed. */
  readonly bytes: number;
  /** Bytes taken from the files and streams themselves: fewer than `bytes` where they are compressed. */
  readonly inputBytes: number;
  /** The packets with the earliest and the latest time; null while none has a time. */
  readonly first: PacketPosition | null;
  readonly last: PacketPosition | null;
  /** TCP connections by what they speak. */
  readonly connections: { readonly kafka: number; readonly tls: number; readonly other: number };
  /** Kafka frames of all APIs. */
  readonly frames: { readonly requests: number; readonly responses: number };
  /** Exchanges printed, by status. */
  readonly exchanges: { readonly complete: number; readonly partial: number; readonly unanswered: number };
  /** Exchanges that the filter kept back. */
  readonly filteredOut: number;
}

/** A running dissection, as the command line drives it. */
export interface RunningDissection {
  /**
   * Reads the captures to their end. Findings, unreadable captures among them, go to the diagnostics; only a bug and whatever a sink throws
   * reject.
   */
  run(): Promise<void>;
  /** Asks to finish early: what is open is closed as at the end of the capture, then `run` resolves, a read that waits notwithstanding. */
  stop(): void;
  readonly totals: Totals;
  /** The packet at work, to say where a bug struck; null before the first. */
  readonly position: PacketPosition | null;
}
