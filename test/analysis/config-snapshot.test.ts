import test from 'ava';
import { ConfigSnapshot, type ResourceAnswer } from '../../src/analysis/config-snapshot.ts';
import type { DescribedConfig } from '../../src/analysis/described.ts';
import { MAX_FOLLOWED_CONFIGS } from '../../src/limits.ts';

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
  const snapshot = new ConfigSnapshot();
  snapshot.add('orders', answer(1, [config('retention.ms', '1')]));
  snapshot.add('orders', answer(3, [config('retention.ms', '3')]));
  snapshot.add('orders', answer(2, [config('retention.ms', '2'), config('segment.ms', '2')]));
  t.deepEqual(valuesOf(snapshot), { 'retention.ms': '3', 'segment.ms': '2' });
});

test('a whole answer takes away what it does not hold', (t) => {
  const snapshot = new ConfigSnapshot();
  snapshot.add('orders', answer(1, [config('retention.ms', '1'), config('segment.ms', '1')]));
  snapshot.add('orders', answer(2, [config('segment.ms', '2')], true));
  t.deepEqual(valuesOf(snapshot), { 'segment.ms': '2' });
});

test('configs beyond the limit are counted, and those that are known are followed on', (t) => {
  const snapshot = new ConfigSnapshot();
  const many = Array.from({ length: MAX_FOLLOWED_CONFIGS + 1 }, (_, i) => config(`key.${i}`, 'a'));
  snapshot.add('orders', answer(1, many.slice(0, -1)));
  t.is(snapshot.dropped, 0);
  snapshot.add('orders', answer(2, many));
  t.is(snapshot.dropped, 1);
  snapshot.add('orders', answer(3, [config('key.0', 'b')]));
  t.is(snapshot.dropped, 1);
  t.is(valuesOf(snapshot)['key.0'], 'b');
});
