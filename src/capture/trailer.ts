import type { SourceWarning } from './byte-source.ts';
import type { SlidingWindow } from './sliding-window.ts';

/** Reads what follows the last compressed frame to its end: zeros are padding, anything else is ignored with a warning. */
export async function skipTrailer(input: SlidingWindow, format: string, warn: SourceWarning): Promise<void> {
  let bytes = 0;
  let zeros = true;
  while (await input.require(1)) {
    zeros &&= input.bytes.subarray(input.start, input.end).every((byte) => byte === 0);
    bytes += input.end - input.start;
    input.start = input.end;
  }
  if (!zeros) warn('record-suspicious', `ignored what follows the end of the ${format} data`, bytes);
  if (input.failure !== null) throw input.failure;
}
