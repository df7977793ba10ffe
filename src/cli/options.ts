import type { Options } from 'yargs';
import { apiKeyNamed } from '../schema/api-keys.ts';
import { parseByteSize } from './byte-size.ts';
import { UsageError } from './usage-error.ts';

/** What is read and how: options of every command that reads captures. */
export const captureOptions = {
  interface: {
    alias: 'i',
    type: 'string',
    requiresArg: true,
    describe: 'Capture from a network interface, by tcpdump or dumpcap, instead of reading files',
  },
  filter: { type: 'string', requiresArg: true, implies: 'interface', describe: "What to capture, in tcpdump's words: 'port 9092'" },
  'max-frame': {
    type: 'string',
    requiresArg: true,
    default: '100MiB',
    coerce: (text: string) => parseByteSize('--max-frame', text),
    describe: 'Give up Kafka frames larger than this',
  },
  strict: { type: 'boolean', describe: 'Exit with 3 if anything was lost or malformed' },
  quiet: { alias: 'q', type: 'boolean', describe: 'Say nothing on stderr but errors' },
} as const satisfies Record<string, Options>;

/** Whose exchanges are printed. */
export const apiOptions = {
  api: {
    type: 'string',
    requiresArg: true,
    coerce: (text: string) => parseApis('--api', text),
    describe: 'Print the exchanges of these APIs, by name or key, or of all, instead of DescribeConfigs alone: 32,AlterConfigs',
  },
} as const satisfies Record<string, Options>;

/** Whether to print in colour. */
export const colorOptions = {
  color: { choices: ['always', 'auto', 'never'] as const, requiresArg: true, describe: 'auto is for terminals only, where not given' },
  'no-color': { type: 'boolean', conflicts: 'color', describe: 'The same as --color never' },
} as const satisfies Record<string, Options>;

/** How times are shown to the eye. */
const timeOptions = {
  local: {
    type: 'boolean',
    conflicts: 'relative',
    describe: 'Trees, lines and tables: times of the local time zone, not UTC; --since and --until too',
  },
  relative: { type: 'boolean', describe: 'Trees, lines and tables: times from the first packet on' },
} as const satisfies Record<string, Options>;

/** How exchanges are printed. */
export const printOptions = {
  format: {
    alias: 'f',
    choices: ['tree', 'ndjson', 'line'] as const,
    requiresArg: true,
    describe: 'tree on a terminal, ndjson into a pipe, where not given',
  },
  full: { type: 'boolean', describe: 'Trees: cut no long values' },
  'no-about': { type: 'boolean', describe: 'Trees: leave out what the fields mean' },
  hex: { type: 'boolean', describe: 'Trees: add the byte layout' },
  depth: {
    type: 'string',
    requiresArg: true,
    coerce: (text: string) => parseCount('--depth', text),
    describe: 'Trees: fold what lies deeper than this many levels',
  },
  ...timeOptions,
  ...colorOptions,
  'show-secrets': { type: 'boolean', describe: 'Print sensitive values that a broker sent' },
} as const satisfies Record<string, Options>;

/** How answers are printed that are rows. */
export const answerOptions = {
  format: {
    alias: 'f',
    choices: ['table', 'ndjson'] as const,
    requiresArg: true,
    describe: 'table on a terminal, ndjson into a pipe, where not given',
  },
  ...timeOptions,
  ...colorOptions,
  'show-secrets': { type: 'boolean', describe: 'Print sensitive values that were sent' },
} as const satisfies Record<string, Options>;

/**
 * The captures named on the command line. Throws {@link UsageError} where there are none, or where standard input can't be meant.
 *
 * yargs' own positionals can't be used for them: in a list of positionals it loses `-`, and what stands behind `--`.
 */
export function capturesOf(words: readonly (string | number)[], stdinIsTerminal: boolean): string[] {
  const captures = words.map(String);
  if (captures.length === 0) {
    const hint = stdinIsTerminal ? 'name a capture file' : 'standard input is read where the capture is named -';
    throw new UsageError(`no capture given: ${hint}`);
  }
  const inputs = captures.filter((capture) => capture === '-').length;
  if (inputs > 1) throw new UsageError('- is given more than once, but standard input can be read only once');
  if (inputs === 1 && stdinIsTerminal) {
    throw new UsageError(
      'standard input is a terminal: pipe a capture into it, as in tcpdump -U --immediate-mode -B 32768 -w - | kafka-dissect -',
    );
  }
  return captures;
}

/** Reads a whole number from 0; anything else is a {@link UsageError}. */
export function parseCount(option: string, text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new UsageError(`${option} takes a whole number from 0, not ${text}`);
  return count;
}

/** Reads API names and keys separated by commas, or `all`; anything else is a {@link UsageError}. */
export function parseApis(option: string, text: string): ReadonlySet<number> | 'all' {
  if (text.toLowerCase() === 'all') return 'all';
  const keys = text.split(',').map((name) => {
    const key = apiKeyNamed(name.trim());
    if (key === null) throw new UsageError(`${option}: there is no API ${name}; names and keys are taken, as in AlterConfigs,44, or all`);
    return key;
  });
  return new Set(keys);
}
