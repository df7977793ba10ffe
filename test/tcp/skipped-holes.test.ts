import test from 'ava';
import { run, type TableOptions } from '../helpers/segment-table.ts';

interface Row {
  title: string;
  segments: string[];
  comesOut: string[];
  options?: TableOptions;
}

/** A handshake, and as many segments as it takes to know what the checksums say: the next byte is 9. */
const begun = ['> 0 SYN', '< 0 SYN', '> 1', ...'abcdefgh'.split('').map((letter, i) => `> ${i + 1} ${letter}`)];

const rows: Row[] = [
  {
    title: 'a hole in bytes that nobody wants is passed over at once, and missing in the end',
    segments: [...begun, '> 12 lmn', '< 1 ack=15', '> 15 op'],
    comesOut: ['>abcdefgh', '>skip 3', '>lmnop', '>missing 3 of 8', 'capture-ended'],
  },
  {
    title: 'what comes late of it is not missing',
    segments: [...begun, '> 14 n', '> 9 ij', '> 12 l', '> 11 k', '> 13 m', '< 1 ack=15'],
    comesOut: ['>abcdefgh', '>skip 5', '>n', 'capture-ended'],
  },
  {
    title: 'what comes late of its middle leaves two holes',
    segments: [...begun, '> 14 n', '> 11 k', '< 1 ack=15'],
    comesOut: ['>abcdefgh', '>skip 5', '>n', '>missing 2 of 6', '>missing 2 of 3', 'capture-ended'],
  },
  {
    title: 'it is missing once it was acknowledged and waited for, and what comes after that is late',
    segments: [...begun, '> 12 l', '< 1 ack=13 t=2', '> 13 m t=9', '> 15 o t=9.1', '> 9 i t=9.2'],
    comesOut: ['>abcdefgh', '>skip 3', '>lm', '>missing 3 of 5', '>skip 1', '>o', '>late 1', '>missing 1 of 2', 'capture-ended'],
  },
  {
    title: 'what was not acknowledged may be sent again, however late',
    segments: [...begun, '< 1 x ack=9', '> 12 l', '> 13 m t=9', '> 15 o t=9.1', '> 9 ijk t=9.2', '> 14 n t=9.3'],
    comesOut: ['>abcdefgh', '<x', '>skip 3', '>lm', '>skip 1', '>o', 'capture-ended'],
  },
  {
    title: 'a damaged segment passes over nothing',
    segments: [...begun, '> 40 zzz bad', '> 9 ijk', '> 12 lmn'],
    comesOut: ['>abcdefghijklmn', '>damaged-copy 3', 'capture-ended'],
  },
  {
    title: 'a hole that reaches into what is wanted is waited for',
    segments: [...begun, '> 12 lmn', '> 9 ijk'],
    comesOut: ['>abcdefghijklmn', 'capture-ended'],
    options: { wanted: [10, 11] },
  },
  {
    title: 'a hole that ends with what nobody wants is waited for, unless it was acknowledged',
    segments: [...begun, '> 12 lmn', '> 9 ijk'],
    comesOut: ['>abcdefghijklmn', 'capture-ended'],
    options: { wanted: [11, 100] },
  },
  {
    title: 'an acknowledged one is passed over',
    segments: [...begun, '< 1 ack=12', '> 12 lmn', '> 9 ijk'],
    comesOut: ['>abcdefgh', '>skip 3', '>lmn', 'capture-ended'],
    options: { wanted: [11, 100] },
  },
  {
    title: 'holes between segments that had to wait are passed over with them',
    segments: [...begun, '> 12 lm', '> 16 pq', '> 9 ijk'],
    comesOut: ['>abcdefghijklm', '>skip 2', '>pq', '>missing 2 of 4', 'capture-ended'],
    options: { wanted: [10, 11] },
  },
];

for (const { title, segments, comesOut, options } of rows) {
  test(title, (t) => {
    t.deepEqual(run(segments, { wanted: [0, 0], ...options }).events, comesOut);
  });
}
