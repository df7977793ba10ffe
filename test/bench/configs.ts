import type { StructValue } from '../../src/decode/values.ts';
import { Random } from './random.ts';

/** A resource whose configs are described. */
export interface Described {
  readonly resourceType: number;
  readonly resourceName: string;
}

export const ResourceType = { topic: 2, broker: 4 } as const;

/** How many configs a topic and a broker of Kafka 4 have. */
const TOPIC_CONFIGS = 33;
const BROKER_CONFIGS = 270;
/** Every so many configs one is a secret. */
const SECRET_EVERY = 40;

const SUBJECTS = [
  'log',
  'replica',
  'message',
  'segment',
  'socket',
  'controller',
  'transaction',
  'offsets',
  'group',
  'sasl',
  'metric',
  'quota',
];
const PARTS = ['retention', 'cleanup', 'flush', 'index', 'interval', 'max', 'min', 'fetch', 'compaction', 'lag', 'buffer', 'timeout'];
const UNITS = ['ms', 'bytes', 'policy', 'ratio', 'enable', 'count', 'size'];
const VALUES = ['delete', 'true', 'false', '604800000', '1073741824', '-1', 'producer', '0.5', ''];
const WORDS =
  'the a time that broker will wait before it deletes old data when this is set to true then no more than one replica can be behind ' +
  'leader configuration controls maximum size of segment file which retention applies to all topics without an override of their own if';

/** Configs as a broker answers with all keys, synonyms and documentation. Every version takes what it knows of them. */
export function configsOf({ resourceType }: Described, random: Random): StructValue[] {
  const count = resourceType === ResourceType.topic ? TOPIC_CONFIGS : BROKER_CONFIGS;
  return Array.from({ length: count }, (_, index) => config(index, random));
}

function config(index: number, random: Random): StructValue {
  const name = `${SUBJECTS[index % SUBJECTS.length]}.${PARTS[Math.floor(index / 3) % PARTS.length]}.${UNITS[index % UNITS.length]}`;
  const isSensitive = index % SECRET_EVERY === SECRET_EVERY - 1;
  const dynamic = random.below(10) === 0;
  const usual = VALUES[index % VALUES.length] ?? '';
  const value = isSensitive ? null : dynamic ? random.pick(VALUES) : usual;
  const synonym = { name: `log.${name}`, value: isSensitive ? null : usual, source: 5 };
  return {
    name,
    value,
    readOnly: false,
    isDefault: !dynamic,
    configSource: dynamic ? 1 : 5,
    isSensitive,
    synonyms: dynamic ? [{ name, value, source: 1 }, synonym] : [synonym],
    configType: 1 + (index % 9),
    documentation: sentence(new Random(index)),
  };
}

/** Text of the length that documentation has, the same for a config wherever it is, with what JSON must escape now and then. */
function sentence(random: Random): string {
  const words = WORDS.split(' ');
  const text = Array.from({ length: 10 + random.below(70) }, () => random.pick(words)).join(' ');
  return random.below(4) === 0 ? `${text} (see <code>"${random.pick(words)}"</code>).` : `${text}.`;
}
