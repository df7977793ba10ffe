import { spawnSync } from 'node:child_process';
import test from 'ava';

/** What is typed so far, its last word being the one to complete, and what must be offered for it: all of it, or among other things. */
interface Case {
  readonly words: readonly string[];
  readonly offered: readonly string[];
  readonly only: boolean;
}

const cases: readonly Case[] = [
  { words: ['--form'], offered: ['--format'], only: true },
  { words: ['-f', ''], offered: ['tree', 'ndjson', 'line'], only: true },
  { words: ['captures/rotated-1.pcap', '--color', 'al'], offered: ['always'], only: true },
  { words: ['ti'], offered: ['timeline'], only: true },
  { words: ['summary', '--format', ''], offered: ['table', 'ndjson'], only: true },
  { words: ['explain', 'DescribeConf'], offered: ['DescribeConfigs'], only: true },
  { words: ['explain', '--api-v'], offered: ['--api-version'], only: true },
  { words: ['--api', 'IncrementalA'], offered: ['IncrementalAlterConfigs'], only: true },
  { words: ['captures/rotated-'], offered: ['captures/rotated-1.pcap', 'captures/rotated-2.pcap'], only: true },
  { words: ['summary', 'captures/rotated-'], offered: ['captures/rotated-1.pcap', 'captures/rotated-2.pcap'], only: true },
  { words: [''], offered: ['summary', 'timeline', 'explain', 'captures'], only: false },
];

const shells: { readonly [shell: string]: (words: readonly string[]) => string[] } = {
  bash: (words) => lines('bash', ['test/docs/offered-by.bash', 'kafka-dissect', ...words]),
  fish: (words) => {
    const script = 'source completions/kafka-dissect.fish; complete -C "$argv"';
    return lines('fish', ['--no-config', '-c', script, ['kafka-dissect', ...words].join(' ')]).map((line) => line.split('\t')[0] ?? '');
  },
  // Below a folder zsh offers what stands in it, without the folder.
  zsh: (words) => {
    const [, folder = ''] = /^(.*\/)/.exec(words.at(-1) ?? '') ?? [];
    return lines('zsh', ['-f', 'test/docs/offered-by.zsh', ['kafka-dissect', ...words].join(' ')]).map((word) => folder + word);
  },
};

for (const [shell, offeredFor] of Object.entries(shells)) {
  const missing = spawnSync(shell, ['--version']).error !== undefined;
  for (const { words, offered, only } of cases) {
    (missing ? test.skip : test)(`${shell} completes: kafka-dissect ${words.join(' ')}${missing ? ` (no ${shell})` : ''}`, (t) => {
      const got = offeredFor(words).map((word) => word.replace(/[=/ ]$/, ''));
      if (only) t.deepEqual([...new Set(got)].sort(), [...offered].sort());
      else for (const word of offered) t.true(got.includes(word), `${word} isn't among ${got.join(' ')}`);
    });
  }
}

function lines(command: string, words: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(command, words, { encoding: 'utf8', timeout: 30_000 });
  if (stderr !== '') throw new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}
