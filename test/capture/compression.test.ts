import { gzipSync } from 'node:zlib';
import test from 'ava';
import { readCapture } from '../../src/capture/open-capture.ts';
import { Step } from '../../src/capture/packet.ts';
import { CaptureError } from '../../src/errors.ts';
import { MAX_ZSTD_WINDOW_BYTES } from '../../src/limits.ts';
import { brief, drain, MemorySource, readBytes } from '../helpers/capture-bytes.ts';
import { bigEndian, concat, pcapFile } from '../helpers/packets.ts';

const PACKETS = 500;
const plain = pcapFile(Array.from({ length: PACKETS }, (_, index) => Uint8Array.from({ length: 300 }, (_, at) => (index * at * 7) & 0xff)));
const half = plain.length >> 1;

/** A zstd frame (RFC 8878, section 3.1.1) of the bytes as they are, in raw blocks of at most 100,000 bytes. */
function zstdFrame(bytes: Uint8Array, fields: { windowDescriptor?: number; descriptor?: number; checksum?: boolean } = {}): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += 100_000) {
    const block = bytes.subarray(start, start + 100_000);
    blocks.push(blockHeader(block.length, 0, start + 100_000 >= bytes.length), block);
  }
  const descriptor = (fields.descriptor ?? 0) | (fields.checksum === true ? 4 : 0);
  return concat(
    [0x28, 0xb5, 0x2f, 0xfd, descriptor, fields.windowDescriptor ?? 0x38],
    ...blocks,
    fields.checksum === true ? [1, 2, 3, 4] : [],
  );
}

function blockHeader(size: number, type: number, last: boolean): Uint8Array {
  const value = (size << 3) | (type << 1) | (last ? 1 : 0);
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, value >> 16);
}

const skippable = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9);

const wholes: readonly (readonly [what: string, bytes: Uint8Array])[] = [
  ['gzip', gzipSync(plain)],
  ['gzip of several members', concat(gzipSync(plain.subarray(0, half)), gzipSync(''), gzipSync(plain.subarray(half)))],
  ['gzip with all header fields', withHeaderFields(gzipSync(plain))],
  ['gzip padded with zeros', concat(gzipSync(plain), new Uint8Array(1000))],
  ['zstd', zstdFrame(plain)],
  ['zstd with a checksum', zstdFrame(plain, { checksum: true })],
  [
    'zstd of several frames and skippable ones',
    concat(skippable, zstdFrame(plain.subarray(0, half)), skippable, zstdFrame(plain.subarray(half)), skippable),
  ],
  [
    'zstd of frames shorter than their headers',
    concat(...Array.from(plain.subarray(0, 400), (byte) => zstdFrame(Uint8Array.of(byte))), zstdFrame(plain.subarray(400))),
  ],
  ['zstd padded with zeros', concat(zstdFrame(plain), new Uint8Array(1000))],
];
for (const [what, bytes] of wholes) {
  for (const chunkSizes of [[], [1, 7, 4000]]) {
    test(`reads ${what}, ${chunkSizes.length === 0 ? 'at once' : 'in small pieces'}`, async (t) => {
      const expected = await readBytes(plain);
      t.deepEqual(await readBytes(bytes, chunkSizes, 4096), expected);
      t.is(expected.packets.length, PACKETS);
    });
  }
}

for (const [format, bytes] of [
  ['gzip', gzipSync(plain)],
  ['zstd', zstdFrame(plain)],
] as const) {
  test(`gives the packets in front of the cut of a ${format} stream`, async (t) => {
    const { packets, diagnostics } = await readBytes(bytes.subarray(0, bytes.length - Math.floor(bytes.length / 4)));
    t.true(packets.length > PACKETS / 4 && packets.length < PACKETS);
    t.is(diagnostics.length, 1);
    t.is(diagnostics[0]?.code, 'capture-truncated');
    t.is(diagnostics[0]?.message, `the ${format} stream is cut short`);
    t.is(diagnostics[0]?.packet, packets.length + 1);
  });

  test(`says that a ${format} stream without its end is cut, though all packets are there`, async (t) => {
    const cut = format === 'gzip' ? bytes.subarray(0, -3) : concat(bytes.subarray(0, -1), []);
    const { diagnostics } = await readBytes(cut);
    t.is(diagnostics.at(-1)?.code, 'capture-truncated');
  });

  test(`ignores what follows a ${format} stream, and says so`, async (t) => {
    const { packets, diagnostics } = await readBytes(concat(bytes, Buffer.from('something else')));
    t.is(packets.length, PACKETS);
    t.deepEqual(brief(diagnostics), ['record-suspicious -@- 14']);
  });

  test(`says what is in a ${format} stream that is no capture`, async (t) => {
    const text = Buffer.from('a text of some length, to be compressed');
    const error = await t.throwsAsync(readBytes(format === 'gzip' ? gzipSync(text) : zstdFrame(text)), { instanceOf: CaptureError });
    t.is(error?.reason, `inside of ${format}: this is a text file; pcap and pcapng captures are read, also compressed with gzip or zstd`);
  });
}

test('gives the packets in front of damage in a gzip stream', async (t) => {
  const first = gzipSync(plain.subarray(0, half));
  const second = gzipSync(plain.subarray(half));
  // The first block gets the reserved type.
  second[10] = 0x07;
  const { packets, diagnostics } = await readBytes(concat(first, second));
  t.true(packets.length >= PACKETS / 2 - 1);
  t.is(diagnostics[0]?.code, 'capture-corrupt');
  t.regex(diagnostics[0]?.message ?? '', /^the gzip stream is damaged/);
});

test('says that a gzip checksum does not match', async (t) => {
  const bytes = gzipSync(plain);
  bytes[bytes.length - 6] = (bytes.at(-6) as number) ^ 1;
  const { packets, diagnostics } = await readBytes(bytes);
  t.is(packets.length, PACKETS);
  t.deepEqual(brief(diagnostics), [`capture-corrupt -@- ${plain.length}`]);
});

test('refuses a capture compressed twice', async (t) => {
  const error = await t.throwsAsync(readBytes(gzipSync(gzipSync(plain))), { instanceOf: CaptureError });
  t.is(error?.reason, 'this is gzip inside of gzip; decompress it first');
});

test('refuses zstd dictionaries', async (t) => {
  const error = await t.throwsAsync(readBytes(zstdFrame(plain, { descriptor: 1 })), { instanceOf: CaptureError });
  t.regex(error?.reason ?? '', /needs a dictionary/);
});

/** A zstd frame of one segment, which has the size of its content where others have that of their window. */
function segmentFrame(sizeFlag: 0 | 1 | 2 | 3, contentBytes: number, content: Uint8Array): Uint8Array {
  const size = bigEndian(sizeFlag === 1 ? contentBytes - 256 : contentBytes, 1 << sizeFlag).reverse();
  return concat([0x28, 0xb5, 0x2f, 0xfd, (sizeFlag << 6) | 0x20, ...size], blockHeader(content.length, 0, true), content);
}

test('reads zstd frames of one segment with sizes of every length', async (t) => {
  const cuts = [0, 200, 600, 70_000, 130_000, plain.length];
  const flags = [0, 1, 2, 3, 2] as const;
  const frames = flags.map((flag, i) => {
    const content = plain.subarray(cuts[i], cuts[i + 1]);
    return segmentFrame(flag, content.length, content);
  });
  t.deepEqual(await readBytes(concat(...frames)), await readBytes(plain));
});

test('refuses a zstd frame of one segment that is larger than the largest window', async (t) => {
  const frame = segmentFrame(2, MAX_ZSTD_WINDOW_BYTES + 1, plain.subarray(0, 1000));
  const error = await t.throwsAsync(readBytes(frame), { instanceOf: CaptureError });
  t.regex(error?.reason ?? '', /needs a window of 8388609 bytes/);
});

for (const [what, type] of [
  ['that does not decompress', 2],
  ['of the reserved type', 3],
] as const) {
  test(`gives the packets in front of a zstd block ${what}`, async (t) => {
    const damaged = concat(blockHeader(4, type, true), [0xff, 0xff, 0xff, 0xff]);
    const { packets, diagnostics } = await readBytes(
      concat([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38], blockHeader(100_000, 0, false), plain.subarray(0, 100_000), damaged),
    );
    t.true(packets.length > 300 && packets.length < PACKETS);
    t.is(diagnostics[0]?.code, 'capture-corrupt');
    t.regex(diagnostics[0]?.message ?? '', /^the zstd stream can't be decompressed/);
  });
}

/** The exponent that gives a window of the limit's size, in its place. */
const LIMIT_DESCRIPTOR = (Math.log2(MAX_ZSTD_WINDOW_BYTES) - 10) << 3;

test('reads zstd with the largest window that is allowed', async (t) => {
  const { packets } = await readBytes(zstdFrame(plain, { windowDescriptor: LIMIT_DESCRIPTOR }));
  t.is(packets.length, PACKETS);
});

test('refuses zstd with a larger window, without making room for it', async (t) => {
  const error = await t.throwsAsync(readBytes(zstdFrame(plain, { windowDescriptor: LIMIT_DESCRIPTOR + 1 })), { instanceOf: CaptureError });
  t.regex(error?.reason ?? '', /needs a window of 9437184 bytes, more than the limit of 8388608; decompress it first/);
});

/** Several times what garbage collection may leave lying about between two of its runs. */
const BOMB_BYTES = 256 << 20;

for (const [format, bomb] of [
  ['gzip', gzipSync(Buffer.concat([plain, Buffer.alloc(BOMB_BYTES)]), { level: 9 })],
  ['zstd', zstdBomb(BOMB_BYTES)],
] as const) {
  test.serial(`reads a ${format} bomb in flat memory`, async (t) => {
    const reader = await readCapture(new MemorySource(bomb, [1000]), 'bomb', {
      capture: 0,
      diagnostics: { report() {} },
      readBytes: 1 << 16,
    });
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let step = reader.next(); step !== Step.ended; step = reader.next()) {
      if (step !== Step.starved) continue;
      await reader.fill();
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    t.true(reader.bytesRead > BOMB_BYTES);
    t.true(most < BOMB_BYTES / 2, `${most} bytes`);
  });
}

test('closes while it decompresses', async (t) => {
  const reader = await readCapture(new MemorySource(gzipSync(plain), [64]), 'x', {
    capture: 0,
    diagnostics: { report() {} },
    readBytes: 256,
  });
  await reader.fill();
  await t.notThrowsAsync(reader.close());
  t.deepEqual((await drain(reader)).length < PACKETS, true);
});

/** The capture in a raw block, then zeros: four bytes for each 128 KiB of them. */
function zstdBomb(zeroBytes: number): Uint8Array {
  const zeros = Array.from({ length: zeroBytes >> 17 }, (_, index) => concat(blockHeader(1 << 17, 1, index + 1 === zeroBytes >> 17), [0]));
  return concat([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38], blockHeader(100_000, 0, false), plain.subarray(0, 100_000), ...zeros);
}

/** The gzip member with an extra field, a name, a comment and a header checksum (RFC 1952, section 2.3). */
function withHeaderFields(member: Uint8Array): Uint8Array {
  const header = member.slice(0, 10);
  header[3] = 0x1e;
  return concat(header, [3, 0, 1, 2, 3], Buffer.from('capture.pcap\0'), Buffer.from('a comment\0'), [0, 0], member.subarray(10));
}
