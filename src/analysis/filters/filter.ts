import { nanosBetween, type PacketPosition } from '../../capture/packet.ts';
import type { Decoded } from '../../decode/decoded.ts';
import type { ExchangeFilter } from '../../dissection.ts';
import { FilterError } from '../../errors.ts';
import type { DecodedExchange, LeftOut } from '../../kafka/decoded-exchange.ts';
import type { Call, Status } from '../../kafka/exchange.ts';
import { configEntries, isSet, keysAsked, type ResourceEntry, resourceEntries } from './config-entries.ts';
import { type ErrorTest, entryHasError, hasError, parseErrors } from './error-codes.ts';
import type { FilterOptions } from './filter-options.ts';
import { HeadFilter } from './head-filter.ts';
import { parseTexts, type TextTest } from './pattern.ts';
import { parseResources, type ResourceTest } from './resource-pattern.ts';

const STATUSES: readonly string[] = ['complete', 'partial', 'unanswered'] satisfies readonly Status[];

/** Chooses exchanges, and the configs that are printed of them, by what was asked for. Made once a run. */
export class Filter implements ExchangeFilter {
  readonly #head: HeadFilter;
  readonly #statuses: ReadonlySet<string> | null;
  readonly #error: ErrorTest | null;
  readonly #resource: ResourceTest | null;
  readonly #key: TextTest | null;
  readonly #onlySet: boolean;

  /** Throws a {@link FilterError} for what can't be understood, or met by nothing. */
  constructor(options: FilterOptions) {
    this.#head = new HeadFilter(options);
    this.#statuses = options.status === undefined ? null : parseStatuses(options.status);
    this.#error = options.error === undefined ? null : parseErrors('--error', options.error);
    this.#resource = options.resource === undefined ? null : parseResources('--resource', options.resource);
    if (options.key === '') throw new FilterError("--key takes a config's name, as in retention.ms, 'retention.*' or /\\.ms$/");
    this.#key = options.key === undefined ? null : parseTexts('--key', options.key);
    this.#onlySet = options.nonDefault ?? false;
  }

  /** Nothing was asked for that configs or their exchanges must meet, so that all pass. */
  get isEmpty(): boolean {
    return this.#head.isEmpty && this.isHeadOnly;
  }

  /** Nothing was asked for that bodies or the status must meet, so that {@link admitsCall} tells all. */
  get isHeadOnly(): boolean {
    return this.#statuses === null && this.#error === null && this.#resource === null && !this.#choosesConfigs;
  }

  /** Whether a resource was asked for. */
  resource(type: number, name: string): boolean {
    return this.#resource === null || this.#resource({ type, name });
  }

  /** Whether a config key was asked for. */
  key(key: string): boolean {
    return this.#key === null || this.#key(key);
  }

  /** Whether a request passes as far as its header tells: what is asked of bodies and status isn't looked at. */
  admitsCall(call: Call, start: PacketPosition | null): boolean {
    return this.#head.admitsCall(call, start);
  }

  apply(decoded: DecodedExchange): DecodedExchange | null {
    if (!this.#head.admits(factsOf(decoded))) return null;
    if (this.#statuses !== null && !this.#statuses.has(decoded.status)) return null;
    const messages = messagesOf(decoded);
    if (this.#resource !== null && !messages.some((message) => this.#resourcesIn(message).length > 0)) return null;
    if (this.#error !== null && !this.#hasError(decoded, this.#error)) return null;
    if (!this.#choosesConfigs) return decoded;
    if (!messages.some((message) => this.#holdsConfig(message)) && !this.#asksForKey(decoded)) return null;
    return { ...decoded, leftOut: this.#leftOut(decoded) };
  }

  get #choosesConfigs(): boolean {
    return this.#key !== null || this.#onlySet;
  }

  #resourcesIn(message: Decoded): ResourceEntry[] {
    return [...resourceEntries(message)].filter(({ type, name }) => this.resource(type, name));
  }

  /** An error of a resource that was asked for, if one was; else any in the response. */
  #hasError({ response, forwarded }: DecodedExchange, test: ErrorTest): boolean {
    return [response, forwarded?.response ?? null].some((message) => {
      if (message === null) return false;
      if (this.#resource === null) return hasError(message, 0, message.tapeLength, test);
      return this.#resourcesIn(message).some(({ index }) => entryHasError(message, index, test));
    });
  }

  #holdsConfig(message: Decoded): boolean {
    return this.#resourcesIn(message).some(({ index }) =>
      [...configEntries(message, index)].some((config) => this.#isChosen(message, config.index, config.key)),
    );
  }

  #isChosen(message: Decoded, config: number, key: string): boolean {
    return this.key(key) && (!this.#onlySet || isSet(message, config));
  }

  /** A request that names a key passes whatever came, and one for all keys where it isn't known what came. */
  #asksForKey({ request, response }: DecodedExchange): boolean {
    if (request === null || this.#onlySet || request.plan.apiKey !== DESCRIBE_CONFIGS) return false;
    return this.#resourcesIn(request).some(({ index }) => {
      const keys = keysAsked(request, index);
      return keys === null ? response === null || response.error !== null : keys.some((key) => this.key(key));
    });
  }

  #leftOut({ request, response }: DecodedExchange): LeftOut | null {
    const ofRequest = this.#unchosen(request);
    const ofResponse = this.#unchosen(response);
    const count = ofRequest.size + ofResponse.size;
    return count === 0 ? null : { request: orNull(ofRequest), response: orNull(ofResponse), count };
  }

  #unchosen(message: Decoded | null): Set<number> {
    const found = new Set<number>();
    if (message === null) return found;
    for (const { index, type, name } of resourceEntries(message)) {
      const isAsked = this.resource(type, name);
      for (const config of configEntries(message, index)) {
        if (!isAsked || !this.#isChosen(message, config.index, config.key)) found.add(config.index);
      }
    }
    return found;
  }
}

const DESCRIBE_CONFIGS = 32;

function parseStatuses(asked: string): ReadonlySet<string> {
  const statuses = asked.split(',').map((part) => part.trim());
  for (const status of statuses) {
    if (!STATUSES.includes(status)) throw new FilterError(`--status takes ${STATUSES.join(', ')} or several of them, not ${status}`);
  }
  return new Set(statuses);
}

function factsOf({ exchange, start }: DecodedExchange) {
  const { connection, apiVersion, clientId, request, response } = exchange;
  const latencyNanos = request.last === null || !response?.last ? Number.NaN : nanosBetween(request.last, response.last);
  return { connection, apiVersion, clientId, first: request.first, latencyNanos, start };
}

/** The messages of an exchange in which resources and configs are looked for. */
function messagesOf({ request, response, forwarded }: DecodedExchange): Decoded[] {
  return [request, response, forwarded?.request ?? null, forwarded?.response ?? null].filter((message) => message !== null);
}

function orNull(found: Set<number>): ReadonlySet<number> | null {
  return found.size === 0 ? null : found;
}
