import { requestHeaderVersion } from '../schema/headers.ts';
import type { MessageSide, Schemas } from '../schema/schemas.ts';
import { int16, int32 } from '../wire/bytes.ts';
import { contentBuffer, contentBytes, textAt } from './content.ts';
import { FrameDecoder } from './decode-frame.ts';
import { type Decoded, Word } from './decoded.ts';
import { auxAt, bodyEntry, memberEntry, NO_ENTRY } from './walk.ts';

/** Where the fields of a request's header stand, counted from the header. */
const API_VERSION_OFFSET = 2;
const CORRELATION_ID_OFFSET = 4;
const CLIENT_ID_OFFSET = 8;
const FIXED_HEADER_BYTES = 10;
const IPV4_BYTES = 4;
const IPV6_BYTES = 16;

/** A request that a broker forwards to the controller in an Envelope (KIP-590), and its answer. */
export interface Forwarded {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  /** Bytes of the client id, null for null. Not necessarily UTF-8. */
  readonly clientId: Uint8Array | null;
  /** Whose request it is: `User:alice`; null where the envelope doesn't say, or in a form of its own. */
  readonly principal: string | null;
  /** The client's address, 4 or 16 bytes; null where it has another length. */
  readonly clientAddress: Uint8Array | null;
  /** Offsets are those in the envelope's frame. Null where the version has no schema. */
  readonly request: Decoded | null;
  readonly response: Decoded | null;
}

/** Opens envelopes. Tapes are reused: a result is valid until the next call. */
export class ForwardedDecoder {
  readonly #schemas: Schemas;
  readonly #requests = new FrameDecoder();
  readonly #responses = new FrameDecoder();
  readonly #principals = new FrameDecoder();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** What an Envelope request and its response forward; null where the request's data aren't there or too short for a header. */
  decode(request: Decoded, response: Decoded | null): Forwarded | null {
    const data = member(request, 'requestData');
    if (data === NO_ENTRY || contentBytes(request, data) < FIXED_HEADER_BYTES) return null;
    const header = contentBuffer(request, data);
    const apiKey = int16(header, 0);
    const apiVersion = int16(header, API_VERSION_OFFSET);
    return {
      apiKey,
      apiVersion,
      correlationId: int32(header, CORRELATION_ID_OFFSET),
      clientId: requestHeaderVersion(apiKey, apiVersion) === 0 ? null : clientIdOf(header),
      principal: this.#principal(request),
      clientAddress: addressOf(request),
      request: this.#message(apiKey, apiVersion, 'request', request, data, this.#requests),
      response: response && this.#message(apiKey, apiVersion, 'response', response, member(response, 'responseData'), this.#responses),
    };
  }

  #message(apiKey: number, version: number, side: MessageSide, outer: Decoded, data: number, decoder: FrameDecoder): Decoded | null {
    const plan = this.#schemas.embeddedPlan(apiKey, version, side);
    if (plan === null || data === NO_ENTRY || auxAt(outer, data) < 0) return null;
    const { bytes, origin, tape } = outer;
    return decoder.decodeInside(plan, bytes, origin, origin + auxAt(outer, data), origin + (tape[data + Word.end] as number));
  }

  /** Brokers write principals by `DefaultKafkaPrincipalBuilder`, if not by one of their operator's own. */
  #principal(request: Decoded): string | null {
    const data = member(request, 'requestPrincipal');
    if (data === NO_ENTRY || contentBytes(request, data) < 2) return null;
    const bytes = contentBuffer(request, data);
    const plan = this.#schemas.dataPlan('DefaultPrincipalData', int16(bytes, 0));
    if (plan === null) return null;
    const decoded = this.#principals.decodeInside(plan, bytes, 0, 0, bytes.length);
    if (decoded.error !== null || decoded.trailingBytes > 0) return null;
    return `${textAt(decoded, member(decoded, 'type'))}:${textAt(decoded, member(decoded, 'name'))}`;
  }
}

function member(decoded: Decoded, name: string): number {
  return memberEntry(decoded, bodyEntry(decoded), name);
}

function clientIdOf(header: Uint8Array): Uint8Array | null {
  const length = int16(header, CLIENT_ID_OFFSET);
  return length < 0 ? null : header.subarray(FIXED_HEADER_BYTES, FIXED_HEADER_BYTES + length);
}

function addressOf(request: Decoded): Uint8Array | null {
  const data = member(request, 'clientHostAddress');
  const bytes = data === NO_ENTRY ? 0 : contentBytes(request, data);
  return bytes === IPV4_BYTES || bytes === IPV6_BYTES ? contentBuffer(request, data) : null;
}
