import test from 'ava';
import { Chalk } from 'chalk';
import fc from 'fast-check';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { type EncodableStruct, encodeFrame, rawTags } from '../../src/encode/encode.ts';
import type { DecodedExchange } from '../../src/kafka/decoded-exchange.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { createTheme } from '../../src/output/theme.ts';
import { type TreeOptions, TreePrinter } from '../../src/output/tree.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { exchangeOf, requestBody, requestFrame, responseBody, responseFrame } from './exchanges.ts';
import { matchesGolden } from './golden.ts';

function treeOf(
  exchanges: DecodedExchange | readonly DecodedExchange[],
  options: Partial<TreeOptions> & { level?: 0 | 1 | 2 } = {},
): string {
  const { level = 0, ...rest } = options;
  const out = new ByteBuffer();
  const theme = createTheme(new Chalk({ level }));
  const printer = new TreePrinter(out, {
    width: null,
    full: false,
    about: true,
    depth: null,
    hex: false,
    showSecrets: false,
    theme,
    ...rest,
  });
  for (const exchange of [exchanges].flat()) printer.print(exchange);
  return Buffer.from(out.view()).toString();
}

/** The line of the first node of that name, without guides. */
function lineOf(tree: string, name: string): string | undefined {
  return tree
    .split('\n')
    .map((line) => line.replace(/^[| ]*\+-- /, ''))
    .find((line) => line.startsWith(`${name} `));
}

function withTrailing(frame: Uint8Array, ...extra: number[]): Uint8Array {
  const longer = Buffer.from([...frame, ...extra]);
  longer.writeInt32BE(longer.length - 4);
  return longer;
}

for (const version of [0, 1, 2, 3, 4]) {
  test(`an exchange of version ${version} prints as its golden tree`, (t) => {
    matchesGolden(t, `tree-v${version}`, treeOf(exchangeOf({ version })));
  });
}

const goldenCases: readonly (readonly [string, string, () => string])[] = [
  ['a response cut in the middle of a field ends with what is missing', 'tree-partial', () => treeOf(partial())],
  ['a response that contradicts the schema ends with where and why', 'tree-malformed', () => treeOf(malformed())],
  ['a request without a response says so', 'tree-unanswered', () => treeOf(exchangeOf({ response: null, reason: 'connection-reset' }))],
  ['a version without a schema says so', 'tree-unsupported', () => treeOf(unsupported())],
  [
    'bytes behind a body are shown',
    'tree-trailing',
    () => treeOf(exchangeOf({ request: withTrailing(requestFrame(4, requestBody), 0, 0xff) })),
  ],
  ['lines are cut to the width of a terminal', 'tree-80-columns', () => treeOf(exchangeOf(), { width: 80 })],
  ['lines deeper than the depth fold into their parents', 'tree-depth-2', () => treeOf(exchangeOf(), { depth: 2 })],
  ['a depth of 0 leaves the messages', 'tree-depth-0', () => treeOf(exchangeOf(), { depth: 0 })],
  ['meanings can be left out', 'tree-no-about', () => treeOf(exchangeOf(), { about: false })],
  ['the byte layout follows each tree', 'tree-hex', () => treeOf([exchangeOf(), partial()], { hex: true, depth: 1 })],
  ['colours wrap what they colour', 'tree-colour', () => treeOf(exchangeOf({ version: 1 }), { level: 1 }).replaceAll('\u001b', '<ESC>')],
];

for (const [title, name, tree] of goldenCases) {
  test(title, (t) => {
    matchesGolden(t, name, tree());
  });
}

function partial(): DecodedExchange {
  return exchangeOf({ response: responseFrame(4, responseBody).subarray(0, 120), reason: 'gap' });
}

function malformed(): DecodedExchange {
  const frame = Uint8Array.from(responseFrame(4, responseBody));
  // The resource's name becomes null, which the schema forbids.
  frame[0x12] = 0;
  return exchangeOf({ response: frame, reason: 'malformed' });
}

function unsupported(): DecodedExchange {
  return exchangeOf({ version: 5, request: requestFrame(4, requestBody), response: null, reason: 'version-unsupported' });
}

test('the first line says who, when, what and how long', (t) => {
  const [line] = treeOf(exchangeOf()).split('\n');
  t.is(line, '2026-11-29T17:05:00.123456Z  10.0.0.1:51234 → 10.0.0.2:9092  DescribeConfigs v4  correlation 7  client "adm"  1.234 ms');
});

const firstLines: readonly (readonly [string, DecodedExchange, string])[] = [
  [
    'no time',
    exchangeOf({ time: { seconds: Number.NaN } }),
    'time unknown  10.0.0.1:51234 → 10.0.0.2:9092  DescribeConfigs v4  correlation 7  client "adm"',
  ],
  ['no client id', exchangeOf({ clientId: null }), '  client null  1.234 ms'],
  ['an empty client id', exchangeOf({ clientId: '' }), '  client ""  1.234 ms'],
  [
    'a hostile client id',
    exchangeOf({ clientId: Buffer.from('\u001b[2J\u202e"\xff', 'latin1') }),
    '  client "\\u001b[2J.\\"\\xff"  1.234 ms',
  ],
  ['a long client id', exchangeOf({ clientId: 'x'.repeat(300) }), `  client "${'x'.repeat(62)}"…+238B  1.234 ms`],
  ['no answer', exchangeOf({ response: null, reason: 'capture-ended' }), '  client "adm"  unanswered: capture ended'],
  ['a reset', exchangeOf({ response: null, reason: 'connection-reset' }), '  client "adm"  unanswered: connection reset'],
];

for (const [title, exchange, ending] of firstLines) {
  test(`the first line with ${title}`, (t) => {
    const [line] = treeOf(exchange).split('\n');
    t.true(line?.endsWith(ending), line);
  });
}

test('a nanosecond capture prints nanoseconds', (t) => {
  const [line] = treeOf(exchangeOf({ time: { fine: true } })).split('\n');
  t.regex(line ?? '', /^2026-11-29T17:05:00\.123456000Z .* 1\.234000 ms$/);
});

test('a request of version 1 with keys prints as the contract has it', (t) => {
  const request = requestFrame(1, {
    resources: [{ resourceType: 2, resourceName: 'orders', configurationKeys: ['retention.ms', 'cleanup.policy'] }],
    includeSynonyms: true,
  });
  const lines = treeOf(exchangeOf({ version: 1, request, response: null, reason: 'capture-ended' }))
    .split('\n')
    .slice(1, -2);
  t.deepEqual(lines, [
    'DescribeConfigsRequest message v1 [0x0000, 65B]',
    '+-- Frame [0x0000, 4B] length-delimited framing',
    '|   +-- size int32 = 61 [0x0000, 4B] number of bytes that follow',
    '+-- RequestHeader v1 [0x0004, 13B] common request header',
    '|   +-- request_api_key int16 = 32 (DescribeConfigs) [0x0004, 2B] numeric id of the API being invoked',
    '|   +-- request_api_version int16 = 1 [0x0006, 2B] version of the API being invoked',
    '|   +-- correlation_id int32 = 7 [0x0008, 4B] echoed back by the broker in the response',
    '|   +-- client_id nullable_string = "adm" (int16 len=3) [0x000c, 5B] always a non-flexible int16-prefixed string',
    '+-- DescribeConfigsRequest struct [0x0011, 48B] message body, version 1',
    '    +-- Resources []DescribeConfigsResource = 1 element [0x0011, 47B] The resources whose configurations we want to describe.',
    '    |   +-- length int32 = 1 [0x0011, 4B] 1 element follows',
    '    |   +-- DescribeConfigsResource[0] DescribeConfigsResource = struct [0x0015, 43B]',
    '    |       +-- ResourceType int8 = 2 (TOPIC) [0x0015, 1B] The resource type.',
    '    |       +-- ResourceName string = "orders" (int16 len=6) [0x0016, 8B] The resource name.',
    '    |       +-- ConfigurationKeys []string = 2 elements [0x001e, 34B] The configuration keys to list, or null to list all configuration keys.',
    '    |           +-- length int32 = 2 [0x001e, 4B] 2 elements follow',
    '    |           +-- string[0] string = "retention.ms" (int16 len=12) [0x0022, 14B]',
    '    |           +-- string[1] string = "cleanup.policy" (int16 len=14) [0x0030, 16B]',
    '    +-- IncludeSynonyms bool = true [0x0040, 1B] True if we should include all synonyms.',
  ]);
});

test('a config of version 4 with an unknown tag ends as the contract has it', (t) => {
  const config = {
    name: 'retention.ms',
    value: '1',
    readOnly: false,
    configSource: 1,
    isSensitive: false,
    synonyms: [{ name: 'retention.ms', value: '1', source: 1 }],
    configType: 5,
    documentation: null,
    [rawTags]: [{ tag: 5, content: Buffer.from('deadbe', 'hex') }],
  };
  // The name is as long as it takes to put the config's type at 0x004f.
  const before = responseFrame(4, {
    throttleTimeMs: 0,
    results: [{ errorCode: 0, errorMessage: null, resourceType: 2, resourceName: '', configs: [config] }],
  });
  const typeOffset = before.length - 10;
  const resourceName = 'x'.repeat(0x4f - typeOffset);
  const response = responseFrame(4, {
    throttleTimeMs: 0,
    results: [{ errorCode: 0, errorMessage: null, resourceType: 2, resourceName, configs: [config] }],
  });
  const lines = treeOf(exchangeOf({ response }))
    .split('\n')
    .map((line) => /^(?:[| ] {3}){5}(.*)$/.exec(line)?.[1]);
  const from = lines.findIndex((line) => line?.startsWith('+-- ConfigType'));
  t.deepEqual(lines.slice(from, from + 4), [
    '+-- ConfigType int8 = 5 (LONG) [0x004f, 1B] The configuration data type. Type can be one of the following values - BOOL...',
    '+-- Documentation string = null (compact, len+1=0) [0x0050, 1B] The configuration documentation.',
    '+-- tagged_fields uvarint = 1 [0x0051, 6B] number of tagged fields in this struct',
    '    +-- tag[5] bytes = deadbe (tag=5, size=3) [0x0052, 5B] unknown tagged field',
  ]);
});

test('a folded array says what it hides', (t) => {
  const configs = Array.from({ length: 26 }, (_, index) => ({
    name: `key.${index}`,
    value: null,
    readOnly: false,
    configSource: 5,
    isSensitive: false,
    synonyms: [],
    configType: 2,
    documentation: null,
  }));
  const response = responseFrame(4, {
    throttleTimeMs: 0,
    results: [{ errorCode: 0, errorMessage: null, resourceType: 2, resourceName: 'orders', configs }],
  });
  const tree = treeOf(exchangeOf({ response }), { depth: 4, about: false });
  t.is(lineOf(tree, 'Configs'), 'Configs []DescribeConfigsResourceResult = 26 elements [0x0019, 381B]');
  t.is(lineOf(tree, 'Name'), undefined);
});

const lengths: readonly (readonly [string, number, readonly string[] | null, string, string])[] = [
  ['null, compact', 4, null, 'ConfigurationKeys []string = null ', 'length uvarint = 0 (compact, n+1) [0x0016, 1B]'],
  ['null', 1, null, 'ConfigurationKeys []string = null ', 'length int32 = -1 [0x0019, 4B]'],
  ['empty, compact', 4, [], 'ConfigurationKeys []string = 0 elements ', 'length uvarint = 1 (compact, n+1) [0x0016, 1B] 0 elements follow'],
  ['empty', 1, [], 'ConfigurationKeys []string = 0 elements ', 'length int32 = 0 [0x0019, 4B] 0 elements follow'],
];

for (const [title, version, configurationKeys, array, length] of lengths) {
  test(`an array that is ${title}`, (t) => {
    const request = requestFrame(version, {
      resources: [{ resourceType: 2, resourceName: 't', configurationKeys: configurationKeys && [...configurationKeys] }],
      includeSynonyms: false,
      includeDocumentation: false,
    });
    const tree = treeOf(exchangeOf({ version, request }));
    t.true(tree.includes(array));
    t.true(tree.includes(`+-- ${length}\n`));
  });
}

test('a boolean other than 0 and 1 shows its byte', (t) => {
  const request = Uint8Array.from(requestFrame(1, { resources: [], includeSynonyms: true }));
  request[request.length - 1] = 2;
  t.is(
    lineOf(treeOf(exchangeOf({ version: 1, request })), 'IncludeSynonyms'),
    'IncludeSynonyms bool = true (byte 2) [0x0015, 1B] True if we should include all synonyms.',
  );
});

test('a code without a name is unknown, and 0 has no name', (t) => {
  const resource = (resourceType: number) => ({ resourceType, resourceName: '', configurationKeys: null });
  const treeOfType = (type: number) =>
    treeOf(exchangeOf({ version: 0, request: requestFrame(0, { resources: [resource(type)] }) }), { about: false });
  t.is(lineOf(treeOfType(99), 'ResourceType'), 'ResourceType int8 = 99 (unknown) [0x0015, 1B]');
  t.is(lineOf(treeOfType(-1), 'ResourceType'), 'ResourceType int8 = -1 (unknown) [0x0015, 1B]');
  t.is(lineOf(treeOfType(0), 'ResourceType'), 'ResourceType int8 = 0 [0x0015, 1B]');
});

test('secrets are redacted, in the byte layout too, unless they are asked for', (t) => {
  const hidden = treeOf(exchangeOf(), { hex: true });
  t.true(hidden.includes('Value string = <redacted, 26 bytes> (compact, len+1=27)'));
  t.false(hidden.includes('hunter2'));
  t.false(hidden.includes('68 75 6e 74'));
  t.true(treeOf(exchangeOf(), { showSecrets: true }).includes('Value string = "password=\\"hunter2 is here\\""'));
});

test('no byte of the wire reaches the terminal raw', (t) => {
  const hostile = '\u001b]0;owned\u0007\u009b31m\u202e\u2066\u007f\r\n\t';
  const response = responseFrame(4, {
    throttleTimeMs: 0,
    results: [{ errorCode: 0, errorMessage: hostile, resourceType: 2, resourceName: hostile, configs: [] }],
  });
  const tree = treeOf(exchangeOf({ response, client: hostile, clientId: hostile }), { hex: true });
  t.notRegex(tree, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  t.true(tree.includes('ErrorMessage string = "\\u001b]0;owned\\u0007\\u009b31m\\u202e\\u2066\\u007f\\r\\n\\t"'));
});

test('a long value is cut with a mark that says how much is missing, and printed whole in full', (t) => {
  const errorMessage = 'long '.repeat(100);
  const response = responseFrame(4, {
    throttleTimeMs: 0,
    results: [{ errorCode: 0, errorMessage, resourceType: 2, resourceName: 't', configs: [] }],
  });
  const cut = treeOf(exchangeOf({ response }), { width: 120 });
  const [line = ''] = cut.split('\n').filter((text) => text.includes('ErrorMessage'));
  const [, kept = '', missing] = /= "([^"]*)"…\+(\d+)B \(compact, len\+1=501\) \[0x0010, 502B\]$/.exec(line) ?? [];
  t.is(kept.length + Number(missing), errorMessage.length);
  t.true(errorMessage.startsWith(kept));
  t.is(line.length, 120);
  t.is(treeOf(exchangeOf({ response }), { width: 120, full: true }), treeOf(exchangeOf({ response })));
});

test('one empty line stands between exchanges and none inside', (t) => {
  const tree = treeOf([exchangeOf(), exchangeOf({ response: null, reason: 'capture-ended' }), partial()], { hex: true });
  t.is(tree.split('\n\n').length, 3);
  t.true(tree.endsWith('\n') && !tree.endsWith('\n\n'));
});

/** The tree of a message of another API, encoded from the body. */
function treeOfOther(apiKey: number, version: number, side: 'request' | 'response', body: EncodableStruct): string {
  const all = new Schemas();
  all.add(messages);
  const plan = all.plan(apiKey, version, side);
  if (plan === null) throw new Error(`no ${side} ${apiKey} v${version}`);
  const frame = encodeFrame(plan, { correlationId: 1, clientId: '' }, body);
  return treeOf({ ...exchangeOf(), [side]: decodeFrame(plan, frame, 0, frame.length) });
}

test('a known tagged field stands below its tag', (t) => {
  const tree = treeOfOther(18, 3, 'response', { errorCode: 0, apiKeys: [], throttleTimeMs: 0, finalizedFeaturesEpoch: 5n });
  const lines = [
    '    +-- tagged_fields uvarint = 1 [0x000f, 11B] number of tagged fields in this struct',
    '        +-- tag[1] bytes = FinalizedFeaturesEpoch (tag=1, size=8) [0x0010, 10B] known tagged field',
    '            +-- FinalizedFeaturesEpoch int64 = 5 [0x0012, 8B]',
  ];
  t.true(tree.endsWith(`\n${lines.join('\n')}\n`), tree);
});

test('bytes print in hexadecimal, with the length they were given', (t) => {
  const assignment = Buffer.from('00ff10', 'hex').toString('base64');
  const facts = { throttleTimeMs: 0, errorCode: 0, protocolType: null, protocolName: null };
  t.is(
    lineOf(treeOfOther(14, 3, 'response', { ...facts, assignment }), 'Assignment'),
    'Assignment bytes = 00ff10 (int32 len=3) [0x000e, 7B]',
  );
  t.is(
    lineOf(treeOfOther(14, 5, 'response', { ...facts, assignment }), 'Assignment'),
    'Assignment bytes = 00ff10 (compact, len+1=4) [0x0011, 4B]',
  );
  t.is(
    lineOf(treeOfOther(14, 3, 'response', { ...facts, assignment: '' }), 'Assignment'),
    'Assignment bytes = empty (int32 len=0) [0x000e, 4B]',
  );
});

test('uuids print as Kafka writes them', (t) => {
  const tree = treeOfOther(3, 10, 'request', {
    topics: [{ topicId: 'AAAAAAAAAAAAAAAAAAAAAQ', name: null }],
    allowAutoTopicCreation: false,
    includeClusterAuthorizedOperations: false,
    includeTopicAuthorizedOperations: false,
  });
  t.is(lineOf(tree, 'TopicId'), 'TopicId uuid = AAAAAAAAAAAAAAAAAAAAAQ [0x0010, 16B]');
});

test('any damage to a frame leaves a tree: whole lines, safe, with the right guides, and an end that says what is wrong', (t) => {
  const frames = [responseFrame(4, responseBody), responseFrame(1, responseBody)] as const;
  const damage = fc.record({
    version: fc.constantFrom(4, 1),
    length: fc.integer({ min: 4, max: 400 }),
    at: fc.integer({ min: 4, max: 310 }),
    value: fc.nat(255),
  });
  fc.assert(
    fc.property(damage, fc.constantFrom(null, 80), ({ version, length, at, value }, width) => {
      const response = Uint8Array.from(frames[version === 4 ? 0 : 1]).subarray(0, length);
      if (at < response.length) response[at] = value;
      const exchange = exchangeOf({ version, response, reason: 'gap' });
      const tree = treeOf(exchange, { width });
      t.notRegex(tree, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      const lines = tree.trimEnd().split('\n').slice(1);
      let depth = 0;
      for (const line of lines) {
        const [guide = ''] = /^(?:(?:\| {3}| {4})*\+-- )?/.exec(line) ?? [];
        t.true(guide.length / 4 <= depth + 1, line);
        depth = guide.length / 4;
      }
      t.is(exchange.response?.error === null, !lines.at(-1)?.startsWith('+-- not decoded'));
    }),
  );
  t.pass();
});
