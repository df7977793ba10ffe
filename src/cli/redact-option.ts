import type { Options } from 'yargs';
import type { Redactor } from '../redact/redactor.ts';

/** Whether to print pseudonyms: an option of the commands that print exchanges and answers. */
export const redactOptions = {
  redact: {
    type: 'string',
    conflicts: 'show-secrets',
    describe:
      'Print pseudonyms for client ids, users, addresses, names of resources, and values, so that the output can be given away. The same KEY (--redact=KEY) gives the same ones; without it every run has others. Config keys, codes, ids of brokers, ports, times, packet numbers and file names stay; sizes and offsets are those of the messages with the pseudonyms in them',
  },
} as const satisfies Record<string, Options>;

/** The redact option as yargs parses it: empty where it stands without a key. */
export interface RedactArguments {
  readonly redact?: string | undefined;
}

/** What puts the pseudonyms in; null where none are asked for. */
export async function redactorOf({ redact }: RedactArguments): Promise<Redactor | null> {
  if (redact === undefined) return null;
  const [{ Redactor }, { Pseudonyms }] = await Promise.all([import('../redact/redactor.ts'), import('../redact/pseudonyms.ts')]);
  return new Redactor(new Pseudonyms(redact));
}
