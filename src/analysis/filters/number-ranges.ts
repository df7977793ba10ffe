import { FilterError } from '../../errors.ts';

/** Reads whole numbers and ranges of them, separated by commas: `3`, `0-2,4`. */
export function parseNumbers(option: string, asked: string): (value: number) => boolean {
  const ranges = asked.split(',').map((part) => {
    const [, first, last = first] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first)) {
      throw new FilterError(`${option} takes whole numbers from 0 and ranges of them, as in 3 or 0-2,4, not ${asked}`);
    }
    return { first: Number(first), last: Number(last) };
  });
  return (value) => ranges.some(({ first, last }) => first <= value && value <= last);
}
