import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { whyMissing } from '../helpers/maven.ts';
import { cliPath, runScript } from '../helpers/run-cli.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { examplesOf, shows } from './console.ts';

const documents = ['README.md'];
/** Programs that examples use, and that may not be there. */
const helpers = ['jq'];

for (const document of documents) {
  const examples = examplesOf(readFileSync(document, 'utf8'));

  test(`${document} has examples`, (t) => {
    t.true(examples.length > 0);
  });

  for (const { command, shown } of examples) {
    const missing = helpers.filter((helper) => new RegExp(`\\b${helper} `).test(command) && whyMissing(helper) !== null);
    const declare = missing.length === 0 ? test : test.skip;
    declare(
      `${document} shows what is printed by: ${command.replaceAll('\n', ' ')}${missing.map((name) => ` (no ${name})`).join()}`,
      async (t) => {
        const { stdout } = await runScript(command, { PATH: pathWithCommand(t) });
        const output = stdout.trimEnd().split('\n');
        t.true(shows(shown, output), `It prints:\n${output.slice(0, 100).join('\n')}`);
      },
    );
  }

  test(`${document} links to what is there`, (t) => {
    const links = [...readFileSync(document, 'utf8').matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
    t.deepEqual(
      links.filter((link) => !link.startsWith('https://') && !existsSync(link)),
      [],
    );
  });
}

/** A PATH on which `kafka-dissect` is the command of this checkout. */
function pathWithCommand(t: ExecutionContext): string {
  const folder = scratchFolder(t);
  const command = join(folder, 'kafka-dissect');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${cliPath}' "$@"\n`);
  chmodSync(command, 0o755);
  return `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
}
