import test from 'ava';
import fc from 'fast-check';
import { int32, uint16, uint32 } from '../../src/wire/bytes.ts';

test('reads big-endian numbers as DataView does', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 12 }), fc.nat(8), (bytes, at) => {
      const offset = Math.min(at, bytes.length - 4);
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      t.is(uint16(bytes, offset), view.getUint16(offset));
      t.is(int32(bytes, offset), view.getInt32(offset));
      t.is(uint32(bytes, offset), view.getUint32(offset));
    }),
  );
});
