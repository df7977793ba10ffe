import test from 'ava';
import { encodeFrame } from '../../src/encode/encode.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { planOf } from '../helpers/messages.ts';
import { pcapFile, tcpConversation } from '../helpers/packets.ts';
import { runCli } from '../helpers/run-cli.ts';
import { scratchFile } from '../helpers/scratch.ts';

const schemas = new Schemas();
schemas.add(messages);

/** What must never be seen unless it is asked for, and what must never be seen at all. */
const VALUE = 'hunter2-value';
const SYNONYM = 'hunter2-synonym';
const ALTERED = 'hunter2-altered';
const CREATED = 'hunter2-created';
const TOKEN = 'hunter2-token';
const secrets = [VALUE, SYNONYM, ALTERED, CREATED];

const described = {
  name: 'ssl.keystore.password',
  value: VALUE,
  readOnly: false,
  configSource: 4,
  isSensitive: true,
  synonyms: [{ name: 'ssl.keystore.password', value: SYNONYM, source: 4 }],
};
const topic = {
  name: 'orders',
  numPartitions: 1,
  replicationFactor: 1,
  assignments: [],
  configs: [{ name: 'x.password', value: CREATED }],
};
const alteration = { resourceType: 4, resourceName: '1', configs: [{ name: 'sasl.jaas.config', configOperation: 0, value: ALTERED }] };
const exchanges = [
  { apiKey: 17, version: 1, request: { mechanism: 'PLAIN' }, response: { errorCode: 0, mechanisms: ['PLAIN'] } },
  {
    apiKey: 36,
    version: 0,
    request: { authBytes: Buffer.from(`\0bob\0${TOKEN}`).toString('base64') },
    response: { errorCode: 0, errorMessage: null, authBytes: Buffer.from(TOKEN).toString('base64') },
  },
  {
    apiKey: 32,
    version: 1,
    request: { resources: [{ resourceType: 4, resourceName: '1', configurationKeys: null }], includeSynonyms: true },
    response: {
      throttleTimeMs: 0,
      results: [{ errorCode: 0, errorMessage: null, resourceType: 4, resourceName: '1', configs: [described] }],
    },
  },
  {
    apiKey: 44,
    version: 0,
    request: { resources: [alteration], validateOnly: false },
    response: { throttleTimeMs: 0, responses: [{ errorCode: 0, errorMessage: null, resourceType: 4, resourceName: '1' }] },
  },
  {
    apiKey: 19,
    version: 1,
    request: { topics: [topic], timeoutMs: 1, validateOnly: false },
    response: { topics: [{ name: 'orders', errorCode: 0, errorMessage: null }] },
  },
] as const;

function capture(): Uint8Array {
  const all = exchanges.flatMap(({ apiKey, version, request, response }, index) => {
    const header = { correlationId: index + 1, clientId: 'adm' };
    return [
      {
        from: 'client' as const,
        bytes: encodeFrame(planOf(apiKey, version, 'request', schemas), header, structuredClone(request) as never),
      },
      {
        from: 'server' as const,
        bytes: encodeFrame(planOf(apiKey, version, 'response', schemas), header, structuredClone(response) as never),
      },
    ];
  });
  return pcapFile(tcpConversation({ messages: all }));
}

const modes: readonly (readonly string[])[] = [
  ['-f', 'ndjson', '--events'],
  ['-f', 'ndjson', '--api', 'all'],
  ['-f', 'tree', '--full', '--hex', '--api', 'all'],
  ['-f', 'line', '--full', '--api', 'all'],
  ['summary', '-f', 'ndjson'],
  ['summary', '-f', 'table'],
  ['timeline', '-f', 'ndjson', '--resource', 'broker:1'],
  ['timeline', '-f', 'table', '--resource', 'broker:1'],
  ['show', '1', '-f', 'ndjson'],
  ['show', '2', '-f', 'tree', '--api', 'all'],
];

/** The text, and how bytes of it show in hexadecimal and in base64. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  return [
    secret,
    secret.slice(0, 9),
    hex,
    (hex.match(/../g) ?? []).slice(0, 6).join(' '),
    bytes.toString('base64').slice(0, 8),
    bytes.toString('base64'),
  ];
}

for (const mode of modes) {
  test(`secrets and tokens aren't printed: ${mode.join(' ')}`, async (t) => {
    const path = scratchFile(t, 'x.pcap', capture());
    const { code, stdout, stderr } = await runCli([...mode, path]);
    t.is(code, 0, stderr);
    t.true(stdout.length > 100);
    for (const secret of [...secrets, TOKEN]) {
      for (const form of forms(secret)) t.false(`${stdout}${stderr}`.includes(form), `${secret}: ${form}`);
    }
  });

  test(`tokens aren't even printed to those who ask for secrets: ${mode.join(' ')}`, async (t) => {
    const path = scratchFile(t, 'x.pcap', capture());
    const { code, stdout, stderr } = await runCli([...mode, '--show-secrets', path]);
    t.is(code, 0, stderr);
    for (const form of forms(TOKEN).filter((form) => !forms(VALUE).includes(form))) t.false(`${stdout}${stderr}`.includes(form), form);
  });
}

test('--show-secrets prints values', async (t) => {
  const path = scratchFile(t, 'x.pcap', capture());
  const { stdout } = await runCli(['-f', 'ndjson', '--api', 'all', '--show-secrets', path]);
  for (const secret of secrets) t.true(stdout.includes(`"${secret}"`), secret);
});

test('that a secret crossed the wire is a finding: values a broker sent, values set, a password', async (t) => {
  const path = scratchFile(t, 'x.pcap', capture());
  const { stderr } = await runCli(['-f', 'ndjson', '--api', 'all', path]);
  const found = [...stderr.matchAll(/sensitive-value-exposed: (.*)/g)].map(([, what = '']) => what);
  t.is(found.length, 4, stderr);
  t.regex(found[0] ?? '', /a password was sent as it is: the mechanism is PLAIN.*authBytes$/);
  t.regex(found[1] ?? '', /2 sensitive values were sent, this is the first: ssl.keystore.password,.*results\[0\]\.configs\[0\]\.value$/);
  t.regex(found[2] ?? '', /a sensitive value was sent: sasl.jaas.config,.*resources\[0\]\.configs\[0\]\.value$/);
  t.regex(found[3] ?? '', /a sensitive value was sent: x.password,.*topics\[0\]\.configs\[0\]\.value$/);
  const plain = await runCli([path]);
  t.is(plain.stderr.match(/sensitive-value-exposed/g)?.length, 1);
});
