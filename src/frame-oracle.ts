import { FrameDecoder } from './decode/decode-frame.ts';
import { resourcesOf } from './decode/resources.ts';
import { Fit, type FrameOracle } from './kafka/frame-finder.ts';
import type { PendingRequest } from './kafka/pending.ts';
import type { Schemas } from './schema/schemas.ts';
import { int16 } from './wire/bytes.ts';

/** Answers the Kafka stage's questions about frames by decoding them. */
export class SchemaOracle implements FrameOracle {
  readonly #schemas: Schemas;
  readonly #decoder = new FrameDecoder();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  isRequest(bytes: Uint8Array, start: number, end: number): boolean | null {
    const plan = this.#schemas.plan(int16(bytes, start + 4), int16(bytes, start + 6), 'request');
    if (plan === null) return null;
    const decoded = this.#decoder.decode(plan, bytes, start, end);
    return decoded.error === null && decoded.trailingBytes === 0;
  }

  answers(bytes: Uint8Array, start: number, end: number, request: PendingRequest): Fit {
    const plan = this.#schemas.plan(request.apiKey, request.apiVersion, 'response');
    if (plan === null) return Fit.unknown;
    const decoded = this.#decoder.decode(plan, bytes, start, end);
    if (decoded.error !== null || decoded.trailingBytes > 0) return Fit.malformed;
    const answered = resourcesOf(decoded).map(({ type, name }) => `${type} ${name}`);
    const asked = this.#resourcesAsked(request);
    return asked === null || answered.every((resource) => asked.has(resource)) ? Fit.yes : Fit.no;
  }

  /** What the request names; null where it isn't all there. */
  #resourcesAsked(request: PendingRequest): Set<string> | null {
    const plan = this.#schemas.plan(request.apiKey, request.apiVersion, 'request');
    if (plan === null || request.frame === null) return null;
    const { bytes } = request.frame;
    const decoded = this.#decoder.decode(plan, bytes, 0, bytes.length);
    return decoded.error === null ? new Set(resourcesOf(decoded).map(({ type, name }) => `${type} ${name}`)) : null;
  }
}
