import test from 'ava';
import fc from 'fast-check';
import yargs from 'yargs';
import { dissectCommand } from '../../src/cli/commands/dissect.ts';
import { plainArguments } from '../../src/cli/plain-words.ts';
import { PARSER_CONFIGURATION } from '../../src/cli/program.ts';

const MEMBERS = ['_', 'format', 'maxFrame', 'quiet', 'strict', 'full', 'noAbout', 'hex'];
const WORDS = ['a.pcap', './summary', '-', '/x/y', '-q', '--quiet', '--strict', '--full', '--no-about', '--hex', '-f', '--format'];
const OTHERS = ['tree', 'ndjson', 'line', 'xml', 'summary', '--', '-qf', '--format=tree', '--depth', '3', '', '--no-quiet', '--max-frame'];

async function byYargs(words: readonly string[]): Promise<Record<string, unknown>> {
  const parser = dissectCommand.builder(yargs().parserConfiguration(PARSER_CONFIGURATION).exitProcess(false).fail(false));
  return { ...(await parser.parseAsync([...words])) };
}

/** The members that plain words can set, without those that aren't there. */
function known(parsed: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parsed).filter(([name, value]) => MEMBERS.includes(name) && value !== undefined));
}

test('plain words mean what yargs makes of them', async (t) => {
  let understood = 0;
  const word = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...WORDS) }, { weight: 1, arbitrary: fc.constantFrom(...OTHERS) });
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (words) => {
      const plain = plainArguments(words);
      if (plain === null) return;
      understood++;
      t.deepEqual(known(plain), known(await byYargs(words)), words.join(' '));
    }),
    { numRuns: 1000 },
  );
  t.true(understood > 100);
});

test('all else is left to yargs', (t) => {
  const left = [
    [],
    ['--help'],
    ['capture'],
    ['summary', 'a.pcap'],
    ['a.pcap', '--depth', '3'],
    ['a.pcap', '-f', 'xml'],
    ['a.pcap', '-f'],
    ['--', 'a.pcap'],
    ['-qf', 'tree', 'a.pcap'],
    ['-q'],
  ];
  for (const words of left) t.is(plainArguments(words), null, words.join(' '));
});
