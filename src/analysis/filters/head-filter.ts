import { nanosBetween, type PacketPosition } from '../../capture/packet.ts';
import { FilterError } from '../../errors.ts';
import type { Call, KafkaConnection } from '../../kafka/exchange.ts';
import { utf8Text } from '../../wire/text.ts';
import { parseEndpoints } from './address-pattern.ts';
import { parseDuration } from './duration.ts';
import type { FilterOptions } from './filter-options.ts';
import { type Moment, momentSpan, nanosSince, parseMoment } from './moment.ts';
import { parseNumbers } from './number-ranges.ts';
import { parseTexts } from './pattern.ts';

/** What is known of a request without decoding it. */
export interface RequestFacts {
  readonly connection: KafkaConnection;
  readonly apiVersion: number;
  readonly clientId: Uint8Array | null;
  readonly first: PacketPosition;
  /** From the request's last byte to the response's last byte; NaN where that isn't known. */
  readonly latencyNanos: number;
  /** The first packet that has a time. */
  readonly start: PacketPosition | null;
}

type Test = (facts: RequestFacts) => boolean;

/** What the options ask of a request by who sent it, where to, when, and how long it took. */
export class HeadFilter {
  readonly #tests: readonly Test[];

  /** Throws a {@link FilterError} for what can't be understood, or met. */
  constructor(options: FilterOptions) {
    this.#tests = [...senderTests(options), ...timeTests(options)];
  }

  get isEmpty(): boolean {
    return this.#tests.length === 0;
  }

  admits(facts: RequestFacts): boolean {
    return this.#tests.every((test) => test(facts));
  }

  /** The same for header-level facts. */
  admitsCall(call: Call, start: PacketPosition | null): boolean {
    const { connection, apiVersion, clientId, first, last, response } = call;
    const latencyNanos = last === null || !response?.last ? Number.NaN : nanosBetween(last, response.last);
    return this.admits({ connection, apiVersion, clientId, first, latencyNanos, start });
  }
}

function* senderTests(options: FilterOptions): Generator<Test> {
  const { clientId, client, server, stream, apiVersion } = options;
  if (stream !== undefined) {
    const isAsked = parseNumbers('--stream', stream);
    yield ({ connection }) => isAsked(connection.stream);
  }
  if (apiVersion !== undefined) {
    const isAsked = parseNumbers('--api-version', apiVersion);
    yield (facts) => isAsked(facts.apiVersion);
  }
  if (clientId !== undefined) {
    const isAsked = parseTexts('--client-id', clientId);
    yield (facts) => facts.clientId !== null && isAsked(utf8Text(facts.clientId));
  }
  if (client !== undefined) {
    const isAsked = parseEndpoints('--client', client);
    yield ({ connection }) => isAsked(connection.client);
  }
  if (server !== undefined) {
    const isAsked = parseEndpoints('--server', server);
    yield ({ connection }) => isAsked(connection.server);
  }
}

function* timeTests({ slowerThan, since, until, localTime = false }: FilterOptions): Generator<Test> {
  if (slowerThan !== undefined) {
    const nanos = parseDuration('--slower-than', slowerThan);
    yield ({ latencyNanos }) => latencyNanos > nanos;
  }
  const begin = since === undefined ? null : parseMoment('--since', since, localTime);
  const end = until === undefined ? null : parseMoment('--until', until, localTime);
  if (begin !== null && end !== null) yield* spanTest(begin, end);
  if (begin !== null) yield ({ first, start }) => nanosSince(begin, first, start) >= 0;
  if (end !== null) yield ({ first, start }) => nanosSince(end, first, start) < 0;
}

/** Where one moment counts from the first packet and the other doesn't, only the capture tells whether anything lies between. */
function* spanTest(begin: Moment, end: Moment): Generator<Test> {
  const span = momentSpan(begin, end);
  if (span !== null) {
    if (span <= 0) throw emptySpan();
    return;
  }
  yield ({ start }) => {
    if (start === null) return true;
    const isEmpty =
      begin.kind === 'clock' ? nanosSince(begin, start, null) + offsetOf(end) <= 0 : offsetOf(begin) + nanosSince(end, start, null) >= 0;
    if (isEmpty) throw emptySpan();
    return true;
  };
}

function offsetOf(moment: Moment): number {
  return moment.kind === 'offset' ? moment.offsetNanos : 0;
}

function emptySpan(): FilterError {
  return new FilterError('--until must be later than --since: nothing lies between the two');
}
