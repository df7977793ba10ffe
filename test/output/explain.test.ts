import { readFileSync } from 'node:fs';
import test from 'ava';
import { Chalk } from 'chalk';
import { explainPage, newestVersion } from '../../src/output/explain.ts';
import { createTheme } from '../../src/output/theme.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { matchesGolden } from './golden.ts';

const DESCRIBE_CONFIGS = 32;
const theme = createTheme(new Chalk({ level: 0 }));
const schemas = new Schemas();

function pageOf(version: number, side: 'request' | 'response' | null = null, apiKey = DESCRIBE_CONFIGS): string {
  return explainPage(schemas, { apiKey, version, side, width: null, theme }) ?? '';
}

/** The page's text without white space, which its source has lost, and without the parts that may differ, each named. */
function essence(page: string): string {
  return page
    .split('\n')
    .map((line) => (isByteLayout(line) ? '' : line.replace(versionsTail, '')))
    .join('')
    .replaceAll(/\s/g, '');
}

/** The page is about brokers of Kafka 4: what we say of older ones behind its range. */
const versionsTail = / \(Kafka 4\), 0 \(older releases, decoded as well\)$/;

/** The ruler, the rows' offsets and bytes, and the letters of their regions: the page's source has kept the offsets alone. */
function isByteLayout(line: string): boolean {
  return /^[0-9A-F]$|^[0-9a-f]{4}( .*)?$|^ +0 {2}1 |^ {6,}[A-Z] ?|^F frame {2}/.test(line);
}

test('the page of version 4 is the one that Kafka users know', (t) => {
  const seed = readFileSync('test/data/DescribeConfigs.txt', 'utf8');
  t.is(essence(pageOf(4)), essence(seed));
});

test('only the byte layout and the older versions differ from that page', (t) => {
  const page = pageOf(4).split('\n');
  t.is(page.filter((line) => isByteLayout(line)).length, 2 + 2 * 2 + 2 + 3 * 2);
  t.is(page.filter((line) => versionsTail.test(line)).length, 2);
});

for (const version of [0, 1, 2, 3, 4]) {
  test(`the page of version ${version} is as its golden file`, (t) => {
    matchesGolden(t, `explain-v${version}`, pageOf(version));
  });
}

test('one side can be asked for', (t) => {
  t.true(pageOf(4, 'request').includes('\nRequest\n') && !pageOf(4, 'request').includes('\nResponse\n'));
  t.true(pageOf(4, 'response').includes('\nResponse\n') && !pageOf(4, 'response').includes('\nRequest\n'));
});

test('a version without a schema has no page', (t) => {
  t.is(explainPage(schemas, { apiKey: DESCRIBE_CONFIGS, version: 5, side: null, width: null, theme }), null);
  t.is(newestVersion(schemas, DESCRIBE_CONFIGS), 4);
  t.is(newestVersion(schemas, 9999), null);
});

test('the schema on the page is JSON once its comments are gone', (t) => {
  for (const version of [0, 4]) {
    const [, ...parts] = pageOf(version).split('kafka message schema (.json)\n');
    t.is(parts.length, 2);
    for (const part of parts) {
      const [text = ''] = part.split('\n\nResponse\n');
      const schema = JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, '')) as { validVersions: string; fields: unknown[] };
      t.is(schema.validVersions, version === 0 ? '0-4' : '1-4');
    }
  }
});

test('every message that has a schema has a page in every version', (t) => {
  const all = new Schemas();
  all.add(messages);
  let pages = 0;
  for (let apiKey = 0; apiKey < 100; apiKey++) {
    for (let version = 0; version <= (newestVersion(all, apiKey) ?? -1); version++) {
      const page = explainPage(all, { apiKey, version, side: null, width: 100, theme });
      if (page === null) continue;
      pages += 1;
      t.notRegex(page, /undefined|not decoded|NaN/);
      for (const text of page.split('kafka message schema (.json)\n').slice(1)) {
        t.notThrows(() => JSON.parse(text.split('\n\nResponse\n')[0]?.replaceAll(/^ *\/\/.*$/gm, '') ?? ''), `${apiKey} ${version}`);
      }
    }
  }
  t.true(pages > 300, String(pages));
});
