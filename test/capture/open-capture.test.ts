import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { openCapture } from '../../src/capture/open-capture.ts';
import { Step } from '../../src/capture/packet.ts';
import type { CaptureReader } from '../../src/capture/record-reader.ts';
import type { Diagnostic } from '../../src/diagnostics.ts';
import { CaptureError } from '../../src/errors.ts';
import { brief, drain } from '../helpers/capture-bytes.ts';
import { pcapFile } from '../helpers/packets.ts';

const folder = mkdtempSync(join(tmpdir(), 'capture-'));
test.after.always(() => rmSync(folder, { recursive: true }));

const file = pcapFile([Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)]);
const RECORD_BYTES = 17;

function collector(): { diagnostics: Diagnostic[]; options: { capture: number; diagnostics: { report(diagnostic: Diagnostic): void } } } {
  const diagnostics: Diagnostic[] = [];
  return { diagnostics, options: { capture: 3, diagnostics: { report: (diagnostic) => void diagnostics.push(diagnostic) } } };
}

function write(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** The next packet's first byte, read on until there is one; null at the end. */
async function nextByte(reader: CaptureReader): Promise<number | null> {
  for (;;) {
    const step = reader.next();
    if (step === Step.ended) return null;
    if (step === Step.packet) return reader.packet.bytes[reader.packet.start] as number;
    await reader.fill();
  }
}

test('opens a file by its content, whatever its name says', async (t) => {
  const { options } = collector();
  const reader = await openCapture(write('capture.txt', gzipSync(file)), options);
  const packets = await drain(reader);
  t.deepEqual(
    packets.map(({ capture, number, data }) => [capture, number, data]),
    [
      [3, 1, '01'],
      [3, 2, '02'],
      [3, 3, '03'],
    ],
  );
  t.is(reader.bytesRead, file.length);
  t.is(reader.inputBytesRead, gzipSync(file).length);
  t.is(reader.inputBytes, gzipSync(file).length);
});

const refused: readonly (readonly [what: string, path: string, reason: string | RegExp])[] = [
  ['a missing file', join(folder, 'missing.pcap'), 'no such file'],
  ['a file as a folder', join(write('plain.pcap', file), 'x'), 'no such file'],
  ['a directory', folder, 'this is a directory; name the captures in it'],
  ['an empty file', write('empty.pcap', new Uint8Array()), /^the file is empty; pcap and pcapng captures are read/],
  ['an empty device', '/dev/null', /^the file is empty/],
  ['an endless device', '/dev/zero', /^this is no format known here/],
  ['a cut file header', write('cut.pcap', file.subarray(0, 23)), 'the pcap file header is cut short: 23 of 24 bytes are there'],
];
for (const [what, path, reason] of refused) {
  test(`refuses ${what} with a clear message`, async (t) => {
    const error = await t.throwsAsync(openCapture(path, collector().options), { instanceOf: CaptureError });
    if (typeof reason === 'string') t.is(error?.reason, reason);
    else t.regex(error?.reason ?? '', reason);
    t.is(error?.capture, path);
    t.is(error?.message, `${path}: ${error?.reason}`);
  });
}

test('gives the packets of a live stream as soon as they are there', async (t) => {
  const stream = new PassThrough();
  const { options, diagnostics } = collector();
  stream.write(file.subarray(0, 24 + RECORD_BYTES));
  const reader = await openCapture({ name: 'live', stream }, options);
  t.is(await nextByte(reader), 1);
  t.is(reader.next(), Step.starved);
  const filling = reader.fill();
  stream.write(file.subarray(24 + RECORD_BYTES, 24 + 2 * RECORD_BYTES));
  await filling;
  t.is(await nextByte(reader), 2);
  stream.end(file.subarray(24 + 2 * RECORD_BYTES, 24 + 2 * RECORD_BYTES + 5));
  t.is(await nextByte(reader), null);
  t.deepEqual(brief(diagnostics), [`capture-truncated 3@${24 + 2 * RECORD_BYTES} 5`]);
});

test('ends a waiting read when it is closed', async (t) => {
  const stream = new PassThrough();
  stream.write(file.subarray(0, 24));
  const reader = await openCapture({ name: 'live', stream }, collector().options);
  const filling = reader.fill();
  await reader.close();
  await filling;
  t.is(reader.next(), Step.ended);
});

test('reports a stream that fails, and gives what came before', async (t) => {
  const stream = new PassThrough();
  const { options, diagnostics } = collector();
  stream.write(file);
  const reader = await openCapture({ name: 'live', stream }, options);
  t.is(await nextByte(reader), 1);
  t.is(await nextByte(reader), 2);
  t.is(await nextByte(reader), 3);
  stream.destroy(new Error('cable cut'));
  t.is(await nextByte(reader), null);
  t.is(diagnostics[0]?.message, 'reading stopped: cable cut');
  t.deepEqual(brief(diagnostics), [`capture-unreadable 4@${file.length} -`]);
});

test('follows a FIFO that gets its writer only later', async (t) => {
  const path = join(folder, 'fifo');
  execFileSync('mkfifo', [path]);
  const opening = openCapture(path, collector().options);
  await delay(50);
  const writer = createWriteStream(path);
  writer.write(file.subarray(0, 24 + RECORD_BYTES));
  const reader = await opening;
  t.is(await nextByte(reader), 1);
  writer.end(file.subarray(24 + RECORD_BYTES));
  t.is(await nextByte(reader), 2);
  t.is(await nextByte(reader), 3);
  t.is(await nextByte(reader), null);
  await reader.close();
});

test('says where a file ends that has become shorter', async (t) => {
  const path = write('shrinks.pcap', Buffer.concat([file, new Uint8Array(17)]));
  const { options, diagnostics } = collector();
  const reader = await openCapture(path, { ...options, readBytes: 30 });
  t.is(reader.inputBytes, file.length + 17);
  // The next read goes on meanwhile: up to offset 60.
  await delay(50);
  truncateSync(path, 50);
  await drain(reader);
  t.deepEqual(brief(diagnostics), ['capture-truncated 3@58 2']);
});

test('reads a file that grows to its new end', async (t) => {
  const path = write('grows.pcap', file.subarray(0, 24));
  const reader = await openCapture(path, collector().options);
  writeFileSync(path, file.subarray(24), { flag: 'a' });
  t.is((await drain(reader)).length, 3);
});
