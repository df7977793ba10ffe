import type { ByteSource } from '../../src/capture/byte-source.ts';
import { readCapture } from '../../src/capture/open-capture.ts';
import { type Packet, Step } from '../../src/capture/packet.ts';
import type { CaptureReader } from '../../src/capture/record-reader.ts';
import type { Diagnostic } from '../../src/diagnostics.ts';

/** A packet as it was read, on its own: its captured bytes in hexadecimal. */
export type ReadPacket = Omit<Packet, 'bytes' | 'start' | 'end'> & { data: string };

/** All that a capture gave. */
export interface ReadResult {
  packets: ReadPacket[];
  diagnostics: Diagnostic[];
  bytesRead: number;
}

/** Bytes from memory, handed over in chunks of the given sizes, over and over; in one where there are none. */
export class MemorySource implements ByteSource {
  inputBytesRead = 0;
  readonly inputBytes: number;
  readonly #bytes: Uint8Array;
  readonly #chunkSizes: readonly number[];
  #reads = 0;

  constructor(bytes: Uint8Array, chunkSizes: readonly number[] = []) {
    this.#bytes = bytes;
    this.inputBytes = bytes.length;
    this.#chunkSizes = chunkSizes;
  }

  async read(target: Uint8Array, start: number, end: number): Promise<number> {
    const chunkBytes = this.#chunkSizes[this.#reads++ % this.#chunkSizes.length] ?? this.#bytes.length;
    const chunk = this.#bytes.subarray(this.inputBytesRead, this.inputBytesRead + Math.min(chunkBytes, end - start));
    target.set(chunk, start);
    this.inputBytesRead += chunk.length;
    return chunk.length;
  }

  async close(): Promise<void> {}
}

/** Reads a reader to its end. */
export async function drain(reader: CaptureReader): Promise<ReadPacket[]> {
  const packets: ReadPacket[] = [];
  for (let step = reader.next(); step !== Step.ended; step = reader.next()) {
    if (step === Step.starved) await reader.fill();
    else packets.push(own(reader.packet));
  }
  await reader.close();
  return packets;
}

/** Reads a whole capture from memory. */
export async function readBytes(bytes: Uint8Array, chunkSizes?: readonly number[], windowBytes = 256): Promise<ReadResult> {
  const diagnostics: Diagnostic[] = [];
  const sink = { report: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) };
  const source = new MemorySource(bytes, chunkSizes);
  const reader = await readCapture(source, 'test.pcap', { capture: 0, diagnostics: sink, readBytes: windowBytes });
  const packets = await drain(reader);
  return { packets, diagnostics, bytesRead: reader.bytesRead };
}

/** An owned copy. */
export function own(packet: Packet): ReadPacket {
  const { bytes, start, end, ...rest } = packet;
  return { ...rest, data: Buffer.from(bytes.subarray(start, end)).toString('hex') };
}

/** Each diagnostic as `code packet@offset bytes`, for tables. */
export function brief(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, packet, fileOffset, bytes }) => `${code} ${packet ?? '-'}@${fileOffset ?? '-'} ${bytes ?? '-'}`);
}
