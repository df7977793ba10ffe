import type { Options } from 'yargs';
import type { Filter } from '../analysis/filters/filter.ts';
import type { FilterOptions } from '../analysis/filters/filter-options.ts';
import { UsageError } from './usage-error.ts';

const GROUP = 'Filters:';

function filterOption(describe: string): Options & { readonly type: 'string' } {
  return { group: GROUP, type: 'string', requiresArg: true, describe };
}

/** Which exchanges, and what of them: options of every command that reads captures. */
export const filterOptions = {
  'client-id': filterOption("Client ids: a text, a glob ('app-*') or a /regex/"),
  client: filterOption('Clients: 10.0.0.9, 10.0.0.0/8, 2001:db8::/32, 10.0.0.9:51234, [2001:db8::1]:51234'),
  server: filterOption('Brokers: the same, or a port: 9092'),
  resource: filterOption("Resources: topic:orders, broker:1, group:'app-*', or of any type: 'orders*'"),
  key: filterOption("Config keys: retention.ms, 'retention.*', /\\.ms$/; other configs are left out, and counted"),
  'non-default': {
    group: GROUP,
    type: 'boolean',
    describe:
      'Only configs that somebody set: of another source than DEFAULT_CONFIG. Version 0 has no sources, and some brokers call no value a default there',
  },
  error: { group: GROUP, type: 'string', describe: 'Answers with an error: any, or a code or name: 29, TOPIC_AUTHORIZATION_FAILED' },
  status: filterOption('complete, partial, unanswered'),
  'api-version': filterOption('Versions of the API: 4, 0-2'),
  'slower-than': filterOption('Only what took longer, from the last byte of the request to that of the response: 200ms, 1.5s'),
  since: filterOption('From this time (2026-11-29T18:15:00Z) or offset from the first packet (+30s, 2m) on'),
  until: filterOption('Up to, and without, this time or offset'),
  stream: filterOption('TCP connections by number, as Wireshark counts: 3, 0-9'),
} as const satisfies Record<string, Options>;

/** The filter options as yargs parses them. */
export type FilterArguments = FilterOptions;

/** The filter that the options ask for; null where they ask for none. Throws a `FilterError` for what can't be understood, or met. */
export async function filterOf(parsed: FilterArguments, localTime = false): Promise<Filter | null> {
  const { clientId, client, server, resource, key, nonDefault, error, status, apiVersion, slowerThan, since, until, stream } = parsed;
  const options = { clientId, client, server, resource, key, nonDefault, error, status, apiVersion, slowerThan, since, until, stream };
  if (Object.values(options).every((value) => value === undefined)) return null;
  const { Filter } = await import('../analysis/filters/filter.ts');
  return new Filter({ ...options, localTime });
}

/** Looks like a value of `--error`: a capture's name has a dot or a slash in it, or is `-`. */
const ERROR_VALUE = /^(?:-?\d+|\w+)(?:,(?:-?\d+|\w+))*$/;

/**
 * Words as yargs can't misread them: `--error` and `--redact` may stand alone, and the next word then is a capture. Throws a {@link UsageError} where a
 * filter is given twice, since the second would silently win.
 */
export function prepareFilterWords(words: readonly string[]): string[] {
  const prepared: string[] = [];
  const seen = new Set<string>();
  for (const [index, word] of words.entries()) {
    if (word === '--') return [...prepared, ...words.slice(index)];
    const [, name] = /^--([a-z-]+)(?:=|$)/.exec(word) ?? [];
    if (name !== undefined && name in filterOptions) {
      if (seen.has(name)) throw new UsageError(`--${name} is given twice; several values are separated by commas, as in --${name} a,b`);
      seen.add(name);
    }
    const standsAlone = word === '--redact' || (word === '--error' && !ERROR_VALUE.test(words[index + 1] ?? ''));
    prepared.push(standsAlone ? `${word}=` : word);
  }
  return prepared;
}
