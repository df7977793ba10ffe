/**
 * Broker configs that a topic's config falls back on, the first that is set before the others: Kafka's `ServerTopicConfigSynonyms` (server-common,
 * trunk of 2025), with those that older releases had (`LogConfig.TopicConfigSynonyms` of 2.8: down-conversion, the message format and the
 * timestamp difference). Topic configs that aren't here have no broker's config (`LogConfig.CONFIGS_WITH_NO_SERVER_DEFAULTS`).
 */
const brokerKeysOfTopicKey: ReadonlyMap<string, readonly string[]> = new Map([
  ['cleanup.policy', ['log.cleanup.policy']],
  ['compression.gzip.level', ['compression.gzip.level']],
  ['compression.lz4.level', ['compression.lz4.level']],
  ['compression.type', ['compression.type']],
  ['compression.zstd.level', ['compression.zstd.level']],
  ['delete.retention.ms', ['log.cleaner.delete.retention.ms']],
  ['file.delete.delay.ms', ['log.segment.delete.delay.ms']],
  ['flush.messages', ['log.flush.interval.messages']],
  ['flush.ms', ['log.flush.interval.ms', 'log.flush.scheduler.interval.ms']],
  ['index.interval.bytes', ['log.index.interval.bytes']],
  ['local.retention.bytes', ['log.local.retention.bytes']],
  ['local.retention.ms', ['log.local.retention.ms']],
  ['max.compaction.lag.ms', ['log.cleaner.max.compaction.lag.ms']],
  ['max.message.bytes', ['message.max.bytes']],
  ['message.downconversion.enable', ['log.message.downconversion.enable']],
  ['message.format.version', ['log.message.format.version']],
  ['message.timestamp.after.max.ms', ['log.message.timestamp.after.max.ms']],
  ['message.timestamp.before.max.ms', ['log.message.timestamp.before.max.ms']],
  ['message.timestamp.difference.max.ms', ['log.message.timestamp.difference.max.ms']],
  ['message.timestamp.type', ['log.message.timestamp.type']],
  ['min.cleanable.dirty.ratio', ['log.cleaner.min.cleanable.ratio']],
  ['min.compaction.lag.ms', ['log.cleaner.min.compaction.lag.ms']],
  ['min.insync.replicas', ['min.insync.replicas']],
  ['preallocate', ['log.preallocate']],
  ['retention.bytes', ['log.retention.bytes']],
  ['retention.ms', ['log.retention.ms', 'log.retention.minutes', 'log.retention.hours']],
  ['segment.bytes', ['log.segment.bytes']],
  ['segment.index.bytes', ['log.index.size.max.bytes']],
  ['segment.jitter.ms', ['log.roll.jitter.ms', 'log.roll.jitter.hours']],
  ['segment.ms', ['log.roll.ms', 'log.roll.hours']],
  ['unclean.leader.election.enable', ['unclean.leader.election.enable']],
]);

const ROLL = ['log.roll.ms', 'log.roll.hours'];
const ROLL_JITTER = ['log.roll.jitter.ms', 'log.roll.jitter.hours'];
const RETENTION = ['log.retention.ms', 'log.retention.minutes', 'log.retention.hours'];

/** Names under which the same broker config may be set, the first that is set before the others (`DynamicBrokerConfig.brokerConfigSynonyms`). */
const brokerSynonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ...ROLL.map((key) => [key, ROLL] as const),
  ...ROLL_JITTER.map((key) => [key, ROLL_JITTER] as const),
  ...RETENTION.map((key) => [key, RETENTION] as const),
  ['log.flush.interval.ms', ['log.flush.interval.ms', 'log.flush.scheduler.interval.ms']],
]);

/** A config of one listener falls back on that of all (KIP-103); a SASL mechanism's prefix is no part of the latter's name. */
const LISTENER_CONFIG = /^listener\.name\.[^.]+\.(.+)$/;
const MECHANISM_CONFIGS: readonly string[] = [
  'connections.max.reauth.ms',
  'sasl.jaas.config',
  'sasl.login.callback.handler.class',
  'sasl.login.class',
  'sasl.server.callback.handler.class',
];

const TOPIC = 2;
const BROKER = 4;

/**
 * The broker configs that a config of a resource falls back on, where its resource sets none: those of the broker, and of all brokers
 * (the broker resource without a name). For a broker's own config these are configs of all brokers, its own name among them.
 */
export function fallbackKeys(resourceType: number, key: string): readonly string[] {
  if (resourceType === TOPIC) return brokerKeysOfTopicKey.get(key) ?? [];
  if (resourceType !== BROKER) return [];
  const listener = LISTENER_CONFIG.exec(key)?.[1];
  if (listener === undefined) return brokerSynonyms.get(key) ?? [key];
  return [key, MECHANISM_CONFIGS.find((name) => listener.endsWith(`.${name}`)) ?? listener];
}
