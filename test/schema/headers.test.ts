import test from 'ava';
import { apiFacts, isFlexible } from '../../src/schema/api-keys.ts';
import { requestHeaderVersion, responseHeaderVersion } from '../../src/schema/headers.ts';

const table: readonly (readonly [title: string, apiKey: number, version: number, request: number | null, response: number | null])[] = [
  ['DescribeConfigs before flexible versions', 32, 3, 1, 0],
  ['DescribeConfigs from its first flexible version', 32, 4, 2, 1],
  ['a version above the known range: flexible stays flexible', 32, 99, 2, 1],
  ['ApiVersions 2', 18, 2, 1, 0],
  ['ApiVersions 3, whose response must be readable before versions are agreed', 18, 3, 2, 0],
  ['ControlledShutdown 0, which has no client id', 7, 0, 0, 0],
  ['ControlledShutdown 1', 7, 1, 1, 0],
  ['ControlledShutdown 3', 7, 3, 2, 1],
  ['SaslHandshake, never flexible', 17, 99, 1, 0],
  ['Envelope, always flexible', 58, 0, 2, 1],
  ['an unknown API', 12_345, 0, null, null],
];

for (const [title, apiKey, version, request, response] of table) {
  test(`headers of ${title}`, (t) => {
    t.is(requestHeaderVersion(apiKey, version), request);
    t.is(responseHeaderVersion(apiKey, version), response);
  });
}

test('all keys from 0 to 92 are known, and none beyond', (t) => {
  for (let key = 0; key <= 92; key++) t.is(apiFacts(key)?.key, key);
  t.is(apiFacts(-1), null);
  t.is(apiFacts(93), null);
  t.is(isFlexible(93, 0), null);
});

test('the union of versions keeps old and new ones, and what Kafka 4 dropped', (t) => {
  t.like(apiFacts(32), { name: 'DescribeConfigs', lastVersion: 4, flexibleFrom: 4, minimumInKafka4: 1 });
  t.like(apiFacts(1), { name: 'Fetch', lastVersion: 18, flexibleFrom: 12, minimumInKafka4: 4 });
  t.like(apiFacts(4), { name: 'LeaderAndIsr', lastVersion: 7, minimumInKafka4: null });
  t.like(apiFacts(74), { name: 'ListConfigResources', lastVersion: 1 });
});
