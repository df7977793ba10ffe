import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { parse } from 'pcap-parser';
import { readBytes } from '../helpers/capture-bytes.ts';
import { pcapFile } from '../helpers/packets.ts';

interface Record {
  seconds: number;
  nanos: number;
  originalLength: number;
  data: string;
}

/** Microsecond twins of the nanosecond magics, which pcap-parser rejects. */
const twins: { readonly [magic: string]: { readonly bytes: string; readonly nanosPerFraction: number } } = {
  a1b2c3d4: { bytes: 'a1b2c3d4', nanosPerFraction: 1000 },
  d4c3b2a1: { bytes: 'd4c3b2a1', nanosPerFraction: 1000 },
  a1b23c4d: { bytes: 'a1b2c3d4', nanosPerFraction: 1 },
  '4d3cb2a1': { bytes: 'd4c3b2a1', nanosPerFraction: 1 },
};

/** The records of a classic capture as pcap-parser alone reads them. */
function readByPackage(file: Uint8Array): Promise<Record[]> {
  const copy = Buffer.from(file);
  const twin = twins[copy.toString('hex', 0, 4)];
  if (twin === undefined) throw new Error('no capture that pcap-parser could read');
  copy.write(twin.bytes, 'hex');
  const records: Record[] = [];
  return new Promise((resolve, reject) => {
    parse(Readable.from([copy]))
      .on('packet', ({ header, data }) => {
        records.push({
          seconds: header.timestampSeconds,
          nanos: header.timestampMicroseconds * twin.nanosPerFraction,
          originalLength: header.originalLength,
          data: data.toString('hex'),
        });
      })
      .on('error', reject)
      .on('end', () => resolve(records));
  });
}

async function readByUs(file: Uint8Array): Promise<{ records: Record[]; findings: string[] }> {
  const { packets, diagnostics } = await readBytes(file, [65_536], 65_536);
  const records = packets.map(({ seconds, nanos, originalLength, data }) => ({ seconds, nanos, originalLength, data }));
  return { records, findings: diagnostics.map(({ code }) => code) };
}

/** Whether the file is one that pcap-parser can read, by itself or by its twin. */
function isClassic(file: Uint8Array): boolean {
  return Buffer.from(file).toString('hex', 0, 4) in twins;
}

const captures = existsSync('captures')
  ? readdirSync('captures', { recursive: true, encoding: 'utf8' }).filter((name) => /\.pcap(?:\.gz)?$/.test(name))
  : [];
for (const name of captures) {
  const stored = readFileSync(join('captures', name));
  const file = name.endsWith('.gz') ? gunzipSync(stored) : stored;
  if (!isClassic(file)) continue;
  test(`pcap-parser alone gives the same packets of ${name}`, async (t) => {
    const { records, findings } = await readByUs(file);
    // Of damage the package says nothing, so only intact captures compare.
    if (findings.length === 0) t.deepEqual(records, await readByPackage(file));
    else t.pass(`damaged: ${findings}`);
  });
}

const packets = fc.array(
  fc.record({
    bytes: fc.uint8Array({ maxLength: 200 }),
    seconds: fc.nat(0xffff_ffff),
    nanos: fc.nat(999_999_999),
    more: fc.nat(2000),
  }),
  { maxLength: 30 },
);

test('pcap-parser alone gives the same packets of generated captures', async (t) => {
  await fc.assert(
    fc.asyncProperty(packets, fc.boolean(), fc.boolean(), async (contents, bigEndian, nanoseconds) => {
      const file = pcapFile(
        contents.map(({ bytes, seconds, nanos, more }) => ({ bytes, seconds, nanos, originalLength: bytes.length + more })),
        { bigEndian, nanoseconds },
      );
      const { records, findings } = await readByUs(file);
      t.deepEqual(findings, []);
      t.is(records.length, contents.length);
      t.deepEqual(records, await readByPackage(file));
    }),
    { numRuns: 100 },
  );
});
