import test from 'ava';
import fc from 'fast-check';
import { foldInternetSum, internetSum } from '../../src/wire/checksum.ts';
import { hex, internetChecksum } from '../helpers/packets.ts';

test('gives the sum of the example in RFC 1071, section 3', (t) => {
  t.is(internetSum(hex('0001 f203 f4f5 f6f7'), 0, 8), 0xddf2);
});

test('is the complement of the checksum computed word by word, at any offset and length', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(20), fc.nat(20), (bytes, front, back) => {
      const start = Math.min(front, bytes.length);
      const end = Math.max(start, bytes.length - back);
      t.is(internetSum(bytes, start, end), ~internetChecksum(bytes.subarray(start, end)) & 0xffff);
    }),
  );
});

test('carries are folded in until 16 bits are left', (t) => {
  t.is(foldInternetSum(0x1_ffff), 1);
  t.is(foldInternetSum(0xffff), 0xffff);
  t.is(internetSum(new Uint8Array(1 << 20).fill(0xff), 0, 1 << 20), 0xffff);
});
