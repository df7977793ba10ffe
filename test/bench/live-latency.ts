import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, median } from './measure.ts';

const PAUSE_MILLIS = 20;
const FILE_HEADER_BYTES = 24;
const RECORD_HEADER_BYTES = 16;
const LINE_FEED = 0x0a;

/**
 * Milliseconds from the write of the packet that ends an exchange, into the standard input of `command`, to the end of its line: the median over
 * a capture. `endings` are the numbers of such packets.
 */
export async function liveLatencyMillis(command: Command, capture: string, endings: ReadonlySet<number>): Promise<number> {
  const bytes = readFileSync(capture);
  const [program, ...words] = command;
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  let lineEnded = () => {};
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes(LINE_FEED)) lineEnded();
  });
  const latencies: number[] = [];
  child.stdin.write(bytes.subarray(0, FILE_HEADER_BYTES));
  let packet = 0;
  for (let at = FILE_HEADER_BYTES; at < bytes.length; ) {
    const end = at + RECORD_HEADER_BYTES + bytes.readUInt32LE(at + 8);
    packet++;
    const record = bytes.subarray(at, end);
    at = end;
    if (!endings.has(packet)) {
      child.stdin.write(record);
      continue;
    }
    await sleep(PAUSE_MILLIS);
    const line = new Promise<void>((resolve) => {
      lineEnded = resolve;
    });
    const begun = performance.now();
    child.stdin.write(record);
    await line;
    latencies.push(performance.now() - begun);
  }
  child.stdin.end();
  await once(child, 'close');
  // The first line waits for the program to start.
  return median(latencies.slice(1));
}
