import test from 'ava';
import fc from 'fast-check';
import { safeText } from '../../src/output/safe-text.ts';
import { columnsOf, cutText, fitEnd, fitText, quoteText, quoteUtf8, quoteUtf8Within } from '../../src/output/text.ts';

const ACTS_ON_TERMINALS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

/** Any UTF-16, unpaired surrogates and controls among it. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units));
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => new TextEncoder().encode(text)),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => new TextEncoder().encode(text)),
);

function quoted(hex: string): string {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  return quoteUtf8(bytes, 0, bytes.length);
}

const byteCases: readonly (readonly [string, string, string])[] = [
  ['nothing', '', '""'],
  ['plain ASCII', '61 64 6d', '"adm"'],
  ['quotes and backslashes', '22 5c', '"\\"\\\\"'],
  ['controls with short escapes', '08 09 0a 0c 0d', '"\\b\\t\\n\\f\\r"'],
  ['other controls', '00 1b 7f', '"\\u0000\\u001b\\u007f"'],
  ['C1 controls as UTF-8', 'c2 85 c2 9b', '"\\u0085\\u009b"'],
  ['C1 controls as bare bytes', '85 9b', '"\\x85\\x9b"'],
  ['letters of two, three and four bytes', 'c3 bc e2 82 ac f0 9f 98 80', '"ü€😀"'],
  ['a cut letter', 'e2 82', '"\\xe2\\x82"'],
  ['an over-long slash', 'c0 af', '"\\xc0\\xaf"'],
  ['an over-long three-byte form', 'e0 80 af', '"\\xe0\\x80\\xaf"'],
  ['a surrogate', 'ed a0 80', '"\\xed\\xa0\\x80"'],
  ['beyond Unicode', 'f4 90 80 80', '"\\xf4\\x90\\x80\\x80"'],
  ['a bad byte between good letters', 'c3 bc ff c3 bc', '"ü\\xffü"'],
  ['bidi overrides and isolates', 'e2 80 ae e2 81 a6', '"\\u202e\\u2066"'],
  ['direction marks', 'e2 80 8e d8 9c', '"\\u200e\\u061c"'],
  ['line separators and a byte order mark', 'e2 80 a8 ef bb bf', '"\\u2028\\ufeff"'],
];

for (const [title, hex, expected] of byteCases) {
  test(`bytes are quoted: ${title}`, (t) => {
    t.is(quoted(hex), expected);
  });
}

test('only the range that is asked for is quoted', (t) => {
  t.is(quoteUtf8(Buffer.from('abcdef'), 2, 4), '"cd"');
});

test('unquoted text keeps backslashes and escapes what a terminal acts on', (t) => {
  t.is(safeText('C:\\captures\\\u001b[2J\u009b\u202e.pcap'), 'C:\\captures\\\\u001b[2J\\u009b\\u202e.pcap');
  t.is(safeText('half a pair \ud83d'), 'half a pair \\ud83d');
});

test('no text holds anything that a terminal acts on, quoted or not', (t) => {
  fc.assert(
    fc.property(anyText, (text) => {
      t.notRegex(safeText(text), ACTS_ON_TERMINALS);
      t.notRegex(quoteText(text), ACTS_ON_TERMINALS);
    }),
  );
  t.pass();
});

test('quoted text is the JSON of that text', (t) => {
  fc.assert(fc.property(anyText, (text) => t.is(JSON.parse(quoteText(text)), text)));
  t.pass();
});

test('quoted bytes tell every byte and hold nothing that a terminal acts on', (t) => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const text = quoteUtf8(bytes, 0, bytes.length);
      t.notRegex(text, ACTS_ON_TERMINALS);
      t.deepEqual(bytesOf(text), Buffer.from(bytes));
    }),
  );
  t.pass();
});

test('what is quoted to fit stays within its columns, and what is cut is counted', (t) => {
  fc.assert(
    fc.property(anyBytes, fc.integer({ min: 2, max: 60 }), (bytes, columns) => {
      const { text, cutBytes } = quoteUtf8Within(bytes, 0, bytes.length, columns);
      t.true(columnsOf(text) <= columns);
      t.deepEqual(bytesOf(text), Buffer.from(bytes.subarray(0, bytes.length - cutBytes)));
    }),
  );
  t.pass();
});

const fits: readonly (readonly [string, number, string, string])[] = [
  ['orders', 8, 'orders  ', 'orders  '],
  ['orders', 6, 'orders', 'orders'],
  ['orders', 4, 'ord…', '…ers'],
  ['注文注文', 8, '注文注文', '注文注文'],
  ['注文注文', 6, '注文… ', '…注文 '],
  ['orders', 0, '', ''],
];

for (const [text, columns, start, end] of fits) {
  test(`"${text}" is made to fit ${columns} columns`, (t) => {
    t.is(fitText(text, columns), start);
    if (columns > 0) t.is(fitEnd(text, columns), end);
  });
}

test('cut text is no wider than asked', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
      t.true(columnsOf(cutText(safeText(text), columns)) <= columns);
      t.is(columnsOf(fitText(safeText(text), columns)), columns);
    }),
  );
  t.pass();
});

/** The bytes that a quoted text stands for. */
function bytesOf(quotedText: string): Buffer {
  const parts = quotedText.slice(1, -1).match(/\\x[0-9a-f]{2}|(?:(?!\\x)(?:\\u[0-9a-f]{4}|\\.|[^\\]))+/gsu) ?? [];
  return Buffer.concat(
    parts.map((part) => (part.startsWith('\\x') ? Buffer.from(part.slice(2), 'hex') : Buffer.from(JSON.parse(`"${part}"`) as string))),
  );
}
