import { StdoutWriter } from '../../output/stdout-writer.ts';
import { apiKeyNamed, apiNames } from '../../schema/api-keys.ts';
import { Schemas } from '../../schema/schemas.ts';
import { parseVersions } from '../../schema/versions.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exit-code.ts';
import { colorOptions, parseCount } from '../options.ts';
import { createTerminalTheme, terminalWidth } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Says what the bytes of a message mean: facts, layout, object tree and schema. */
export const explainCommand = defineCommand({
  command: 'explain <name>',
  describe: "Explain an API's messages: facts, byte layout, object tree, schema",
  builder: (yargs) =>
    yargs
      .positional('name', { type: 'string', demandOption: true, describe: 'Name or key of the API: DescribeConfigs, 32' })
      .option('api-version', {
        type: 'string',
        requiresArg: true,
        coerce: (text: string) => parseCount('--api-version', text),
        describe: 'The newest where not given',
      })
      .option('request', { type: 'boolean', conflicts: 'response', describe: 'Only the request' })
      .option('response', { type: 'boolean', describe: 'Only the response' })
      .options(colorOptions),
  async run(parsed) {
    const [, ...others] = parsed._;
    if (others.length > 0) throw new UsageError(`explain takes one name, and ${others.join(' ')} beside it means nothing`);
    const apiKey = apiKeyOf(parsed.name);
    const schemas = await schemasFor(apiKey);
    const { explainPage, newestVersion } = await import('../../output/explain.ts');
    const version = parsed.apiVersion ?? newestVersion(schemas, apiKey) ?? 0;
    const side = parsed.request ? 'request' : parsed.response ? 'response' : null;
    const page = explainPage(schemas, { apiKey, version, side, width: terminalWidth(), theme: await createTerminalTheme(parsed) });
    if (page === null) throw new UsageError(unknownVersion(schemas, apiKey, version));
    const writer = new StdoutWriter();
    writer.buffer.utf8(page);
    writer.flush();
    return ExitCode.ok;
  },
});

function apiKeyOf(name: string): number {
  const key = apiKeyNamed(name);
  if (key !== null) return key;
  throw new UsageError(`there is no API ${name}; its name or key is asked for, as in explain DescribeConfigs or explain 32`);
}

/** The schemas of the one API that is always decoded, or of all: those are many. */
async function schemasFor(apiKey: number): Promise<Schemas> {
  const schemas = new Schemas();
  if (schemas.definition(apiKey, 'request') === null) {
    const { messages } = await import('../../schema/messages/messages.ts');
    schemas.add(messages);
  }
  return schemas;
}

function unknownVersion(schemas: Schemas, apiKey: number, version: number): string {
  const definition = schemas.definition(apiKey, 'request');
  const name = apiNames.get(apiKey);
  if (definition === null) return `there is no schema of ${name}`;
  const { first, last } = parseVersions(definition.validVersions);
  return `there is no schema of ${name} version ${version}: versions ${first} to ${last} are known`;
}
