import test from 'ava';
import { parseByteSize } from '../../src/cli/byte-size.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

const sizes: readonly (readonly [string, number])[] = [
  ['1', 1],
  ['65536', 65536],
  ['64k', 65536],
  ['64KiB', 65536],
  ['64 KB', 64_000],
  ['100MiB', 104_857_600],
  ['1.5m', 1_572_864],
  ['1g', 1_073_741_824],
  ['2147483647', 2_147_483_647],
  ['10b', 10],
];

for (const [text, bytes] of sizes) {
  test(`${text} is ${bytes} bytes`, (t) => t.is(parseByteSize('--max-frame', text), bytes));
}

for (const text of ['', '0', '-1', '2g', '2147483648', '1e6', 'MiB', '12 parsecs', '0x10', '1 000']) {
  test(`"${text}" is no size`, (t) => {
    const error = t.throws(() => parseByteSize('--max-frame', text), { instanceOf: UsageError });
    t.true(error.message.startsWith('--max-frame takes '), error.message);
  });
}
