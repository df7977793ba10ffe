import { nanosBetween } from '../capture/packet.ts';
import type { Decoded } from '../decode/decoded.ts';
import { ENTRY_WORDS } from '../decode/decoded.ts';
import { auxAt, bodyEntry, memberEntry, NO_ENTRY, nodeAt } from '../decode/walk.ts';
import type { Call } from '../kafka/exchange.ts';
import { MAX_MEASURED_APIS } from '../limits.ts';
import type { ApiRow } from '../records/rows.ts';
import { apiNames } from '../schema/api-keys.ts';
import { codeName } from '../schema/enums.ts';
import { errorNames } from '../schema/error-codes.ts';
import { isAnswered } from './calls.ts';
import { TimeHistogram } from './percentiles.ts';

const SIZE_PREFIX_BYTES = 4;

/** Counts the requests of one API. */
class ApiStatistics {
  requests = 0;
  answered = 0;
  errors = 0;
  requestBytes = 0;
  responseBytes = 0;
  throttledResponses = 0;
  maxThrottleMs = 0;
  readonly latency: TimeHistogram | null;
  readonly broker: TimeHistogram | null;
  readonly transfer: TimeHistogram | null;

  constructor(isMeasured: boolean) {
    this.latency = isMeasured ? new TimeHistogram() : null;
    this.broker = isMeasured ? new TimeHistogram() : null;
    this.transfer = isMeasured ? new TimeHistogram() : null;
  }

  call(call: Call): void {
    const { requestBytes, last, response } = call;
    this.requests++;
    this.requestBytes += requestBytes - SIZE_PREFIX_BYTES;
    if (isAnswered(call)) this.answered++;
    if (response === null) return;
    this.responseBytes += response.bytes - SIZE_PREFIX_BYTES;
    if (last !== null) this.broker?.record(nanosBetween(last, response.first));
    if (last !== null && response.last !== null) this.latency?.record(nanosBetween(last, response.last));
    if (response.last !== null) this.transfer?.record(nanosBetween(response.first, response.last));
  }

  response(response: Decoded): void {
    if (holdsError(response)) this.errors++;
    const throttle = memberEntry(response, bodyEntry(response), 'throttleTimeMs');
    if (throttle === NO_ENTRY || auxAt(response, throttle) <= 0) return;
    this.throttledResponses++;
    this.maxThrottleMs = Math.max(this.maxThrottleMs, auxAt(response, throttle));
  }
}

/** Counts the requests of all APIs. */
export class AllApiStatistics {
  /** APIs whose responses are decoded. */
  readonly #decoded: ReadonlySet<number>;
  readonly #apis = new Map<number, ApiStatistics>();

  constructor(decoded: ReadonlySet<number>) {
    this.#decoded = decoded;
  }

  call(call: Call): void {
    this.#of(call.apiKey).call(call);
  }

  response(apiKey: number, response: Decoded): void {
    this.#of(apiKey).response(response);
  }

  /** By key. */
  rows(): ApiRow[] {
    return [...this.#apis].sort(([one], [other]) => one - other).map(([apiKey, api]) => this.#row(apiKey, api));
  }

  #of(apiKey: number): ApiStatistics {
    let api = this.#apis.get(apiKey);
    if (api === undefined) {
      api = new ApiStatistics(this.#apis.size < MAX_MEASURED_APIS);
      this.#apis.set(apiKey, api);
    }
    return api;
  }

  #row(apiKey: number, api: ApiStatistics): ApiRow {
    const isDecoded = this.#decoded.has(apiKey);
    return {
      type: 'api',
      apiKey,
      apiName: codeName(apiNames, apiKey),
      requests: api.requests,
      answered: api.answered,
      errors: isDecoded ? api.errors : null,
      requestBytes: api.requestBytes,
      responseBytes: api.responseBytes,
      latencyMs: api.latency?.percentiles() ?? null,
      brokerMs: api.broker?.percentiles() ?? null,
      transferMs: api.transfer?.percentiles() ?? null,
      throttled: isDecoded ? { responses: api.throttledResponses, maxMs: api.maxThrottleMs } : null,
    };
  }
}

/** Whether any error code in the body isn't 0. */
function holdsError(response: Decoded): boolean {
  for (let index = 0; index < response.tapeLength; index += ENTRY_WORDS) {
    if (nodeAt(response, index).names === errorNames && auxAt(response, index) !== 0) return true;
  }
  return false;
}
