import test from 'ava';
import { fallbackKeys } from '../../src/analysis/config-synonyms.ts';

const TOPIC = 2;
const BROKER = 4;
const GROUP = 32;

const cases: readonly (readonly [type: number, key: string, fallbacks: readonly string[]])[] = [
  [TOPIC, 'retention.ms', ['log.retention.ms', 'log.retention.minutes', 'log.retention.hours']],
  [TOPIC, 'max.message.bytes', ['message.max.bytes']],
  [TOPIC, 'min.insync.replicas', ['min.insync.replicas']],
  [TOPIC, 'segment.ms', ['log.roll.ms', 'log.roll.hours']],
  [TOPIC, 'min.cleanable.dirty.ratio', ['log.cleaner.min.cleanable.ratio']],
  [TOPIC, 'remote.storage.enable', []],
  [BROKER, 'message.max.bytes', ['message.max.bytes']],
  [BROKER, 'log.retention.ms', ['log.retention.ms', 'log.retention.minutes', 'log.retention.hours']],
  [BROKER, 'log.flush.scheduler.interval.ms', ['log.flush.scheduler.interval.ms']],
  [BROKER, 'listener.name.external.ssl.keystore.location', ['listener.name.external.ssl.keystore.location', 'ssl.keystore.location']],
  [
    BROKER,
    'listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config',
    ['listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config', 'sasl.jaas.config'],
  ],
  [GROUP, 'consumer.session.timeout.ms', []],
];

for (const [type, key, fallbacks] of cases) {
  test(`type ${type}: ${key} falls back on ${fallbacks.join(', ') || 'nothing'}`, (t) => {
    t.deepEqual(fallbackKeys(type, key), fallbacks);
  });
}
