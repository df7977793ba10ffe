import test from 'ava';
import { examplesOf, shows } from './console.ts';

const block = (...lines: string[]) => ['```console', ...lines, '```'].join('\n');

test('a block holds commands, their further lines and their output', (t) => {
  const text = `Words.\n\n${block('$ one |', '> two', 'out', '', 'more', '$ three')}\n\n\`\`\`sh\n$ not this\n\`\`\`\n`;
  t.deepEqual(examplesOf(text), [
    { command: 'one |\ntwo', shown: ['out', '', 'more'] },
    { command: 'three', shown: [] },
  ]);
});

test('a block that begins with output is refused', (t) => {
  t.throws(() => examplesOf(block('out')), { message: /begins with output/ });
});

const cases: readonly (readonly [string, string[], string[], boolean])[] = [
  ['the same lines', ['a', 'b'], ['a', 'b'], true],
  ['another line', ['a', 'b'], ['a', 'c'], false],
  ['a line too few', ['a', 'b'], ['a'], false],
  ['a line too many', ['a'], ['a', 'b'], false],
  ['lines left out before', ['…', 'c'], ['a', 'b', 'c'], true],
  ['lines left out between', ['a', '…', 'c'], ['a', 'b', 'b', 'c'], true],
  ['lines left out behind', ['a', '…'], ['a', 'b'], true],
  ['lines left out, and what follows is missing', ['a', '…', 'd'], ['a', 'b', 'c'], false],
  ['lines left out, and more than is shown follows', ['…', 'b'], ['a', 'b', 'c'], false],
  ['the rest of a line left out', ['abc…'], ['abcdef'], true],
  ['the rest of another line left out', ['abc…'], ['abdef'], false],
];

for (const [title, shown, output, expected] of cases) {
  test(`compares ${title}`, (t) => {
    t.is(shows(shown, output), expected);
  });
}
