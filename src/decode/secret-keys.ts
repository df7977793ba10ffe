/**
 * Config keys whose values are secret: Kafka's own configs of type PASSWORD, with or without a listener's prefix, and what other software
 * calls secrets by its key's last words. Only the end of a key counts: `password.encoder.iterations` is none.
 */
const SECRET_KEYS: readonly RegExp[] = [
  /(^|[._-])(password|passwd|passphrase|secret|secrets|token|credential|credentials)$/i,
  /(^|[._-])(secret|master|private|access|api|encryption)[._-]?key$/i,
  /(^|\.)jaas\.config$/i,
  /(^|\.)(keystore\.key|keystore\.certificate\.chain|truststore\.certificates)$/i,
  /(^|\.)basic\.auth\.user\.info$/i,
];

/** Whether the value of a config with this key must not be shown. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEYS.some((pattern) => pattern.test(key));
}
