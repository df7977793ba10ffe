import test from 'ava';
import fc from 'fast-check';
import { internetSum } from '../../src/wire/checksum.ts';
import { WordSum } from '../../src/wire/word-sum.ts';

test('the sum by words is that by bytes, wherever the bytes stand in memory', (t) => {
  const wordSum = new WordSum();
  const fill = fc.oneof(
    fc.uint8Array({ minLength: 200, maxLength: 400 }),
    fc.constantFrom(0, 0xff).map((byte) => new Uint8Array(300).fill(byte)),
  );
  fc.assert(
    fc.property(fill, fc.nat(8), fc.nat(90), fc.nat(300), (content, shift, start, length) => {
      const memory = new Uint8Array(content.length + shift);
      memory.set(content, shift);
      const bytes = memory.subarray(shift);
      const end = Math.min(bytes.length, start + length);
      t.is(wordSum.of(bytes, start, end), internetSum(bytes, start, end));
    }),
    { numRuns: 5000 },
  );
});

test('long sums stay exact', (t) => {
  const bytes = new Uint8Array(16 << 20).fill(0xff);
  bytes[12345] = 0xfe;
  t.is(new WordSum().of(bytes, 1, bytes.length), internetSum(bytes, 1, bytes.length));
});

test('a carry that comes of adding a carry is added too', (t) => {
  // Two bytes, sixteen aligned words and two bytes, whose sum is 0x1ffff.
  const memory = new Uint8Array(2 + 68);
  memory.set([0xff, 0xff], 2);
  memory.set([0, 1, 0xff, 0xff], memory.length - 4);
  t.is(internetSum(memory, 2, memory.length), 1);
  t.is(new WordSum().of(memory, 2, memory.length), 1);
});
