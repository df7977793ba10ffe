import type { KafkaConnection } from '../kafka/exchange.ts';
import type { Software } from '../records/rows.ts';
import { isLastToken, readFirstToken, type SaslToken } from './sasl.ts';

/** Who brokers take a client for that didn't authenticate. */
const ANONYMOUS = 'User:ANONYMOUS';

/** What is known of one connection's client: its software, and whom the broker takes it for. */
export class Session {
  software: Software | null = null;
  /** Of the last request. */
  clientId: Uint8Array | null = null;
  readonly #fromStart: boolean;
  /** Bytes were missing before anything showed that the client needn't authenticate. */
  #mayHaveMissed = false;
  #isServed = false;
  #usesSasl = false;
  #mechanism: string | null = null;
  #token: SaslToken | null = null;
  /** The token had no Kafka header: that the broker goes on serving is how success shows. */
  #isBare = false;
  #user: string | null = null;

  constructor({ fromStart }: KafkaConnection) {
    this.#fromStart = fromStart;
  }

  /** As brokers write it; null where it isn't known. */
  get principal(): string | null {
    if (this.#usesSasl) return this.#user === null ? null : `User:${this.#user}`;
    return this.#fromStart && !this.#mayHaveMissed ? ANONYMOUS : null;
  }

  /** Bytes of the connection are missing. */
  gap(): void {
    if (!this.#isServed) this.#mayHaveMissed = true;
  }

  /** A request that needs no SASL of its own was answered. */
  served(): void {
    this.#isServed = true;
    if (this.#isBare) this.#succeed();
  }

  handshake(mechanism: string | null): void {
    this.#usesSasl = true;
    this.#mechanism = mechanism;
    this.#token = null;
    this.#isBare = false;
  }

  /** A client's token without Kafka header. Returns whether it exposes a secret. */
  bareToken(token: Buffer): boolean {
    this.#usesSasl = true;
    this.#isBare = true;
    return this.#firstToken(token);
  }

  /** A SaslAuthenticate; `answer` is null where the response is missing or an error. Returns whether the request exposes a secret. */
  authenticate(token: Buffer, answer: Buffer | null): boolean {
    this.#usesSasl = true;
    const exposesSecret = this.#firstToken(token);
    if (answer !== null && isLastToken(this.#mechanism, answer)) this.#succeed();
    return exposesSecret;
  }

  #firstToken(token: Buffer): boolean {
    if (this.#token !== null) return false;
    this.#token = readFirstToken(this.#mechanism, token);
    return this.#token.exposesSecret;
  }

  /** Authenticating again may change the user. */
  #succeed(): void {
    this.#user = this.#token?.user ?? null;
    this.#token = null;
    this.#isBare = false;
  }
}

/** The sessions of all connections; one is forgotten with its connection. */
export class Sessions {
  readonly #sessions = new WeakMap<KafkaConnection, Session>();

  of(connection: KafkaConnection): Session {
    let session = this.#sessions.get(connection);
    if (session === undefined) {
      session = new Session(connection);
      this.#sessions.set(connection, session);
    }
    return session;
  }
}
