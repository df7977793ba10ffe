import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { object, optional, text } from '../../src/output/schema/json-schema.ts';
import { recordSchema } from '../../src/output/schema/record-schema.ts';
import { runCli } from '../helpers/run-cli.ts';

const GOLDEN = 'test/golden/captures';
const INCIDENT = 'captures/incident-orders-retention.pcap.gz';

const validate = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false }).compile(recordSchema());

/** What is wrong with the first line that isn't as the schema says. */
function firstMistake(ndjson: string): string | null {
  for (const line of ndjson.split('\n')) {
    if (line !== '' && !validate(JSON.parse(line))) return `${JSON.stringify(validate.errors?.slice(0, 3))} in ${line.slice(0, 400)}`;
  }
  return null;
}

const goldenFiles = readdirSync(GOLDEN).filter((name) => name.endsWith('.ndjson'));

test('there are golden files', (t) => {
  t.true(goldenFiles.length > 10);
});

for (const name of goldenFiles) {
  test(`every line of ${name} is as the schema says`, (t) => {
    t.is(firstMistake(readFileSync(join(GOLDEN, name), 'utf8')), null);
  });
}

const commands: readonly (readonly string[])[] = [
  ['--events', INCIDENT],
  ['--api', 'all', INCIDENT],
  ['--api', 'all', '--events', 'captures/kafka1.1-sarama-sasl-tokens-v1.pcap', 'captures/kafka4.1-tls1.3.pcap'],
  ['--events', '--key', 'retention.*', INCIDENT],
  ['--events', 'captures/rotated-1.pcap', 'captures/kafka2.8-gap-in-response-v4.pcap', 'no-such-file'],
  ['summary', INCIDENT],
  ['summary', 'captures/rotated-1.pcap', 'captures/kafka4.2-java-sasl-reauth-v4.pcap', 'captures/kafka4.1-tls1.3.pcap'],
  ['timeline', INCIDENT],
  ['timeline', '--resource', 'topic:orders', INCIDENT],
  ['diff', '--left', '@2026-11-29T18:14:30Z', '--right', '@2026-11-29T18:17:30Z', INCIDENT],
  ['diff', 'captures/kafka2.8-franz-v4.pcap', 'captures/kafka4.1-java-any-sll2-v4.pcap'],
  ['show', '1', INCIDENT],
  ['show', '1', 'captures/rotated-1.pcap', 'captures/rotated-2.pcap'],
];

for (const words of commands) {
  test(`every line of ${words.join(' ')} is as the schema says`, async (t) => {
    const { stdout, stderr } = await runCli(words);
    t.not(stdout, '', stderr);
    t.is(firstMistake(stdout), null);
  });
}

test('the schema refuses what no record is', async (t) => {
  const { stdout } = await runCli(['-q', INCIDENT]);
  const record = JSON.parse(stdout.split('\n')[0] ?? '') as Record<string, unknown>;
  t.true(validate(record));
  for (const [member, value] of [
    ['type', 'other'],
    ['number', '1'],
    ['status', 'whole'],
    ['time', '2026-11-29'],
    ['stream', null],
    ['surprise', 1],
    ['response', { throttleTimeMs: 0, results: [{ errorCode: 'NONE' }] }],
    ['request', { topics: [] }],
  ] as const) {
    t.false(validate({ ...record, [member]: value }), member);
  }
  const { stream: _, ...streamless } = record;
  t.false(validate(streamless));
});

test('the schema stands alone', (t) => {
  const schema = recordSchema();
  t.is(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema');
  const definitions = Object.keys(schema['$defs'] as object);
  for (const reference of JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g))
    t.true(definitions.includes(reference[1] as string));
});

test('nothing stands beside schema', async (t) => {
  const { code, stderr } = await runCli(['schema', 'x.pcap']);
  t.is(code, 2);
  t.regex(stderr, /schema takes nothing else, and x\.pcap means nothing to it/);
});

interface Sample {
  readonly name: string;
  readonly note?: string;
}

test('the compiler holds schemas and types to one another', (t) => {
  const whole = object<Sample>({ name: text(), note: optional(text()) });
  t.deepEqual(whole.json['required'], ['name']);
  // @ts-expect-error a member that must be there isn't optional
  object<Sample>({ name: optional(text()), note: text() });
  // @ts-expect-error a member is missing
  object<Sample>({ name: text() });
  // @ts-expect-error there is no such member
  object<Sample>({ name: text(), note: optional(text()), more: text() });
});
