import type { Decoded } from '../decode/decoded.ts';
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
  /** Name of the capture with the request's first byte, as given; `-` for standard input. */
  readonly captureName: string;
}
