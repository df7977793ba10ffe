import test from 'ava';
import fc from 'fast-check';
import { UnitSplitter } from '../../src/capture/pcapng-time.ts';
import { MAX_INTERFACES } from '../../src/limits.ts';
import { brief, readBytes } from '../helpers/capture-bytes.ts';
import { concat } from '../helpers/packets.ts';
import { PcapngWriter } from '../helpers/pcapng.ts';

const DATA = [1, 2, 3, 4, 5];
const little = new PcapngWriter();
const head = [little.section(), little.interface()];

for (const littleEndian of [true, false]) {
  test(`reads packets of all three block types, ${littleEndian ? 'little' : 'big'}-endian`, async (t) => {
    const writer = new PcapngWriter(littleEndian);
    const time = 1_700_000_000_123_456n;
    const { packets, diagnostics } = await readBytes(
      concat(
        writer.section(),
        writer.interface(276, 0),
        writer.enhanced(DATA, { time, original: 70 }),
        writer.obsolete(DATA, { time, drops: 9 }),
        writer.simple(DATA, 70),
      ),
    );
    t.deepEqual(diagnostics, []);
    const common = { capture: 0, nanos: 123_456_000, seconds: 1_700_000_000, fine: false, linkType: 276, fcsBytes: 0, data: '0102030405' };
    t.deepEqual(packets, [
      { ...common, number: 1, originalLength: 70, fileOffset: 48 },
      { ...common, number: 2, originalLength: 5, fileOffset: 88 },
      // Its captured length isn't in the file: with no snapshot length, the padding can't be told from the data.
      { ...common, number: 3, originalLength: 70, fileOffset: 128, seconds: Number.NaN, nanos: 0, data: '0102030405000000' },
    ]);
  });
}

test('cuts simple packets at the snapshot length of the first interface', async (t) => {
  const { packets } = await readBytes(concat(little.section(), little.interface(1, 3), little.simple(DATA, 70)));
  t.is(packets[0]?.data, '010203');
});

test('keeps link type, resolution and offset of each interface apart', async (t) => {
  const { packets } = await readBytes(
    concat(
      little.section(),
      little.interface(1, 0, little.option(9, [9])),
      little.interface(101, 0, [...little.option(14, little.integer(-100, 8)), ...little.option(13, [4])]),
      little.enhanced(DATA, { interface: 0, time: 1_700_000_000_123_456_789n }),
      little.enhanced(DATA, { interface: 1, time: 1_700_000_000_123_456n }),
    ),
  );
  t.deepEqual(
    packets.map(({ linkType, seconds, nanos, fine, fcsBytes }) => ({ linkType, seconds, nanos, fine, fcsBytes })),
    [
      { linkType: 1, seconds: 1_700_000_000, nanos: 123_456_789, fine: true, fcsBytes: 0 },
      { linkType: 101, seconds: 1_699_999_900, nanos: 123_456_000, fine: false, fcsBytes: 4 },
    ],
  );
});

test('begins anew with each section, in its byte order and with its interfaces', async (t) => {
  const big = new PcapngWriter(false);
  const { packets, diagnostics } = await readBytes(
    concat(...head, little.enhanced(DATA), big.section(), big.interface(113), big.enhanced(DATA), little.section(), little.enhanced(DATA)),
  );
  t.deepEqual(
    packets.map(({ number, linkType }) => [number, linkType]),
    [
      [1, 1],
      [2, 113],
    ],
  );
  t.deepEqual(
    diagnostics.map(({ code, packet }) => [code, packet]),
    [['interface-unknown', 3]],
  );
});

test('skips blocks and options that mean nothing here', async (t) => {
  const { packets, diagnostics } = await readBytes(
    concat(
      little.section(),
      little.block(5, DATA),
      little.interface(1, 0, [...little.option(2, [65, 66]), ...little.option(9, [6]), ...little.option(0, [])]),
      little.block(0x80000123, DATA),
      little.block(4, []),
      little.enhanced(DATA),
    ),
  );
  t.deepEqual(diagnostics, []);
  t.deepEqual(
    packets.map(({ number }) => number),
    [1],
  );
});

test('passes over options that do not fit their block', async (t) => {
  const broken = [...little.integer(9, 2), ...little.integer(60_000, 2), 9, 0, 0, 0];
  const { packets, diagnostics } = await readBytes(concat(little.section(), little.interface(1, 0, broken), little.enhanced(DATA)));
  t.deepEqual(diagnostics, []);
  t.is(packets[0]?.fine, false);
});

test('takes times outside of the years 1970 to 9999 as unknown, and says so', async (t) => {
  const { packets, diagnostics } = await readBytes(
    concat(little.section(), little.interface(1, 0, little.option(9, [0])), little.enhanced(DATA, { time: 2n ** 64n - 1n })),
  );
  t.is(packets[0]?.seconds, Number.NaN);
  t.deepEqual(brief(diagnostics), ['record-suspicious 1@56 -']);
});

test('counts a packet of an unknown interface, says so and goes on', async (t) => {
  const { packets, diagnostics } = await readBytes(concat(...head, little.enhanced(DATA, { interface: 7 }), little.enhanced(DATA)));
  t.deepEqual(
    packets.map(({ number }) => number),
    [2],
  );
  t.deepEqual(brief(diagnostics), ['interface-unknown 1@48 5']);
});

test('skips the one block whose captured length is longer than itself', async (t) => {
  const { packets, diagnostics } = await readBytes(concat(...head, little.enhanced(DATA, { captured: 9 }), little.enhanced(DATA)));
  t.deepEqual(
    packets.map(({ number }) => number),
    [2],
  );
  t.deepEqual(brief(diagnostics), ['capture-corrupt 1@48 40']);
});

const badLengths: readonly (readonly [what: string, offset: number, value: number])[] = [
  ['a length of 0', 4, 0],
  ['a length that is less than that of an empty block', 4, 8],
  ['a length that is no multiple of four', 4, 41],
  ['an impossible length', 4, 0xffff_fff0],
  ['a length beyond the end of the file', 4, 4000],
  ['another length at its end', 36, 36],
];
for (const [what, offset, value] of badLengths) {
  test(`goes on behind a block with ${what}`, async (t) => {
    const file = concat(...head, little.enhanced(DATA), little.enhanced(DATA), little.enhanced(DATA), little.enhanced(DATA));
    new DataView(file.buffer).setUint32(48 + 40 + offset, value, true);
    const { packets, diagnostics } = await readBytes(file);
    t.deepEqual(
      packets.map(({ number }) => number),
      [1, 3, 4],
    );
    t.deepEqual(brief(diagnostics), ['capture-corrupt 2@88 40']);
  });
}

test('finds a section header in the other byte order behind damage', async (t) => {
  const big = new PcapngWriter(false);
  const noise = new Uint8Array(50).fill(0xee);
  const { packets } = await readBytes(concat(...head, noise, big.section(), big.interface(113), big.enhanced(DATA)));
  t.deepEqual(
    packets.map(({ linkType }) => linkType),
    [113],
  );
});

test('reads up to the cut', async (t) => {
  const file = concat(...head, little.enhanced(DATA), little.enhanced(DATA));
  const { packets, diagnostics } = await readBytes(file.subarray(0, file.length - 7));
  t.is(packets.length, 1);
  t.deepEqual(brief(diagnostics), ['capture-truncated 2@88 33']);
});

test('skips sections of a version that is not known, and says so', async (t) => {
  const { packets, diagnostics } = await readBytes(
    concat(little.section(2), ...head.slice(1), little.enhanced(DATA), ...head, little.enhanced(DATA)),
  );
  t.is(packets.length, 1);
  t.deepEqual(brief(diagnostics), ['capture-unreadable -@0 -']);
});

test('skips the section of a header that is too short, and says so', async (t) => {
  const short = little.block(0x0a0d0d0a, little.words(0x1a2b3c4d));
  const { packets, diagnostics } = await readBytes(concat(short, ...head.slice(1), little.enhanced(DATA), ...head, little.enhanced(DATA)));
  t.is(packets.length, 1);
  t.deepEqual(brief(diagnostics), ['capture-corrupt -@0 16']);
});

test('skips an interface description that is too short, and says so', async (t) => {
  const { packets, diagnostics } = await readBytes(
    concat(little.section(), little.block(1, [1, 0, 0, 0]), little.interface(113), little.enhanced(DATA)),
  );
  t.deepEqual(
    packets.map(({ linkType }) => linkType),
    [113],
  );
  t.deepEqual(brief(diagnostics), ['capture-corrupt -@28 16']);
});

test('is not stopped by any number of damaged blocks', async (t) => {
  const damaged = concat(little.block(4, []), little.block(4, []), new Uint8Array(12));
  const file = concat(...head, ...new Array(20_000).fill(damaged), little.enhanced(DATA));
  const { packets, diagnostics } = await readBytes(file, [], 1 << 16);
  t.is(packets.length, 1);
  t.is(diagnostics.length, 20_000);
});

for (const [count, known] of [
  [MAX_INTERFACES, 1],
  [MAX_INTERFACES + 1, 0],
] as const) {
  test(`of ${count} interfaces the last is ${known === 1 ? 'known' : 'not known'}`, async (t) => {
    const blocks = Buffer.concat(new Array(count).fill(little.interface()));
    const { packets } = await readBytes(
      Buffer.concat([little.section(), blocks, little.enhanced(DATA, { interface: count - 1 })]),
      [],
      1 << 20,
    );
    t.is(packets.length, known);
  });
}

test('splits times exactly in every resolution that counts whole nanoseconds', (t) => {
  const splitter = new UnitSplitter();
  const resolutions = Array.from({ length: 10 }, (_, exponent) => 10 ** exponent);
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.constantFrom(...resolutions), (units, perSecond) => {
      splitter.split(Number(units >> 32n), Number(units & 0xffffffffn), perSecond);
      t.is(splitter.seconds, Number(units / BigInt(perSecond)));
      t.is(splitter.nanos, Number(((units % BigInt(perSecond)) * 1_000_000_000n) / BigInt(perSecond)));
    }),
    { numRuns: 500 },
  );
});

test('splits times to the nanosecond in every other resolution', (t) => {
  const splitter = new UnitSplitter();
  const resolutions = [
    ...Array.from({ length: 118 }, (_, exponent) => 10 ** (exponent + 10)),
    ...Array.from({ length: 128 }, (_, exponent) => 2 ** exponent),
  ];
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.constantFrom(...resolutions), (units, perSecond) => {
      splitter.split(Number(units >> 32n), Number(units & 0xffffffffn), perSecond);
      t.is(splitter.seconds, Number(units / BigInt(perSecond)));
      const nanos = Number(((units % BigInt(perSecond)) * 1_000_000_000n) / BigInt(perSecond));
      t.true(Math.abs(splitter.nanos - nanos) <= 1 && splitter.nanos < 1_000_000_000);
    }),
    { numRuns: 500 },
  );
});
