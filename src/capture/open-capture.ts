import type { DiagnosticSink } from '../diagnostics.ts';
import { CaptureError } from '../errors.ts';
import { READ_BYTES } from '../limits.ts';
import type { ByteSource, SourceWarning } from './byte-source.ts';
import { type ClassicHeader, FILE_HEADER_BYTES, parseClassicHeader } from './classic-header.ts';
import { ClassicReader } from './classic-reader.ts';
import { type CaptureInput, inputName, openSource } from './open-source.ts';
import { PcapngReader } from './pcapng-reader.ts';
import type { CaptureReader } from './record-reader.ts';
import { SlidingWindow } from './sliding-window.ts';
import { ACCEPTED_FORMATS, SNIFF_BYTES, sniff, TEXT_BYTES } from './sniff.ts';

/** Which of several captures this is, and where what is found in it goes. */
export interface OpenOptions {
  readonly capture: number;
  readonly diagnostics: DiagnosticSink;
  /** Bytes read at once; {@link READ_BYTES} by default. */
  readonly readBytes?: number;
}

/**
 * Opens a capture: pcap or pcapng, plain or compressed, told by its content and never by its name. Throws a {@link CaptureError} where it can't
 * be opened or isn't one; damage further on goes to the diagnostics while reading.
 */
export async function openCapture(input: CaptureInput, options: OpenOptions): Promise<CaptureReader> {
  return readCapture(await openSource(input), inputName(input), options);
}

/** Like {@link openCapture}, with bytes from anywhere. Closes the source where it throws. */
export async function readCapture(source: ByteSource, name: string, options: OpenOptions): Promise<CaptureReader> {
  try {
    return await recognize(new SlidingWindow(source, options.readBytes ?? READ_BYTES), name, options, '');
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** `outer` names the compression around the window's bytes. */
async function recognize(window: SlidingWindow, name: string, options: OpenOptions, outer: string): Promise<CaptureReader> {
  await window.require(SNIFF_BYTES);
  let sniffed = sniff(window.bytes, window.start, window.end);
  if (sniffed.format === null) {
    await window.require(TEXT_BYTES);
    sniffed = sniff(window.bytes, window.start, window.end);
  }
  // A stream that stops at once says more about itself than about what is missing.
  if (window.failure !== null && sniffed.format === null) throw new CaptureError(name, window.failure.message);
  switch (sniffed.format) {
    case 'pcap':
      return new ClassicReader(window, await classicHeader(window, name), options.capture, options.diagnostics);
    case 'pcapng':
      return new PcapngReader(window, options.capture, options.diagnostics);
    case 'gzip':
    case 'zstd': {
      if (outer !== '') throw new CaptureError(name, `this is ${sniffed.format} inside of ${outer}; decompress it first`);
      const inner = await decompress(sniffed.format, window, options);
      return recognize(new SlidingWindow(inner, window.readBytes), name, options, sniffed.format);
    }
    default: {
      const inside = outer === '' ? '' : `inside of ${outer}: `;
      throw new CaptureError(name, `${inside}${sniffed.name}; ${ACCEPTED_FORMATS}`);
    }
  }
}

async function decompress(format: 'gzip' | 'zstd', window: SlidingWindow, options: OpenOptions): Promise<ByteSource> {
  const { capture, diagnostics } = options;
  const warn: SourceWarning = (code, message, bytes) => diagnostics.report({ code, message, capture, bytes });
  if (format === 'gzip') return new (await import('./gzip-source.ts')).GzipSource(window, warn);
  return new (await import('./zstd-source.ts')).ZstdSource(window, warn);
}

async function classicHeader(window: SlidingWindow, name: string): Promise<ClassicHeader> {
  if (!(await window.require(FILE_HEADER_BYTES))) {
    const available = window.end - window.start;
    throw new CaptureError(name, `the pcap file header is cut short: ${available} of ${FILE_HEADER_BYTES} bytes are there`);
  }
  const header = await parseClassicHeader(window.bytes.subarray(window.start, window.start + FILE_HEADER_BYTES));
  if (header?.majorVersion !== 2) throw new CaptureError(name, "this version of pcap isn't known; versions 2.0 to 2.4 are read");
  window.start += FILE_HEADER_BYTES;
  return header;
}
