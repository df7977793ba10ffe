import test from 'ava';
import { Brokers } from '../../src/analysis/brokers.ts';
import { Room } from '../../src/analysis/room.ts';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import type { Decoded } from '../../src/decode/decoded.ts';
import type { EncodableStruct } from '../../src/encode/encode.ts';
import { MAX_BROKER_ADDRESSES } from '../../src/limits.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { frame, metadata } from './lab.ts';

const schemas = new Schemas();
schemas.add(messages);

function metadataOf(nodes: readonly (readonly [number, string, number])[], clusterId: string | null = 'cluster-a'): Decoded {
  const { version, response } = metadata(0, nodes, clusterId);
  const bytes = frame(3, version, 'response', { correlationId: 1 }, response as EncodableStruct);
  const plan = schemas.plan(3, version, 'response');
  if (plan === null) throw new Error('no plan');
  return decodeFrame(plan, bytes, 0, bytes.length);
}

function brokersOf(...responses: readonly Decoded[]): Brokers {
  const brokers = new Brokers(new Room());
  for (const response of responses) brokers.learn(response);
  return brokers;
}

test('a server that no Metadata names is called by its address', (t) => {
  t.like(new Brokers(new Room()).of('10.0.0.1:9092'), { name: '10.0.0.1:9092', isProvisional: true });
});

const addresses: readonly (readonly [title: string, host: string, server: string])[] = [
  ['an IPv4 address', '10.0.0.1', '10.0.0.1:9092'],
  ['an IPv6 address in any spelling', '2001:DB8:0:0::1', '[2001:db8::1]:9092'],
  ['localhost as IPv4', 'localhost', '127.0.0.1:9092'],
  ['localhost as IPv6', 'localhost', '[::1]:9092'],
];

for (const [title, host, server] of addresses) {
  test(`a node is known by ${title}`, (t) => {
    t.like(brokersOf(metadataOf([[5, host, 9092]])).of(server), { name: '5', clusterId: 'cluster-a', isProvisional: false });
  });
}

test('two listeners of a node are one broker', (t) => {
  const brokers = brokersOf(metadataOf([[1, '10.0.0.1', 9092]]), metadataOf([[1, '10.0.0.1', 9094]]));
  t.is(brokers.of('10.0.0.1:9092').id, brokers.of('10.0.0.1:9094').id);
});

test('nodes with the same number in two clusters are two brokers', (t) => {
  const brokers = brokersOf(metadataOf([[1, '10.0.0.1', 9092]], 'a'), metadataOf([[1, '10.0.0.2', 9092]], 'b'));
  t.not(brokers.of('10.0.0.1:9092').id, brokers.of('10.0.0.2:9092').id);
  t.deepEqual([...brokers.clusterIds], ['a', 'b']);
});

test('host names are not resolved', (t) => {
  t.is(brokersOf(metadataOf([[1, 'kafka-1.example', 9092]])).of('10.0.0.1:9092').name, '10.0.0.1:9092');
});

test("a server that answers for broker N on N's port is N under a name", (t) => {
  const brokers = brokersOf(metadataOf([[1, 'kafka-1.example', 9092]]));
  t.false(brokers.answersFor('10.0.0.1:9093', '1'));
  t.false(brokers.answersFor('10.0.0.1:9092', '2'));
  t.true(brokers.answersFor('10.0.0.1:9092', '1'));
  t.is(brokers.of('10.0.0.1:9092').name, '1');
});

test('an address that moved to another node is called by its new node', (t) => {
  const brokers = brokersOf(metadataOf([[1, '10.0.0.1', 9092]]));
  t.is(brokers.of('10.0.0.1:9092').name, '1');
  t.true(brokers.learn(metadataOf([[2, '10.0.0.1', 9092]])));
  t.is(brokers.of('10.0.0.1:9092').name, '2');
});

test('Metadata without a cluster id is believed until one has it, and overrules nothing', (t) => {
  const brokers = brokersOf(metadataOf([[1, '10.0.0.1', 9092]], null));
  t.like(brokers.of('10.0.0.1:9092'), { name: '1', clusterId: null, isProvisional: true });
  t.true(brokers.learn(metadataOf([[1, '10.0.0.1', 9092]])));
  t.false(brokers.learn(metadataOf([[9, '10.0.0.1', 9092]], null)));
  t.like(brokers.of('10.0.0.1:9092'), { name: '1', clusterId: 'cluster-a' });
});

test('the same Metadata again is no news', (t) => {
  const brokers = brokersOf(metadataOf([[1, '10.0.0.1', 9092]]));
  t.false(brokers.learn(metadataOf([[1, '10.0.0.1', 9092]])));
});

test('as many addresses of brokers are remembered as the limit says', (t) => {
  const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  const brokers = brokersOf(metadataOf(Array.from({ length: MAX_BROKER_ADDRESSES + 1 }, (_, n) => [n, address(n), 9092] as const)));
  t.is(brokers.of(`${address(MAX_BROKER_ADDRESSES - 1)}:9092`).name, `${MAX_BROKER_ADDRESSES - 1}`);
  t.is(brokers.of(`${address(MAX_BROKER_ADDRESSES)}:9092`).name, `${address(MAX_BROKER_ADDRESSES)}:9092`);
});

test('as many clusters are remembered as the limit says', (t) => {
  const brokers = new Brokers(new Room());
  for (let n = 0; n < MAX_BROKER_ADDRESSES; n++) brokers.learn(metadataOf([], `cluster-${n}`));
  t.is(brokers.clusterIds.size, MAX_BROKER_ADDRESSES);
  brokers.learn(metadataOf([[1, '10.0.0.1', 9092]], 'one-more'));
  t.false(brokers.clusterIds.has('one-more'));
  t.true(brokers.of('10.0.0.1:9092').isProvisional);
});

test('a cluster that there is no room for is not remembered', (t) => {
  const brokers = new Brokers(new Room(1000));
  brokers.learn(metadataOf([[1, '10.0.0.1', 9092]], 'x'.repeat(501)));
  t.is(brokers.clusterIds.size, 0);
  brokers.learn(metadataOf([], 'x'.repeat(500)));
  t.is(brokers.clusterIds.size, 1);
});
