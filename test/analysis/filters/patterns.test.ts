import test from 'ava';
import fc from 'fast-check';
import { parseEndpoints } from '../../../src/analysis/filters/address-pattern.ts';
import { parseErrors } from '../../../src/analysis/filters/error-codes.ts';
import { parseNumbers } from '../../../src/analysis/filters/number-ranges.ts';
import { parseTexts } from '../../../src/analysis/filters/pattern.ts';
import { parseResources } from '../../../src/analysis/filters/resource-pattern.ts';
import { FilterError } from '../../../src/errors.ts';

const texts: readonly (readonly [asked: string, taken: readonly string[], refused: readonly string[]])[] = [
  ['orders', ['orders'], ['orders2', 'my-orders', 'Orders', '']],
  ['retention.*', ['retention.ms', 'retention.'], ['retentionXms', 'log.retention.ms']],
  ['a?c', ['abc', 'a.c', 'a😀c'], ['ac', 'abbc']],
  ['*', ['', 'anything', 'two\nlines'], []],
  ['a.b+(c)', ['a.b+(c)'], ['aXb+(c)', 'a.bb(c)']],
  ['orders, clicks', ['orders', 'clicks'], ['orders, clicks', 'payments']],
  ['/^app-[0-9]+$/', ['app-1', 'app-22'], ['app-', 'my-app-1']],
  ['/a,b/', ['a,b'], ['a', 'b']],
  ['/ORDERS/i', ['my-orders'], ['clicks']],
  ['', [''], ['a']],
];

for (const [asked, taken, refused] of texts) {
  test(`the text "${asked}" takes what it says and no more`, (t) => {
    const isAsked = parseTexts('--key', asked);
    t.deepEqual(
      taken.filter((text) => !isAsked(text)),
      [],
    );
    t.deepEqual(
      refused.filter((text) => isAsked(text)),
      [],
    );
  });
}

test('a text without wildcards takes itself alone', (t) => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (asked, other) => {
      fc.pre(!/^\/.*\/[a-z]*$|[*?,]/s.test(asked) && asked.trim() === asked);
      t.is(parseTexts('--key', asked)(asked), true);
      t.is(parseTexts('--key', asked)(other), asked === other);
    }),
  );
});

test('a regular expression that remembers where it stopped is refused', (t) => {
  t.throws(() => parseTexts('--key', '/a/g'), { instanceOf: FilterError, message: /flags/ });
});

const endpoints: readonly (readonly [asked: string, taken: readonly string[], refused: readonly string[]])[] = [
  ['10.0.0.2', ['10.0.0.2:9092', '10.0.0.2:1'], ['10.0.0.20:9092', '[::1]:9092']],
  ['10.0.0.2:9092', ['10.0.0.2:9092'], ['10.0.0.2:9093', '10.0.0.3:9092']],
  ['10.0.0.0/8', ['10.255.0.1:1'], ['11.0.0.1:1', '[2001:db8::1]:1']],
  ['10.0.0.0/8:9092', ['10.1.1.1:9092'], ['10.1.1.1:9093']],
  ['10.0.0.1/32', ['10.0.0.1:5'], ['10.0.0.2:5']],
  ['0.0.0.0/0', ['1.2.3.4:5'], ['[::1]:5']],
  ['9092', ['10.0.0.2:9092', '[::1]:9092'], ['10.0.0.2:19092']],
  [':9092', ['10.0.0.2:9092'], ['10.0.0.2:909']],
  ['2001:db8::1', ['[2001:db8::1]:9092'], ['[2001:db8::2]:9092']],
  ['2001:0DB8:0:0::1', ['[2001:db8::1]:9092'], ['[2001:db8::2]:9092']],
  ['[2001:db8::1]', ['[2001:db8::1]:9092'], ['[2001:db8::2]:9092']],
  ['[2001:db8::1]:9092', ['[2001:db8::1]:9092'], ['[2001:db8::1]:9093']],
  ['2001:db8::/32', ['[2001:db8:ffff::1]:1'], ['[2001:db9::1]:1', '10.0.0.1:1']],
  ['[2001:db8::/32]:9092', ['[2001:db8::7]:9092'], ['[2001:db8::7]:9093']],
  ['::ffff:10.0.0.2', ['10.0.0.2:1', '[::ffff:10.0.0.2]:1'], ['10.0.0.3:1']],
  ['10.0.0.2,:9094', ['10.0.0.2:1', '9.9.9.9:9094'], ['9.9.9.9:1']],
];

for (const [asked, taken, refused] of endpoints) {
  test(`the endpoint ${asked} takes what it says and no more`, (t) => {
    const isAsked = parseEndpoints('--server', asked);
    for (let round = 0; round < 2; round++) {
      t.deepEqual(
        taken.filter((endpoint) => !isAsked(endpoint)),
        [],
      );
      t.deepEqual(
        refused.filter((endpoint) => isAsked(endpoint)),
        [],
      );
    }
  });
}

const TOPIC = 2;
const BROKER = 4;
const GROUP = 32;

const resources: readonly (readonly [
  asked: string,
  taken: readonly (readonly [number, string])[],
  refused: readonly (readonly [number, string])[],
])[] = [
  [
    'topic:orders',
    [[TOPIC, 'orders']],
    [
      [GROUP, 'orders'],
      [TOPIC, 'orders2'],
    ],
  ],
  ['TOPIC:orders', [[TOPIC, 'orders']], [[GROUP, 'orders']]],
  ['2:orders', [[TOPIC, 'orders']], [[GROUP, 'orders']]],
  [
    'broker:1',
    [[BROKER, '1']],
    [
      [BROKER, '11'],
      [TOPIC, '1'],
      [8, '1'],
    ],
  ],
  ['broker:', [[BROKER, '']], [[BROKER, '1']]],
  ['broker-logger:1', [[8, '1']], [[BROKER, '1']]],
  ['broker_logger:*', [[8, '1']], [[BROKER, '1']]],
  [
    'orders*',
    [
      [TOPIC, 'orders'],
      [GROUP, 'orders-app'],
    ],
    [[TOPIC, 'my-orders']],
  ],
  ['/^(a|b),c$/', [[TOPIC, 'a,c']], [[TOPIC, 'a']]],
  [
    'group:/^app:[0-9]$/',
    [[GROUP, 'app:1']],
    [
      [GROUP, 'app'],
      [TOPIC, 'app:1'],
    ],
  ],
  ['group:a:b', [[GROUP, 'a:b']], [[GROUP, 'a']]],
  [
    'topic:orders,broker:1',
    [
      [TOPIC, 'orders'],
      [BROKER, '1'],
    ],
    [[TOPIC, '1']],
  ],
  ['99:x', [[99, 'x']], [[TOPIC, 'x']]],
];

for (const [asked, taken, refused] of resources) {
  test(`the resource ${asked} takes what it says and no more`, (t) => {
    const isAsked = parseResources('--resource', asked);
    t.deepEqual(
      taken.filter(([type, name]) => !isAsked({ type, name })),
      [],
    );
    t.deepEqual(
      refused.filter(([type, name]) => isAsked({ type, name })),
      [],
    );
  });
}

const codes: readonly (readonly [asked: string, taken: readonly number[], refused: readonly number[]])[] = [
  ['', [29, -1, 9999], [0]],
  ['any', [29, -1], [0]],
  ['29', [29], [30, 0]],
  ['topic_authorization_failed', [29], [30]],
  ['NONE', [0], [29]],
  ['-1', [-1], [1]],
  ['29,CLUSTER_AUTHORIZATION_FAILED', [29, 31], [30]],
  ['9999', [9999], [29]],
];

for (const [asked, taken, refused] of codes) {
  test(`the error "${asked}" takes what it says and no more`, (t) => {
    const isAsked = parseErrors('--error', asked);
    t.deepEqual(
      taken.filter((code) => !isAsked(code)),
      [],
    );
    t.deepEqual(
      refused.filter((code) => isAsked(code)),
      [],
    );
  });
}

test('numbers may be ranges and lists', (t) => {
  const isAsked = parseNumbers('--stream', '0-2, 5');
  t.deepEqual([0, 1, 2, 3, 4, 5, 6].filter(isAsked), [0, 1, 2, 5]);
});

const mistakes: readonly (readonly [(option: string, text: string) => unknown, asked: string, message: RegExp])[] = [
  [parseTexts, '/(/', /--it \/\(\/ is no regular expression.*Unterminated group/],
  [parseEndpoints, 'kafka.example', /--it takes an address, a network or a port, as in 10\.0\.0\.2.*not kafka\.example/],
  [parseEndpoints, '10.0.0.0/33', /an IPv4 network has 0 to 32 bits/],
  [parseEndpoints, '2001:db8::/129', /an IPv6 network has 0 to 128 bits/],
  [parseEndpoints, '10.0.0.0/x', /0 to 32 bits/],
  [parseEndpoints, '010.0.0.1', /takes an address/],
  [parseEndpoints, '10.1', /takes an address/],
  [parseEndpoints, '10.0.0.300', /takes an address/],
  [parseEndpoints, '99999', /ports go up to 65535, not 99999/],
  [parseEndpoints, '10.0.0.1:99999', /ports go up to 65535/],
  [parseEndpoints, '', /takes an address/],
  [parseResources, 'topics:orders', /there is no resource type topics; known are topic, broker, broker-logger, client-metrics, group/],
  [parseResources, 'topic:', /topic: lacks a name; topic:\* is all of them/],
  [parseResources, '', /takes a resource/],
  [parseErrors, 'TOPIC_AUTH', /there is no error TOPIC_AUTH.*perhaps TOPIC_AUTHORIZATION_FAILED/],
  [parseErrors, 'nope!', /there is no error nope!.*as in 29 or TOPIC_AUTHORIZATION_FAILED/],
  [parseErrors, '40000', /there is no error 40000/],
  [parseNumbers, '3-1', /whole numbers from 0 and ranges of them, as in 3 or 0-2,4, not 3-1/],
  [parseNumbers, 'x', /whole numbers/],
];

for (const [parse, asked, message] of mistakes) {
  test(`${parse.name} says what would be right in place of "${asked}"`, (t) => {
    t.throws(() => parse('--it', asked), { instanceOf: FilterError, message });
  });
}
