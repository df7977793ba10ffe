import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { encodeFrame } from '../../src/encode/encode.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { planOf, withRawTags } from '../helpers/messages.ts';
import { pcapFile, tcpConversation } from '../helpers/packets.ts';
import { runCli } from '../helpers/run-cli.ts';
import { scratchFile } from '../helpers/scratch.ts';

/** What a terminal could act on, or that turns its text around; the line feed alone is meant. */
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;
/** Clears the screen, sets the title, turns text around, ends lines, in 7 and in 8 bits. */
const ATTACK = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2066\u2028\r\n\u0000\u0085\u200f\ufeff"\\';
const schemas = new Schemas();
schemas.add(messages);

const config = {
  name: `key${ATTACK}`,
  value: `value${ATTACK}`,
  readOnly: false,
  configSource: 1,
  isSensitive: false,
  synonyms: [{ name: ATTACK, value: ATTACK, source: 5 }],
  configType: 2,
  documentation: ATTACK,
};
const resource = { resourceType: 2, resourceName: `topic${ATTACK}`, configurationKeys: [`key${ATTACK}`] };
const result = { errorCode: 29, errorMessage: ATTACK, resourceType: 2, resourceName: `topic${ATTACK}`, configs: [config] };
const refused = { errorCode: 42, errorMessage: ATTACK, resourceType: 4, resourceName: ATTACK, configs: [] };
const alteration = { resourceType: 2, resourceName: `topic${ATTACK}`, configs: [{ name: ATTACK, configOperation: 0, value: ATTACK }] };
const topic = { name: ATTACK, numPartitions: 1, replicationFactor: 1, assignments: [], configs: [{ name: ATTACK, value: ATTACK }] };
const broker = { nodeId: 1, host: ATTACK, port: 9092, rack: ATTACK };

const exchanges = [
  [18, 3, { clientSoftwareName: ATTACK, clientSoftwareVersion: ATTACK }, { errorCode: 0, apiKeys: [], throttleTimeMs: 0 }],
  [17, 1, { mechanism: `PLAIN${ATTACK}` }, { errorCode: 0, mechanisms: [ATTACK] }],
  [36, 0, { authBytes: Buffer.from(`\0${ATTACK}\0x`).toString('base64') }, { errorCode: 0, errorMessage: ATTACK, authBytes: '' }],
  [3, 2, { topics: [{ name: ATTACK }] }, { brokers: [broker], clusterId: ATTACK, controllerId: 1, topics: [] }],
  [32, 4, { resources: [resource], includeSynonyms: true, includeDocumentation: true }, { throttleTimeMs: 0, results: [result, refused] }],
  [32, 1, { resources: [resource], includeSynonyms: true }, { throttleTimeMs: 0, results: [{ ...result, errorCode: 0 }] }],
  [
    32,
    1,
    { resources: [resource], includeSynonyms: true },
    { throttleTimeMs: 0, results: [{ ...result, errorCode: 0, configs: [{ ...config, value: `other${ATTACK}` }] }] },
  ],
  [
    44,
    0,
    { resources: [alteration], validateOnly: false },
    { throttleTimeMs: 0, responses: [{ errorCode: 0, errorMessage: ATTACK, resourceType: 2, resourceName: ATTACK }] },
  ],
  [19, 1, { topics: [topic], timeoutMs: 1, validateOnly: false }, { topics: [{ name: ATTACK, errorCode: 1, errorMessage: ATTACK }] }],
] as const;

/** A capture in which every text that a wire can hold is an attack. */
function attackingCapture(): Uint8Array {
  const said = exchanges.flatMap(([apiKey, version, request, response], index) => {
    const header = { correlationId: index + 1, clientId: `adm${ATTACK}` };
    const tags = apiKey === 32 && version === 4 ? [{ tag: 999, content: Buffer.from(ATTACK) }] : [];
    return (['request', 'response'] as const).map((side) => {
      const body = withRawTags(structuredClone(side === 'request' ? request : response) as never, tags);
      return {
        from: side === 'request' ? ('client' as const) : ('server' as const),
        bytes: encodeFrame(planOf(apiKey, version, side, schemas), header, body),
      };
    });
  });
  const last = said.at(-1) as (typeof said)[number];
  const trailing = Uint8Array.from([...last.bytes, ...Buffer.from(ATTACK)]);
  const connection = tcpConversation({ messages: said });
  const hello = Buffer.from(`\x16\x03\x01\x00\x40\x01\x00\x00\x3c${ATTACK}`, 'latin1');
  const others = ['GET /\u001b[2J HTTP/1.1\r\n', 'SSH-2.0-\u001b[2J\r\n', hello, trailing, ATTACK].map((bytes, index) =>
    tcpConversation({
      client: { address: `192.0.2.${10 + index}`, port: 50_000 },
      messages: [{ from: 'client', bytes: Uint8Array.from(Buffer.from(bytes)) }],
    }),
  );
  return pcapFile([...connection, ...others.flat()]);
}

const modes: readonly (readonly string[])[] = [
  ['-f', 'ndjson', '--events', '--api', 'all'],
  ['-f', 'tree', '--api', 'all', '--hex'],
  ['-f', 'tree', '--full', '--no-about', '--depth', '3'],
  ['-f', 'line', '--api', 'all'],
  ['-f', 'ndjson', '--redact'],
  ['-f', 'tree', '--redact', '--api', 'all'],
  ['summary', '-f', 'ndjson'],
  ['summary', '-f', 'table'],
  ['summary', '-f', 'table', '--redact'],
  ['timeline', '-f', 'ndjson'],
  ['timeline', '-f', 'table'],
  ['show', '1', '-f', 'tree'],
  ['show', '1', '-f', 'ndjson'],
];

for (const mode of modes) {
  test(`nothing that a terminal could act on: ${mode.join(' ')}`, async (t) => {
    const path = scratchFile(t, `\u001b[2J\u202e${mode.length}.pcap`, attackingCapture());
    const { code, stdout, stderr } = await runCli([...mode, path], { environment: { COLUMNS: '120' } });
    t.true(code === 0 || code === 1, stderr);
    t.true(stdout.length > 100, stdout);
    t.notRegex(stdout, UNSAFE);
    t.notRegex(stderr, UNSAFE);
  });
}

test('diff of two hostile captures', async (t) => {
  const path = scratchFile(t, 'a\u001b[2J.pcap', attackingCapture());
  for (const format of ['ndjson', 'table']) {
    const { stdout, stderr } = await runCli(['diff', '-f', format, path, path]);
    t.notRegex(`${stdout}${stderr}`, UNSAFE);
  }
});

const wrongWords: readonly (readonly string[])[] = [
  [`${ATTACK.replaceAll('\0', '')}.pcap`],
  ['--format', '\u001b[2J', 'x.pcap'],
  ['--\u001b[2J', 'x.pcap'],
  ['--max-frame', '\u001b[2J', 'x.pcap'],
  ['--api', '\u001b[2J', 'x.pcap'],
  ['--resource', '/\u001b[2J(/', 'x.pcap'],
  ['--since', '\u001b[2J', 'x.pcap'],
  ['--status', '\u001b[2J', 'x.pcap'],
  ['explain', '\u001b[2J'],
  ['explain', 'DescribeConfigs', '\u001b[2J'],
  ['show', '\u001b[2J', 'x.pcap'],
  ['diff', '--left', '\u001b[2J', '--right', 'broker:\u001b[2J', 'x.pcap'],
  ['-i', '\u001b[2J', 'x.pcap'],
  ['summary', '\u202e'],
];

for (const words of wrongWords) {
  test(`error messages are safe: ${JSON.stringify(words)}`, async (t) => {
    const { code, stdout, stderr } = await runCli(words);
    t.true(code === 1 || code === 2, `${code}: ${stderr}`);
    t.notRegex(stdout, UNSAFE);
    t.notRegex(stderr, UNSAFE);
    t.true(stderr.length > 10);
  });
}

for (const name of readdirSync('captures').filter((each) => each.includes('hostile'))) {
  test(`recorded from a broker with hostile names: ${name}`, async (t) => {
    for (const mode of modes) {
      const { stdout, stderr } = await runCli([...mode, join('captures', name)]);
      t.notRegex(`${stdout}${stderr}`, UNSAFE, mode.join(' '));
    }
  });
}
