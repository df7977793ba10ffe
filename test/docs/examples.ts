import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { TestFn } from 'ava';
import { whyMissing } from '../helpers/maven.ts';
import { cliPath, runScript } from '../helpers/run-cli.ts';
import { examplesOf, shows } from './console.ts';

/** A program that examples use. */
export interface Helper {
  readonly name: string;
  /** Why it can't be had here, or null. Where left out: whether it is installed. */
  readonly whyMissing?: () => string | null;
  /** The lines of a script for `sh` that runs it. Where left out it is on PATH, if it is installed. */
  readonly script?: () => string;
}

/** A program in a document, and in the words before it the name of the file that holds it. */
const PROGRAM = /`([\w-]+\.mjs)`:\n\n```js\n(.*?)^```$/gms;

/**
 * Registers tests of a Markdown file: what its `console` blocks show is what the commands print, one after the other, in a folder where
 * nothing but `captures`, the document's programs and the library for them is; and its links lead somewhere. Examples whose helpers are missing are skipped, and say so.
 */
export function testExamples(test: TestFn<unknown>, document: string, helpers: readonly Helper[]): void {
  const markdown = readFileSync(document, 'utf8');
  const examples = examplesOf(markdown).map(({ command, shown }) => {
    const used = helpers.filter(({ name }) => new RegExp(`\\b${name} `).test(command));
    const missing = used.flatMap((helper) => (helper.whyMissing ? helper.whyMissing() : whyMissing(helper.name)) ?? []);
    return { command, shown, used, missing };
  });
  const folder = mkdtempSync(join(tmpdir(), 'kafka-dissect-docs-'));

  test.before((t) => {
    t.timeout(5 * 60_000);
    symlinkSync(resolve('captures'), join(folder, 'captures'));
    for (const [, name = '', program = ''] of markdown.matchAll(PROGRAM)) writeFileSync(join(folder, name), program);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(process.cwd(), join(folder, 'node_modules', 'kafka-dissect'));
    writeCommand(folder, 'kafka-dissect', `exec '${process.execPath}' '${cliPath}' "$@"`);
    const wanted = new Set(examples.filter(({ missing }) => missing.length === 0).flatMap(({ used }) => used));
    for (const { name, script } of wanted) if (script) writeCommand(folder, name, script());
  });
  test.after.always(() => rmSync(folder, { recursive: true, force: true }));

  test(`${document} has examples`, (t) => {
    t.true(examples.length > 0);
  });

  for (const { command, shown, missing } of examples) {
    const declare = missing.length === 0 ? test.serial : test.skip;
    const why = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')})`;
    declare(`${document} shows what is printed by: ${command.replaceAll('\n', ' ')}${why}`, async (t) => {
      const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
      const { stdout, stderr } = await runScript(command, { PATH: path }, folder);
      const output = stdout.trimEnd().split('\n');
      t.true(shows(shown.length === 0 ? [''] : shown, output), `It prints:\n${output.slice(0, 100).join('\n')}\n${stderr}`);
    });
  }

  test(`${document} links to what is there`, (t) => {
    const links = [...markdown.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
    t.deepEqual(
      links.filter((link) => !link.startsWith('https://') && !existsSync(join(dirname(document), link))),
      [],
    );
  });
}

function writeCommand(folder: string, name: string, script: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}
