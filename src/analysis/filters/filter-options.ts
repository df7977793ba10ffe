/** What is asked for, each in the words of the command line's option. What isn't given holds for all. */
export interface FilterOptions {
  /** Client ids: texts, globs, a /regex/. */
  readonly clientId?: string | undefined;
  /** Addresses, networks, ports. */
  readonly client?: string | undefined;
  readonly server?: string | undefined;
  /** `topic:orders`, `broker:1`, `orders*`. */
  readonly resource?: string | undefined;
  /** Config keys: texts, globs, a /regex/. Other configs are left out, and exchanges without one of these. */
  readonly key?: string | undefined;
  /** Only configs that somebody set. */
  readonly nonDefault?: boolean | undefined;
  /** Codes or names; empty for any error. */
  readonly error?: string | undefined;
  /** `complete`, `partial`, `unanswered`. */
  readonly status?: string | undefined;
  readonly apiVersion?: string | undefined;
  /** `200ms` */
  readonly slowerThan?: string | undefined;
  /** Times (ISO 8601), or offsets from the first packet (`+30s`); `since` belongs to the span, `until` doesn't. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Numbers of TCP connections. */
  readonly stream?: string | undefined;
  /** Times without a zone are local, not UTC. */
  readonly localTime?: boolean | undefined;
}
