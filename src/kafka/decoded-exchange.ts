import type { PacketPosition } from '../capture/packet.ts';
import type { Decoded } from '../decode/decoded.ts';
import type { Forwarded } from '../decode/forwarded.ts';
import type { Exchange, Reason, Status } from './exchange.ts';

/** An exchange with its two frames decoded: what the outputs print. */
export interface DecodedExchange {
  /** From 1, in the order of printing without filters. */
  readonly number: number;
  readonly exchange: Exchange;
  readonly status: Status;
  /** Null where the status is `complete`. */
  readonly reason: Reason | null;
  /** Null where the version has no schema. */
  readonly request: Decoded | null;
  /** Null where there was no response, or the version has no schema. */
  readonly response: Decoded | null;
  /** What an Envelope holds; null for all else. */
  readonly forwarded: Forwarded | null;
  /** Who authenticates by a SaslAuthenticate; null for all else. */
  readonly sasl: SaslFacts | null;
  /** Configs that a filter leaves out; null where there are none. */
  readonly leftOut: LeftOut | null;
  /** Name of the capture with the request's first byte, as given; `-` for standard input. */
  readonly captureName: string;
  /** The first packet that has a time, from which relative times count; null where none had one. */
  readonly start: PacketPosition | null;
}

/** What may be told of an authentication. */
export interface SaslFacts {
  /** Of the SaslHandshake before it on the connection; null where that isn't in the capture. */
  readonly mechanism: string | null;
  /** As PLAIN and SCRAM tell it in clear; null for other mechanisms, and where it isn't in the capture. */
  readonly user: string | null;
}

/** Elements of arrays of configs that aren't printed. */
export interface LeftOut {
  /** Their tape entries in the request and in the response; null where there are none. */
  readonly request: ReadonlySet<number> | null;
  readonly response: ReadonlySet<number> | null;
  /** How many there are in all. */
  readonly count: number;
}
