import test from 'ava';
import { Chalk } from 'chalk';
import fc from 'fast-check';
import type { DecodedExchange } from '../../src/kafka/decoded-exchange.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { LinePrinter } from '../../src/output/line.ts';
import { columnsOf } from '../../src/output/text.ts';
import { createTheme } from '../../src/output/theme.ts';
import { exchangeOf, requestFrame, responseFrame } from './exchanges.ts';
import { matchesGolden } from './golden.ts';

function linesOf(exchanges: readonly DecodedExchange[], width: number | null, level: 0 | 1 = 0): string {
  const out = new ByteBuffer();
  const printer = new LinePrinter(out, { width, theme: createTheme(new Chalk({ level })) });
  for (const exchange of exchanges) printer.print(exchange);
  return Buffer.from(out.view()).toString();
}

interface Asked {
  readonly type?: number;
  readonly name?: string;
  readonly keys?: readonly string[] | null;
}

function asking(...resources: readonly Asked[]): DecodedExchange {
  const list = resources.map(({ type = 2, name = 'orders', keys = null }) => ({
    resourceType: type,
    resourceName: name,
    configurationKeys: keys && [...keys],
  }));
  return exchangeOf({ request: requestFrame(4, { resources: list, includeSynonyms: false, includeDocumentation: false }) });
}

function answering(...results: readonly { readonly error?: number; readonly configs?: number }[]): DecodedExchange {
  const list = results.map(({ error = 0, configs = 0 }) => ({
    errorCode: error,
    errorMessage: null,
    resourceType: 2,
    resourceName: 'orders',
    configs: Array.from({ length: configs }, () => ({
      name: 'k',
      value: 'v',
      readOnly: false,
      configSource: 5,
      isSensitive: false,
      synonyms: [],
      configType: 2,
      documentation: null,
    })),
  }));
  return exchangeOf({ response: responseFrame(4, { throttleTimeMs: 0, results: list }) });
}

const twelve = Array.from({ length: 12 }, (_, index) => ({ name: `topic-${index}` }));

const asked: readonly (readonly [DecodedExchange, string])[] = [
  [asking({}), ' topic orders '],
  [asking(...twelve), ' 12 topics, all keys '],
  [asking({ type: 4, name: '1', keys: ['log.retention.ms'] }), ' broker 1: log.retention.ms '],
  [asking({ type: 4, name: '' }), ' broker defaults '],
  [asking({ type: 8, name: '1' }), ' broker logger 1 '],
  [asking({ type: 16, name: 'a' }, { type: 16, name: 'b' }), ' 2 client metrics, all keys '],
  [asking({ type: 99, name: 'x' }), ' type 99 resource x '],
  [asking({ keys: [] }), ' topic orders, an empty list of keys '],
  [asking({ keys: ['a', 'b'] }), ' topic orders: a, b '],
  [asking({ keys: ['a'] }, { type: 4, name: '1', keys: ['a'] }), ' 1 topic, 1 broker: a '],
  [asking({ keys: ['a'] }, { keys: null }), ' 2 topics, different keys '],
  [asking(), ' no resources '],
];

for (const [exchange, expected] of asked) {
  test(`asked: ${expected.trim()}`, (t) => {
    const line = linesOf([exchange], null);
    t.true(line.includes(expected), line);
  });
}

const answers: readonly (readonly [string, DecodedExchange, string])[] = [
  ['configs', answering({ configs: 26 }), ' 26 configs '],
  ['one config', answering({ configs: 1 }), ' 1 config '],
  ['configs of several resources', answering({ configs: 2 }, { configs: 3 }), ' 5 configs '],
  ['one resource, refused', answering({ error: 3 }), ' refused: UNKNOWN_TOPIC_OR_PARTITION '],
  ['some refused', answering({ error: 29 }, { configs: 3 }, { configs: 3 }), ' 1 of 3 refused: TOPIC_AUTHORIZATION_FAILED '],
  ['refused for different reasons', answering({ error: 29 }, { error: 999 }), ' 2 of 2 refused: TOPIC_AUTHORIZATION_FAILED, UNKNOWN(999) '],
  ['nothing', answering(), ' no resources '],
  ['a reset', exchangeOf({ response: null, reason: 'connection-reset' }), ' no answer: connection reset '],
  [
    'a loss',
    exchangeOf({ response: responseFrame(4, { throttleTimeMs: 0, results: [] }).subarray(0, 12), reason: 'gap' }),
    ', partial: packets missing from the capture ',
  ],
  [
    'a loss inside the configs',
    exchangeOf({ response: (answering({ configs: 26 }).response?.bytes ?? new Uint8Array()).subarray(0, 100), reason: 'gap' }),
    ' 6 of 26 configs, partial: packets missing from the capture ',
  ],
  [
    'a version without schema',
    exchangeOf({
      version: 5,
      request: requestFrame(4, { resources: [], includeSynonyms: false, includeDocumentation: false }),
      response: null,
      reason: 'version-unsupported',
    }),
    ' no answer ',
  ],
];

for (const [title, exchange, expected] of answers) {
  test(`answered: ${title}`, (t) => {
    const line = linesOf([exchange], null);
    t.true(line.includes(expected), line);
  });
}

function overview(): DecodedExchange[] {
  return [
    { ...asking({}), number: 1 },
    exchangeOf({ number: 2, clientId: null, client: '[2001:db8::1]:51234', version: 1 }),
    exchangeOf({ number: 300, response: null, reason: 'connection-reset', clientId: '顧客-client' }),
    exchangeOf({ number: 12345, time: { seconds: Number.NaN }, clientId: '\u001b[31mred' }),
  ];
}

for (const width of [80, 120, 160, null]) {
  test(`an overview in ${width ?? 'any number of'} columns is as its golden file`, (t) => {
    matchesGolden(t, `line-${width ?? 'unlimited'}`, linesOf(overview(), width));
  });
}

test('errors stand out in colour', (t) => {
  const lines = linesOf(overview(), 120, 1);
  matchesGolden(t, 'line-colour', lines.replaceAll('\u001b', '<ESC>'));
});

test('every line takes exactly the width of the terminal, whatever it has to say', (t) => {
  const anyName = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 80, max: 220 }), anyName, anyName, fc.nat(9999), (width, clientId, resource, number) => {
      const exchange = {
        ...exchangeOf({
          clientId,
          request: requestFrame(4, {
            resources: [{ resourceType: 2, resourceName: resource, configurationKeys: null }],
            includeSynonyms: false,
            includeDocumentation: false,
          }),
        }),
        number,
      };
      const line = linesOf([exchange], width);
      t.true(line.endsWith('\n'));
      t.is(columnsOf(line.slice(0, -1)), width);
    }),
    { numRuns: 60 },
  );
  t.pass();
});
