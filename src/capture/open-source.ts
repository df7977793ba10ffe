import { close, constants, fstat, open, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { CaptureError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { DescriptorSource } from './descriptor-source.ts';
import { StreamSource } from './stream-source.ts';

/** A capture to read: a path, `-` for standard input, or a stream of capture bytes with the name to call it by. */
export type CaptureInput = string | { readonly name: string; readonly stream: Readable };

const STANDARD_INPUT = 0;
const openFile = promisify(open);
const closeDescriptor = promisify(close);
const statDescriptor = promisify(fstat);

/** The name to call a capture by. */
export function inputName(input: CaptureInput): string {
  return typeof input === 'string' ? input : input.name;
}

/** Opens a capture's bytes, whatever they hold. Throws a {@link CaptureError} where there are none to be had. */
export async function openSource(input: CaptureInput): Promise<ByteSource> {
  if (typeof input !== 'string') return new StreamSource(input.stream);
  let descriptor = STANDARD_INPUT;
  try {
    // Not blocking: a FIFO without a writer would hold a thread, and with it the end of the process.
    if (input !== '-') descriptor = await openFile(input, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return sourceOf(input, descriptor, await statDescriptor(descriptor));
  } catch (error) {
    if (descriptor !== STANDARD_INPUT) await closeDescriptor(descriptor);
    throw error instanceof CaptureError ? error : new CaptureError(input, openFailure(error as NodeJS.ErrnoException), { cause: error });
  }
}

function sourceOf(name: string, descriptor: number, stats: Stats): ByteSource {
  if (stats.isFile()) return new DescriptorSource(descriptor, stats.size);
  if (stats.isDirectory()) throw new CaptureError(name, 'this is a directory; name the captures in it');
  if (stats.isFIFO() || stats.isSocket()) return new StreamSource(new Socket({ fd: descriptor, readable: true, writable: false }));
  if (isatty(descriptor))
    throw new CaptureError(
      name,
      'this is a terminal; pipe a capture into it, as in tcpdump -U --immediate-mode -B 32768 -w - | kafka-dissect -',
    );
  return new DescriptorSource(descriptor, undefined);
}

function openFailure(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'no such file';
    case 'EACCES':
    case 'EPERM':
      return 'no permission to read it';
    case 'ENXIO':
      return 'this is a socket or a device without a driver';
    default:
      return `it can't be opened: ${error.message}`;
  }
}
