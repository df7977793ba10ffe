import { text } from 'node:stream/consumers';
import kafkajs from 'kafkajs';

const { bootstrap, clientId, sasl, topics, broker, create = false, againAtEndOfInput = false } = JSON.parse(process.argv[2]);
const { Kafka, ConfigResourceTypes, logLevel } = kafkajs;

const kafka = new Kafka({ clientId, brokers: [bootstrap], ...(sasl && { sasl }), logLevel: logLevel.ERROR });
const admin = kafka.admin();
await admin.connect();
if (create) {
  await admin.createTopics({
    waitForLeaders: true,
    topics: topics.map((topic) => ({ topic, numPartitions: 1, configEntries: [{ name: 'retention.ms', value: '86400000' }] })),
  });
}
const resources = [
  ...topics.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
  { type: ConfigResourceTypes.BROKER, name: broker, configNames: ['log.retention.hours', 'ssl.keystore.password'] },
];
await describe();
if (againAtEndOfInput) {
  await text(process.stdin);
  await describe();
}
await admin.disconnect();

async function describe() {
  // A refusal is an answer, too: the broker's log says what it was.
  await admin.describeConfigs({ resources, includeSynonyms: true }).catch((error) => console.error(error.message));
}
