import { createHmac, randomBytes } from 'node:crypto';

/** Hexadecimal digits of a pseudonym: two of a million texts share one in one of 500 cases. */
const DIGITS = 12;
const KEY_BYTES = 32;
/** Pseudonyms remembered, since the same texts come again and again; beyond it they are made anew. */
const MAX_REMEMBERED = 16_384;
const UUID_BYTES = 16;
const PORT = /:\d+$/;

/**
 * Names to put in the place of others: the same for the same text and key, so that what is said of one thing still shows as such, and without
 * the key not to be told from chance (HMAC, RFC 2104, with SHA-256).
 */
export class Pseudonyms {
  readonly #key: Uint8Array;
  readonly #known = new Map<string, string>();

  /** `key` is any text; where it is empty, one is made up that is forgotten with this object. */
  constructor(key: string) {
    this.#key = key === '' ? randomBytes(KEY_BYTES) : Buffer.from(key);
  }

  /** `topic-3f9a2b1c04de`. Texts of different kinds have different ones. An empty text stays empty. */
  of(kind: string, text: string): string {
    if (text === '') return '';
    const identity = `${kind}\0${text}`;
    const known = this.#known.get(identity);
    if (known !== undefined) return known;
    const made = `${kind}-${this.#digest(identity).toString('hex').slice(0, DIGITS)}`;
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(identity, made);
    return made;
  }

  /** Of a host name or an IP address, bracketed or not: `host-3f9a2b1c04de`. */
  host(host: string): string {
    return this.of('host', host.replace(/^\[(.*)\]$/, '$1').toLowerCase());
  }

  /** Of an address with a port, which stays: `host-3f9a2b1c04de:9092`. */
  endpoint(endpoint: string): string {
    const [port = ''] = PORT.exec(endpoint) ?? [];
    return this.host(endpoint.slice(0, endpoint.length - port.length)) + port;
  }

  /** As brokers write principals: `User:user-3f9a2b1c04de`. Nobody stays nobody. */
  principal(principal: string): string {
    const [, type = '', name = principal] = /^(\w+:)(.*)$/s.exec(principal) ?? [];
    return name === 'ANONYMOUS' ? principal : type + this.of('user', name);
  }

  /** The sixteen bytes that stand for others. */
  uuid(bytes: Uint8Array): Uint8Array {
    return this.#digest(`uuid\0${Buffer.from(bytes).toString('hex')}`).subarray(0, UUID_BYTES);
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
