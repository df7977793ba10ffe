import { UsageError } from './usage-error.ts';

/** Bytes in a unit; letters alone are binary, as in `head -c` and `dd`. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  kib: 2 ** 10,
  kb: 1e3,
  m: 2 ** 20,
  mib: 2 ** 20,
  mb: 1e6,
  g: 2 ** 30,
  gib: 2 ** 30,
  gb: 1e9,
};

/** Largest value of a Kafka frame's size prefix, an int32. */
const MAX_FRAME_SIZE = 2 ** 31 - 1;

/** Reads `65536`, `100MiB`, `64k` as a number of bytes from 1 to the largest frame there can be; anything else is a {@link UsageError}. */
export function parseByteSize(option: string, text: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?) *([a-z]*)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (digits === undefined || factor === undefined)
    throw new UsageError(`${option} takes a number of bytes, as in 65536 or 100MiB, not ${text}`);
  const bytes = Math.floor(Number(digits) * factor);
  if (bytes < 1 || bytes > MAX_FRAME_SIZE)
    throw new UsageError(`${option} takes from 1 to ${MAX_FRAME_SIZE} bytes (a frame's size is an int32), not ${text}`);
  return bytes;
}
