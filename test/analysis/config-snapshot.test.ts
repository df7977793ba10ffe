import test from 'ava';
import { ConfigSnapshot, type ResourceAnswer } from '../../src/analysis/config-snapshot.ts';
import type { DescribedConfig } from '../../src/analysis/described.ts';
import { Room } from '../../src/analysis/room.ts';
import { leastRoom } from './least-room.ts';

const TOPIC = 2;

function answer(second: number, configs: Iterable<DescribedConfig>, isWhole = false): ResourceAnswer {
  const at = { capture: 0, number: second, seconds: second, nanos: 0, fine: false };
  return { type: TOPIC, name: 'orders', server: '10.0.0.1:9092', isWhole, configs, at };
}

function config(key: string, value: string): DescribedConfig {
  return { key, value, source: 1, isSensitive: false };
}

function valuesOf(snapshot: ConfigSnapshot): Record<string, string | null> {
  const telling = snapshot.resources.get('orders')?.tellings.get('10.0.0.1:9092');
  return Object.fromEntries([...(telling?.configs ?? [])].map(([key, { value }]) => [key, value]));
}

test('the last answer counts, also where an older one comes late', (t) => {
  const snapshot = new ConfigSnapshot(new Room());
  snapshot.add('orders', answer(1, [config('retention.ms', '1')]));
  snapshot.add('orders', answer(3, [config('retention.ms', '3')]));
  snapshot.add('orders', answer(2, [config('retention.ms', '2'), config('segment.ms', '2')]));
  t.deepEqual(valuesOf(snapshot), { 'retention.ms': '3', 'segment.ms': '2' });
});

test('a whole answer takes away what it does not hold', (t) => {
  const snapshot = new ConfigSnapshot(new Room());
  snapshot.add('orders', answer(1, [config('retention.ms', '1'), config('segment.ms', '1')]));
  snapshot.add('orders', answer(2, [config('segment.ms', '2')], true));
  t.deepEqual(valuesOf(snapshot), { 'segment.ms': '2' });
});

test('configs that there is no room for are counted, and those that are known are followed on', (t) => {
  const many = Array.from({ length: 100 }, (_, i) => config(`key.${i + 100}`, 'a'));
  const enough = leastRoom((room) => droppedOf(new ConfigSnapshot(room), many));
  const snapshot = new ConfigSnapshot(new Room(enough - 1));
  t.is(droppedOf(snapshot, many), 1);
  snapshot.add('orders', answer(3, [config('key.100', 'b')]));
  t.is(snapshot.dropped, 1);
  t.like(valuesOf(snapshot), { 'key.100': 'b', 'key.198': 'a' });
  t.false('key.199' in valuesOf(snapshot));
});

test('what a whole answer takes away gives its room back', (t) => {
  const many = Array.from({ length: 100 }, (_, i) => config(`key.${i + 100}`, 'a'));
  const snapshot = new ConfigSnapshot(new Room(leastRoom((room) => droppedOf(new ConfigSnapshot(room), many))));
  for (let second = 1; second < 10; second++) snapshot.add('orders', answer(second, many, true));
  t.is(snapshot.dropped, 0);
});

function droppedOf(snapshot: ConfigSnapshot, configs: readonly DescribedConfig[]): number {
  snapshot.add('orders', answer(1, configs));
  return snapshot.dropped;
}
