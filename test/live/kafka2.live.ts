import test from 'ava';
import { startKafka2 } from './broker.ts';
import { ALICE_PLAIN, javaClient, librdkafka, nodeClient } from './clients.ts';
import { proveLive } from './proof.ts';

proveLive(test, 'Kafka 2.8.2', () => startKafka2('2.8.2'), [
  { name: 'java-0.11.0.3', client: javaClient('0.11.0.3'), version: 0 },
  // Sends its tokens without a header of Kafka's.
  { name: 'java-0.11.0.3-plain', client: javaClient('0.11.0.3', ALICE_PLAIN), version: 0 },
  { name: 'java-1.1.1', client: javaClient('1.1.1'), version: 1 },
  { name: 'java-2.3.1', client: javaClient('2.3.1'), version: 2 },
  { name: 'java-4.3.0', client: javaClient('4.3.0'), version: 4 },
  { name: 'kafkajs-plain', client: nodeClient('describe-with-kafkajs.js', ALICE_PLAIN), version: 2 },
  { name: 'librdkafka', client: librdkafka(), version: 1, needs: 'python3' },
]);
