import test from 'ava';
import { Chalk } from 'chalk';
import fc from 'fast-check';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import { secretEntries } from '../../src/decode/secrets.ts';
import { byteLayout } from '../../src/output/hex.ts';
import { decodedRegions } from '../../src/output/regions.ts';
import { createTheme } from '../../src/output/theme.ts';
import { goldenFrames } from '../helpers/golden-frames.ts';
import { planOf, requestBody, requestFrame, responseBody, responseFrame } from './exchanges.ts';

const plain = createTheme(new Chalk({ level: 0 }));
const coloured = createTheme(new Chalk({ level: 1 }));

function layoutOf(side: 'request' | 'response', version: number, bytes: Uint8Array, theme = plain): string[] {
  const decoded = decodeFrame(planOf(version, side), bytes, 0, bytes.length);
  return [...byteLayout({ bytes, origin: 0, length: bytes.length, decoded, redacted: secretEntries(decoded, false) }, theme)];
}

function golden(side: 'request' | 'response', version: number): Uint8Array {
  return goldenFrames.find((frame) => frame.side === side && frame.version === version)?.bytes ?? new Uint8Array();
}

test('a request of version 4 has a letter for the region of each byte', (t) => {
  t.deepEqual(layoutOf('request', 4, golden('request', 4)), [
    'byte layout (27 bytes, 16 bytes per row)',
    '       0  1  2  3  4  5  6  7   8  9  A  B  C  D  E  F',
    '0000  00 00 00 17 00 20 00 04  00 00 00 01 00 03 61 64  ..... ........ad',
    '       F  F  F  F  H  H  H  H   H  H  H  H  H  H  H  H',
    '0010  6d 00 02 02 02 74 00 00  01 00 00                 m....t.....',
    '       H  T  Q  Q  Q  Q  Q  T   Q  Q  T',
    'F frame  H rpc header  Q request body  T tagged_fields',
  ]);
});

test('a response of version 1 has no tagged fields', (t) => {
  t.is(layoutOf('response', 1, golden('response', 1)).at(-1), 'F frame  H rpc header  S response body');
});

test('with colour the regions are painted and there are no letters', (t) => {
  const [, , row = '', end] = layoutOf('request', 4, golden('request', 4), coloured);
  t.true(row.includes('\u001b[90m 00 00 00 17\u001b[39m\u001b[36m 00 20 00 04  00 00 00 01 00 03 61 64\u001b[39m'));
  t.true(end?.startsWith('\u001b[90m0010\u001b[39m'));
});

test('bytes that were not decoded are told from those that were', (t) => {
  const cut = responseFrame(4, responseBody).subarray(0, 40);
  const layout = layoutOf('response', 4, cut);
  t.is(layout.at(-2)?.trim(), 'S  S  S  S  S  S  S  ?');
  t.is(layout.at(-1), 'F frame  H rpc header  S response body  T tagged_fields  ? not decoded');
});

test('a frame without a schema is not decoded but for its size', (t) => {
  const bytes = golden('request', 4);
  const layout = [...byteLayout({ bytes, origin: 0, length: bytes.length, decoded: null, redacted: null }, plain)];
  t.is(layout[3], `       F  F  F  F${'  ?'.repeat(4)} ${'  ?'.repeat(8)}`);
  t.is(layout.at(-1), 'F frame  ? not decoded');
});

test('a frame need not begin where its bytes do', (t) => {
  const frame = golden('request', 4);
  const bytes = Buffer.concat([Buffer.from('before'), frame, Buffer.from('after')]);
  const decoded = decodeFrame(planOf(4, 'request'), bytes, 6, 6 + frame.length);
  t.deepEqual([...byteLayout({ bytes, origin: 6, length: frame.length, decoded, redacted: null }, plain)], layoutOf('request', 4, frame));
});

test('redacted bytes are not shown, neither as numbers nor as text', (t) => {
  const text = layoutOf('response', 4, responseFrame(4, responseBody)).join('\n');
  t.true(text.includes('** ** **'));
  t.false(text.includes('68 75 6e'));
  t.false(text.includes('hunter'));
});

test('offsets of a large frame have the digits they need', (t) => {
  const bytes = responseFrame(4, {
    throttleTimeMs: 0,
    results: [{ errorCode: 1, errorMessage: 'x'.repeat(32_767), resourceType: 2, resourceName: 'x'.repeat(32_767), configs: [] }],
  });
  const layout = layoutOf('response', 4, bytes);
  t.true(layout[2]?.startsWith('00000  00'));
  t.true(layout.some((line) => line.startsWith('10000  ')));
});

test('the rows hold every byte of any frame, and the regions tile it', (t) => {
  const frames = [requestFrame(4, requestBody), responseFrame(4, responseBody), responseFrame(1, responseBody)] as const;
  const anyCut = fc.tuple(fc.constantFrom(0, 1, 2), fc.nat(400), fc.nat(400), fc.nat(255));
  fc.assert(
    fc.property(anyCut, ([which, length, at, value]) => {
      const bytes = Uint8Array.from(frames[which] as Uint8Array).subarray(0, length);
      if (at < bytes.length) bytes[at] = value;
      const decoded = decodeFrame(planOf(which === 2 ? 1 : 4, which === 0 ? 'request' : 'response'), bytes, 0, bytes.length);
      const rows = [...byteLayout({ bytes, origin: 0, length: bytes.length, decoded, redacted: null }, plain)].slice(2, -1);
      const hex = rows.filter((_, index) => index % 2 === 0).map((row) => row.slice(5, 54).replaceAll(' ', ''));
      t.is(hex.join(''), Buffer.from(bytes).toString('hex'));
      const ends = [...decodedRegions(decoded)].map((run) => run.end);
      t.deepEqual(
        ends,
        [...new Set(ends)].sort((a, b) => a - b),
      );
      t.is(ends.at(-1) ?? 0, decoded.length);
    }),
  );
  t.pass();
});
