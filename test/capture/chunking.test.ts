import { gzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { type ReadResult, readBytes } from '../helpers/capture-bytes.ts';
import { concat, pcapFile } from '../helpers/packets.ts';
import { PcapngWriter } from '../helpers/pcapng.ts';

/** Classic and pcapng captures of small packets, in either byte order, some compressed. */
const captures = fc
  .record({
    packets: fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 12 }),
    format: fc.constantFrom('pcap', 'pcapng'),
    bigEndian: fc.boolean(),
    compressed: fc.boolean(),
  })
  .map(({ packets, format, bigEndian, compressed }) => {
    const bytes = format === 'pcap' ? pcapFile(packets, { bigEndian }) : pcapngFile(packets, bigEndian);
    return compressed ? gzipSync(bytes) : bytes;
  });

/** Captures of which one byte is another and the end may be missing. (How much a damaged gzip stream gives depends on what zlib gets at once.) */
const damaged = fc
  .record({ bytes: captures.filter(isPlain), at: fc.nat(), value: fc.nat(255), cut: fc.nat(200) })
  .map(({ bytes, at, value, cut }) => {
    const copy = Uint8Array.from(bytes);
    copy[at % copy.length] = value;
    return cut > 100 ? copy : copy.subarray(0, Math.max(1, copy.length - cut));
  });

const chunkings = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });

function isPlain(bytes: Uint8Array): boolean {
  return bytes[0] !== 0x1f;
}

function pcapngFile(packets: readonly Uint8Array[], bigEndian: boolean): Uint8Array {
  const writer = new PcapngWriter(!bigEndian);
  return concat(writer.section(), writer.interface(), ...packets.map((packet) => writer.enhanced([...packet])));
}

/** What a capture gives, an error in opening it included. */
async function outcome(bytes: Uint8Array, chunkSizes?: readonly number[], windowBytes?: number): Promise<ReadResult | string> {
  return readBytes(bytes, chunkSizes, windowBytes).catch((error: Error) => error.message);
}

test('gives the same packets and findings however the bytes come in', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(captures, damaged), chunkings, async (bytes, chunkSizes) => {
      t.deepEqual(await outcome(bytes, chunkSizes, 64), await outcome(bytes, [], 1 << 16));
    }),
    { numRuns: 300 },
  );
});

test('gives every packet of an intact capture and finds nothing', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 12 }),
      fc.boolean(),
      async (packets, bigEndian) => {
        for (const bytes of [pcapFile(packets, { bigEndian }), pcapngFile(packets, bigEndian)]) {
          const result = await readBytes(bytes);
          t.deepEqual(result.diagnostics, []);
          t.deepEqual(
            result.packets.map(({ data }) => data),
            packets.map((packet) => Buffer.from(packet).toString('hex')),
          );
          t.is(result.bytesRead, bytes.length);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('accounts for every byte behind the file header: packets, or reported as lost', async (t) => {
  const packets = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 4, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(packets, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 30 }), async (contents, at, noise) => {
      const bytes = pcapFile(contents).slice();
      bytes.set(noise.subarray(0, bytes.length - 24), 24 + (at % Math.max(1, bytes.length - 24 - noise.length)));
      const { packets: read, diagnostics } = await readBytes(bytes);
      const used = read.reduce((sum, { data }) => sum + 16 + data.length / 2, 0);
      const lost = diagnostics
        .filter(({ code }) => code.startsWith('capture-'))
        .reduce((sum, diagnostic) => sum + (diagnostic.bytes ?? 0), 0);
      t.is(24 + used + lost, bytes.length);
    }),
    { numRuns: 200 },
  );
});
