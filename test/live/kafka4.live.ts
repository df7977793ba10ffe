import test from 'ava';
import { startKafka4 } from './broker.ts';
import { ALICE_PLAIN, ALICE_SCRAM, BOB_SCRAM, javaClient, kafkaConfigs, librdkafka, nodeClient } from './clients.ts';
import { proveLive } from './proof.ts';

proveLive(test, 'Kafka 4.3.0', () => startKafka4('4.3.0'), [
  { name: 'java-4.3.0', client: javaClient('4.3.0'), version: 4 },
  { name: 'java-4.3.0-plain', client: javaClient('4.3.0', ALICE_PLAIN), version: 4 },
  { name: 'java-2.7.2-scram', client: javaClient('2.7.2', ALICE_SCRAM), version: 3 },
  { name: 'kafka-configs', client: kafkaConfigs('4.3.0'), version: 4 },
  { name: 'kafkajs', client: nodeClient('describe-with-kafkajs.js'), version: 2 },
  { name: 'kafkajs-refused', client: nodeClient('describe-with-kafkajs.js', BOB_SCRAM), version: 2 },
  { name: 'platformatic', client: nodeClient('describe-with-platformatic.js'), version: 4 },
  { name: 'platformatic-scram', client: nodeClient('describe-with-platformatic.js', ALICE_SCRAM), version: 4 },
  { name: 'librdkafka-scram', client: librdkafka(ALICE_SCRAM), version: 1, needs: 'python3' },
]);
