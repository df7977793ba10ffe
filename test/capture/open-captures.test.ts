import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test from 'ava';
import fc from 'fast-check';
import { openCaptures } from '../../src/capture/open-captures.ts';
import type { CaptureInput } from '../../src/capture/open-source.ts';
import { Step } from '../../src/capture/packet.ts';
import type { Diagnostic } from '../../src/diagnostics.ts';
import { drain, type ReadPacket } from '../helpers/capture-bytes.ts';
import { concat, pcapFile } from '../helpers/packets.ts';
import { PcapngWriter } from '../helpers/pcapng.ts';

const folder = mkdtempSync(join(tmpdir(), 'captures-'));
test.after.always(() => rmSync(folder, { recursive: true }));

let files = 0;
function write(bytes: Uint8Array): string {
  const path = join(folder, `${files++}.pcap`);
  writeFileSync(path, bytes);
  return path;
}

function streamOf(bytes: Uint8Array): CaptureInput {
  return { name: 'stream', stream: Readable.from([Buffer.from(bytes)]) };
}

/** A capture of one-byte packets at the given microseconds. */
function at(...micros: number[]): Uint8Array {
  return pcapFile(
    micros.map((micro, index) => ({ bytes: Uint8Array.of(index), seconds: Math.floor(micro / 1e6), nanos: (micro % 1e6) * 1000 })),
  );
}

async function merge(
  inputs: readonly CaptureInput[],
): Promise<{ packets: ReadPacket[]; diagnostics: Diagnostic[]; bytesRead: number; inputBytes: number | undefined }> {
  const diagnostics: Diagnostic[] = [];
  const reader = await openCaptures(inputs, { report: (diagnostic) => void diagnostics.push(diagnostic) });
  const packets = await drain(reader);
  return { packets, diagnostics, bytesRead: reader.bytesRead, inputBytes: reader.inputBytes };
}

/** Each packet as `capture:number`. */
function order(packets: readonly ReadPacket[]): string {
  return packets.map(({ capture, number }) => `${capture}:${number}`).join(' ');
}

const mergings: readonly (readonly [what: string, captures: readonly Uint8Array[], expected: string])[] = [
  ['interleaved ones by time', [at(10, 30, 50), at(20, 40)], '0:1 1:1 0:2 1:2 0:3'],
  ['rotated ones, named in the wrong order', [at(30, 40), at(10, 20)], '1:1 1:2 0:1 0:2'],
  ['equal times by the order of naming', [at(10, 20), at(10, 20)], '0:1 1:1 0:2 1:2'],
  ['each in its own order, even where its times go backwards', [at(10, 50, 20, 60), at(30, 55)], '0:1 1:1 0:2 0:3 1:2 0:4'],
  ['an empty one among others', [at(10), at(), at(5)], '2:1 0:1'],
];
for (const [what, captures, expected] of mergings) {
  test(`merges ${what}`, async (t) => {
    for (const inputs of [captures.map(write), captures.map(streamOf)]) {
      const { packets, diagnostics } = await merge(inputs);
      t.is(order(packets), expected);
      t.deepEqual(diagnostics, []);
    }
  });
}

test('puts packets without a time right behind the one before them', async (t) => {
  const writer = new PcapngWriter();
  const mixed = concat(
    writer.section(),
    writer.interface(),
    writer.simple([1]),
    writer.enhanced([2], { time: 20n }),
    writer.simple([3]),
    writer.enhanced([4], { time: 40n }),
  );
  const { packets } = await merge([write(at(10, 20, 30)), write(mixed)]);
  t.is(order(packets), '1:1 0:1 0:2 1:2 1:3 0:3 1:4');
});

test('reports what is unreadable and reads the others', async (t) => {
  const { packets, diagnostics, bytesRead } = await merge([join(folder, 'missing'), write(at(10)), folder]);
  t.is(order(packets), '1:1');
  t.is(bytesRead, 41);
  t.deepEqual(diagnostics, [
    { code: 'capture-unreadable', message: 'no such file', capture: 0 },
    { code: 'capture-unreadable', message: 'this is a directory; name the captures in it', capture: 2 },
  ]);
});

test('reports a single capture that is unreadable, and gives no packets', async (t) => {
  const { packets, diagnostics } = await merge([join(folder, 'missing')]);
  t.deepEqual(packets, []);
  t.deepEqual(diagnostics, [{ code: 'capture-unreadable', message: 'no such file', capture: 0 }]);
});

test.serial('reads standard input only once, however often it is named', (t) => {
  const script = `
    import { openCaptures } from './dist/src/capture/open-captures.js';
    const reader = await openCaptures(['-', '-'], { report: ({ message, capture }) => console.log(capture, message) });
    let packets = 0;
    for (let step = reader.next(); step !== 2; step = reader.next()) step === 0 ? packets++ : await reader.fill();
    await reader.close();
    console.log(packets);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { input: at(10, 20), encoding: 'utf8' });
  t.is(stdout, '1 standard input can be read only once\n2\n');
});

test('reports damage once, though files are opened twice', async (t) => {
  const cut = at(10, 20);
  const { packets, diagnostics } = await merge([write(cut.subarray(0, cut.length - 1)), write(at(30))]);
  t.is(order(packets), '0:1 1:1');
  t.deepEqual(
    diagnostics.map(({ code, capture, packet }) => [code, capture, packet]),
    [['capture-truncated', 0, 2]],
  );
});

test('adds up the bytes of all', async (t) => {
  const inputs = [at(10, 20), at(15), at(40)];
  const total = inputs.reduce((sum, bytes) => sum + bytes.length, 0);
  const { bytesRead, inputBytes } = await merge(inputs.map(write));
  t.is(bytesRead, total);
  t.is(inputBytes, total);
  t.is((await merge(inputs.map(streamOf))).inputBytes, undefined);
});

test.serial('keeps only those of many files open that overlap', async (t) => {
  const inputs = Array.from({ length: 50 }, (_, index) => write(at(index * 10, index * 10 + 15)));
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const before = descriptors();
  const reader = await openCaptures(inputs, { report() {} });
  let most = 0;
  let packets = 0;
  for (let step = reader.next(); step !== Step.ended; step = reader.next()) {
    if (step === Step.starved) await reader.fill();
    else packets++;
    most = Math.max(most, descriptors() - before);
  }
  await reader.close();
  t.is(packets, 100);
  t.true(most <= 4, `${most} descriptors`);
});

test('is a merge of sorted captures: all packets, in the order of time, stable', async (t) => {
  const capture = fc.array(fc.nat(50), { maxLength: 8 }).map((micros) => micros.sort((left, right) => left - right));
  await fc.assert(
    fc.asyncProperty(fc.array(capture, { minLength: 2, maxLength: 5 }), async (captures) => {
      const expected = captures
        .flatMap((micros, index) => micros.map((micro, position) => ({ micro, name: `${index}:${position + 1}` })))
        .sort((left, right) => left.micro - right.micro)
        .map(({ name }) => name);
      const { packets } = await merge(captures.map((micros) => streamOf(at(...micros))));
      t.is(order(packets), expected.join(' '));
    }),
    { numRuns: 100 },
  );
});
