import test from 'ava';
import { CaptureError } from '../../src/errors.ts';
import { MAX_RECORD_BYTES } from '../../src/limits.ts';
import { brief, readBytes } from '../helpers/capture-bytes.ts';
import { concat, pcapFile } from '../helpers/packets.ts';

const SECONDS = 1_700_000_000;

/** `count` packets of `size` bytes each, a millisecond apart. */
function packets(count: number, size = 20): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => new Uint8Array(size).fill(index + 1));
}

/** A little-endian file header. */
function fileHeader(
  fields: { magic?: number; major?: number; minor?: number; snaplen?: number; linkType?: number; bigEndian?: boolean } = {},
): Uint8Array {
  const view = new DataView(new ArrayBuffer(24));
  const little = fields.bigEndian !== true;
  view.setUint32(0, fields.magic ?? 0xa1b2c3d4, little);
  view.setUint16(4, fields.major ?? 2, little);
  view.setUint16(6, fields.minor ?? 4, little);
  view.setUint32(16, fields.snaplen ?? 65535, little);
  view.setUint32(20, fields.linkType ?? 1, little);
  return new Uint8Array(view.buffer);
}

/** Four little-endian words: seconds, fraction, captured length, original length. */
function record(seconds: number, fraction: number, captured: number, original: number, rest: readonly number[] = []): Uint8Array {
  return concat(new Uint8Array(Uint32Array.of(seconds, fraction, captured, original).buffer), rest);
}

/** The file with the 32-bit word at `offset` overwritten. */
function withWord(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(offset, value, true);
  return copy;
}

for (const bigEndian of [false, true]) {
  for (const nanoseconds of [false, true]) {
    test(`reads ${bigEndian ? 'big' : 'little'}-endian files in ${nanoseconds ? 'nano' : 'micro'}seconds`, async (t) => {
      const bytes = Uint8Array.of(1, 2, 3);
      const file = pcapFile([{ bytes, seconds: 4_000_000_000, nanos: 123_456_789, originalLength: 70 }], {
        bigEndian,
        nanoseconds,
        linkType: 276,
      });
      const { packets, diagnostics } = await readBytes(file);
      t.deepEqual(diagnostics, []);
      t.deepEqual(packets, [
        {
          capture: 0,
          number: 1,
          seconds: 4_000_000_000,
          nanos: nanoseconds ? 123_456_789 : 123_456_000,
          fine: nanoseconds,
          originalLength: 70,
          linkType: 276,
          fcsBytes: 0,
          fileOffset: 24,
          data: '010203',
        },
      ]);
    });
  }
}

test('skips the eight more bytes that a record header has in modified captures', async (t) => {
  const extra = [1, 0, 0, 0, 8, 0, 4, 0];
  const one = concat(record(SECONDS, 1, 2, 2, extra), [7, 8]);
  const { packets } = await readBytes(concat(fileHeader({ magic: 0xa1b2cd34 }), one, one));
  t.deepEqual(
    packets.map(({ data, fileOffset }) => [data, fileOffset]),
    [
      ['0708', 24],
      ['0708', 50],
    ],
  );
});

test('takes the frame check sequence out of the link type', async (t) => {
  const { packets } = await readBytes(concat(fileHeader({ linkType: 0x2400_0001 }), record(SECONDS, 1, 1, 1, [9])));
  t.is(packets[0]?.linkType, 1);
  t.is(packets[0]?.fcsBytes, 4);
});

test('says that reserved bits of the link type are ignored', async (t) => {
  const { packets, diagnostics } = await readBytes(concat(fileHeader({ linkType: 0x0030_0001 }), record(SECONDS, 1, 1, 1, [9])));
  t.is(packets[0]?.linkType, 1);
  t.deepEqual(brief(diagnostics), ['record-suspicious -@0 -']);
});

for (const [version, major, minor] of [
  ['2.2 and older have the original length first', 2, 2],
  ['2.3 have either order', 2, 3],
] as const) {
  test(`versions ${version}`, async (t) => {
    const { packets, diagnostics } = await readBytes(concat(fileHeader({ major, minor }), record(SECONDS, 1, 60, 2, [7, 8])));
    t.deepEqual(diagnostics, []);
    t.is(packets[0]?.data, '0708');
    t.is(packets[0]?.originalLength, 60);
  });
}

for (const [major, minor] of [
  [1, 4],
  [3, 0],
] as const) {
  test(`refuses version ${major}.${minor}, which nobody writes`, async (t) => {
    const error = await t.throwsAsync(readBytes(fileHeader({ major, minor })), { instanceOf: CaptureError });
    t.is(error?.message, "test.pcap: this version of pcap isn't known; versions 2.0 to 2.4 are read");
  });
}

test('carries over a fraction of more than a second, and says so', async (t) => {
  const { packets, diagnostics } = await readBytes(concat(fileHeader(), record(SECONDS, 3_000_001, 1, 1, [9])));
  t.is(packets[0]?.seconds, SECONDS + 3);
  t.is(packets[0]?.nanos, 1000);
  t.deepEqual(brief(diagnostics), ['record-suspicious 1@24 -']);
});

test('uses all captured bytes where the original length is smaller, and says so', async (t) => {
  const { packets, diagnostics } = await readBytes(concat(fileHeader(), record(SECONDS, 1, 3, 1, [7, 8, 9])));
  t.is(packets[0]?.data, '070809');
  t.is(packets[0]?.originalLength, 1);
  t.deepEqual(brief(diagnostics), ['record-suspicious 1@24 -']);
});

test('believes records longer than the snapshot length, 0 among them', async (t) => {
  const { packets, diagnostics } = await readBytes(concat(fileHeader({ snaplen: 0 }), record(SECONDS, 1, 3, 3, [7, 8, 9])));
  t.is(packets.length, 1);
  t.deepEqual(diagnostics, []);
});

test('counts records without bytes', async (t) => {
  const { packets, diagnostics } = await readBytes(concat(fileHeader(), new Uint8Array(48)));
  t.is(packets.length, 3);
  t.deepEqual(diagnostics, []);
});

for (const [cut, message] of [
  [8, 'the capture ends inside a record header: 8 of 16 bytes are there'],
  [30, 'the capture ends inside a packet: 30 of 36 bytes are there'],
] as const) {
  test(`reads up to the cut: ${message}`, async (t) => {
    const file = pcapFile(packets(3));
    const { packets: read, diagnostics } = await readBytes(file.subarray(0, 24 + 36 * 2 + cut));
    t.is(read.length, 2);
    t.is(diagnostics[0]?.message, message);
    t.deepEqual(brief(diagnostics), [`capture-truncated 3@96 ${cut}`]);
  });
}

test('passes over a record whose length is impossible, and numbers the next ones as if it were one', async (t) => {
  const file = withWord(pcapFile(packets(8)), 24 + 36 * 2 + 8, 0x7fff_ffff);
  const { packets: read, diagnostics } = await readBytes(file);
  t.deepEqual(
    read.map(({ number }) => number),
    [1, 2, 4, 5, 6, 7, 8],
  );
  t.deepEqual(brief(diagnostics), ['capture-corrupt 3@96 36']);
});

test('finds the good records behind a length that reaches beyond the end of the file', async (t) => {
  const file = withWord(pcapFile(packets(8)), 24 + 36 * 2 + 8, 60_000);
  const { packets: read, diagnostics } = await readBytes(file);
  t.is(read.length, 7);
  t.deepEqual(brief(diagnostics), ['capture-corrupt 3@96 36']);
});

test('takes a single last record for good where it ends with the file', async (t) => {
  const file = withWord(pcapFile(packets(4)), 24 + 36 * 2 + 8, 0x7fff_ffff);
  const { packets: read } = await readBytes(file);
  t.deepEqual(
    read.map(({ number }) => number),
    [1, 2, 4],
  );
});

test('does not take records of another time for the rest of the capture', async (t) => {
  const nested = pcapFile(packets(5).map((bytes) => ({ bytes, seconds: 1_500_000_000 }))).subarray(24);
  const { packets: read, diagnostics } = await readBytes(concat(pcapFile(packets(2)), record(SECONDS, 0, 0x7fff_ffff, 1), nested));
  t.is(read.length, 2);
  t.deepEqual(brief(diagnostics), [`capture-corrupt 3@96 ${16 + nested.length}`]);
});

test('says that the rest is lost where nothing good follows', async (t) => {
  const { packets: read, diagnostics } = await readBytes(concat(pcapFile(packets(2)), new Uint8Array(1000).fill(0xee)));
  t.is(read.length, 2);
  t.regex(diagnostics[0]?.message ?? '', /the rest is lost$/);
  t.deepEqual(brief(diagnostics), ['capture-corrupt 3@96 1000']);
});

test.serial('never reserves what a length claims', async (t) => {
  const file = concat(fileHeader({ snaplen: 0xffff_ffff }), record(SECONDS, 0, MAX_RECORD_BYTES, MAX_RECORD_BYTES, [1, 2, 3]));
  const before = process.memoryUsage().arrayBuffers;
  const { diagnostics } = await readBytes(file);
  t.true(process.memoryUsage().arrayBuffers - before < 1 << 20);
  t.deepEqual(brief(diagnostics), ['capture-truncated 1@24 19']);
});

for (const [size, expected] of [
  [MAX_RECORD_BYTES, []],
  [MAX_RECORD_BYTES + 1, [`capture-corrupt 1@24 ${16 + MAX_RECORD_BYTES + 1}`]],
] as const) {
  test(`a record of ${size} bytes ${expected.length === 0 ? 'is read' : 'is corrupt'}`, async (t) => {
    const bytes = new Uint8Array(24 + 16 + size);
    bytes.set(fileHeader({ snaplen: 0xffff_ffff }));
    bytes.set(record(SECONDS, 0, size, size), 24);
    const { packets: read, diagnostics } = await readBytes(bytes, [1 << 20], 1 << 20);
    t.is(read.length, expected.length === 0 ? 1 : 0);
    t.deepEqual(brief(diagnostics), [...expected]);
  });
}
