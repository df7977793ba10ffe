import test from 'ava';
import { type EncodableStruct, encodeFrame } from '../../src/encode/encode.ts';
import type { ExchangeRecord } from '../../src/records/records.ts';
import { messages } from '../../src/schema/messages/messages.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { type Conversation, pcapFile, tcpConversation } from '../helpers/packets.ts';
import { runCli } from '../helpers/run-cli.ts';
import { scratchFile } from '../helpers/scratch.ts';

const INCIDENT = 'captures/incident-orders-retention.pcap.gz';
const SASL_HANDSHAKE = 17;
const SASL_AUTHENTICATE = 36;
const PRODUCE = 0;

const schemas = new Schemas();
schemas.add(messages);

async function records(...words: string[]): Promise<ExchangeRecord[]> {
  const { stdout } = await runCli(['-q', ...words]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExchangeRecord);
}

function frame(apiKey: number, version: number, side: 'request' | 'response', correlationId: number, body: EncodableStruct): Uint8Array {
  const plan = schemas.plan(apiKey, version, side);
  if (plan === null) throw new Error('no plan');
  return encodeFrame(plan, { correlationId, clientId: 'adm' }, body);
}

/** A capture in which a client authenticates by this token. */
function authentication(mechanism: string, token: Uint8Array, version = 2): Uint8Array {
  const authBytes = Buffer.from(token).toString('base64');
  const conversation: Conversation['messages'] = [
    { from: 'client', bytes: frame(SASL_HANDSHAKE, 1, 'request', 1, { mechanism }) },
    { from: 'server', bytes: frame(SASL_HANDSHAKE, 1, 'response', 1, { errorCode: 0, mechanisms: [mechanism] }) },
    { from: 'client', bytes: frame(SASL_AUTHENTICATE, version, 'request', 2, { authBytes }) },
    {
      from: 'server',
      bytes: frame(SASL_AUTHENTICATE, version, 'response', 2, { errorCode: 0, errorMessage: null, authBytes: '', sessionLifetimeMs: 0 }),
    },
  ];
  return pcapFile(tcpConversation({ messages: conversation }));
}

test('the exchanges of other APIs are printed where they are asked for, numbered together', async (t) => {
  const found = await records('--api', 'IncrementalAlterConfigs,33,apiversions', INCIDENT);
  t.deepEqual([...new Set(found.map(({ apiKey }) => apiKey))].sort(), [18, 33, 44]);
  t.deepEqual(
    found.map(({ number }) => number),
    found.map((_, index) => index + 1),
  );
  const alteration = found.find(({ apiKey }) => apiKey === 33);
  t.regex(
    JSON.stringify(alteration?.request),
    /^\{"resources":\[\{"resourceType":2,"resourceTypeName":"TOPIC","resourceName":"orders","configs":\[\{"name":/,
  );
});

test('all APIs are printed, DescribeConfigs as without the others', async (t) => {
  const all = await records('--api', 'all', INCIDENT);
  const unnumbered = (list: readonly ExchangeRecord[]) => list.map((record) => ({ ...record, number: 0 }));
  t.true(new Set(all.map(({ apiKey }) => apiKey)).size > 8);
  t.deepEqual(unnumbered(all.filter(({ apiKey }) => apiKey === 32)), unnumbered(await records(INCIDENT)));
});

test('an API is named by its former name as well', async (t) => {
  const { code, stderr } = await runCli(['--api', 'ListClientMetricsResources', INCIDENT]);
  t.is(code, 0, stderr);
});

test('a version fallback of ApiVersions is decoded in the version of the answer', async (t) => {
  const fallback = (await records('--api', '18', INCIDENT)).find(({ response }) => response?.['errorCode'] === 35);
  t.is(fallback?.status, 'complete');
  t.deepEqual(Object.keys(fallback?.response ?? {}), ['errorCode', 'errorName', 'apiKeys']);
});

test('an envelope is opened: who, from where, and what', async (t) => {
  const envelopes = await records('--api', 'Envelope', INCIDENT);
  t.true(envelopes.length > 10);
  for (const { request, forwarded } of envelopes) {
    t.regex(request?.['requestData'] as string, /^<redacted, \d+ bytes>$/);
    t.regex(forwarded?.principal ?? '', /^User:[\w-]+$/);
    t.regex(forwarded?.clientAddress ?? '', /^127\.0\.0\.\d+$/);
  }
  const direct = await records('--api', '44', INCIDENT);
  const alterations = envelopes.filter(({ forwarded }) => forwarded?.apiKey === 44).map(({ forwarded }) => forwarded);
  t.true(alterations.length > 5);
  const told = direct.map(({ clientId, correlationId, request, response }) =>
    JSON.stringify([clientId, correlationId, request, response?.['responses']]),
  );
  for (const alteration of alterations) {
    const { clientId, correlationId, request, response } = alteration ?? {};
    t.true(told.includes(JSON.stringify([clientId, correlationId, request, response?.['responses']])));
  }
});

test('the tree of an envelope holds that of what it forwards, with the offsets of its frame', async (t) => {
  const { stdout } = await runCli(['-q', '-f', 'tree', '--api', '58', '--no-about', INCIDENT]);
  const [, offset, bytes] =
    /RequestData bytes = <redacted, (?:\d+) bytes> \(compact, len\+1=\d+\) \[0x([0-9a-f]{4}), (\d+)B\]/.exec(stdout) ?? [];
  const inner =
    /\nforwarded for User:\S+ {2}from 127\.0\.0\.\d+ {2}\w+ v\d+ {2}correlation \d+ {2}client "[^"]+"\n\w+Request message v\d+ \[0x([0-9a-f]{4}), (\d+)B\]\n\+-- RequestHeader v/.exec(
      stdout,
    );
  t.is(Number.parseInt(inner?.[1] ?? '', 16) + Number(inner?.[2]), Number.parseInt(offset ?? '', 16) + Number(bytes));
});

const PLAIN = Buffer.from('\0alice\0hush-hush');
const SCRAM = Buffer.from('n,,n=al=2Cice,r=hush-hush');
const BEARER = Buffer.from('n,,\x01auth=Bearer hush-hush\x01\x01');

const tokens: readonly (readonly [mechanism: string, token: Buffer, user: string | null])[] = [
  ['PLAIN', PLAIN, 'alice'],
  ['SCRAM-SHA-512', SCRAM, 'al,ice'],
  ['OAUTHBEARER', BEARER, null],
  ['GSSAPI', PLAIN, null],
];

for (const [mechanism, token, user] of tokens) {
  test(`of ${mechanism} the mechanism and at most the user is told, in no mode the token`, async (t) => {
    const capture = scratchFile(t, 'sasl.pcap', authentication(mechanism, token));
    const [record] = await records('--api', 'SaslAuthenticate', capture);
    t.deepEqual(record?.sasl, { mechanism, user });
    t.is(record?.number, 1);
    t.deepEqual(record?.request, { authBytes: `<redacted, ${token.length} bytes>`, authBytesRedacted: true });
    for (const format of ['ndjson', 'line', 'tree']) {
      for (const words of [[], ['--show-secrets'], ...(format === 'tree' ? [['--hex', '--show-secrets', '--full']] : [])]) {
        const { stdout } = await runCli(['-q', '--api', 'all', '-f', format, ...words, capture]);
        t.regex(stdout, /SaslAuthenticate/);
        t.false(stdout.includes('hush'), stdout);
        t.false(stdout.includes('68 75 73 68'), stdout);
        t.false(stdout.includes('68757368'), stdout);
        t.false(stdout.includes(token.toString('base64')), stdout);
      }
    }
  });
}

test('a token that is cut or of an unknown version is hidden as well', async (t) => {
  const whole = authentication('PLAIN', PLAIN, 1);
  const at = Buffer.from(whole).indexOf('hush-hush');
  // Length 50 for a token of 16 bytes: the frame ends before it does.
  const lying = Uint8Array.from(whole);
  lying[Buffer.from(whole).indexOf(PLAIN) - 1] = 50;
  const newer = Uint8Array.from(whole);
  newer[Buffer.from(whole).indexOf(PLAIN) - 4 - 5 - 4 - 1] = 77;
  for (const [name, bytes] of [
    ['lying', lying],
    ['newer', newer],
  ] as const) {
    const { stdout } = await runCli(['-q', '--api', 'all', '-f', 'tree', '--hex', '--show-secrets', scratchFile(t, `${name}.pcap`, bytes)]);
    t.regex(stdout, /not decoded/, name);
    t.false(stdout.includes('68 75 73 68'), stdout);
    t.false(stdout.includes('hush'), stdout);
  }
  t.true(at > 0);
});

test('a produce without acks is over when it was sent', async (t) => {
  const body = {
    transactionalId: null,
    acks: 0,
    timeoutMs: 1,
    topicData: [{ name: 'orders', partitionData: [{ index: 0, records: 'AAAA' }] }],
  };
  const capture = scratchFile(
    t,
    'produce.pcap',
    pcapFile(tcpConversation({ messages: [{ from: 'client', bytes: frame(PRODUCE, 3, 'request', 1, body) }] })),
  );
  const [record] = await records('--api', 'Produce', capture);
  t.is(record?.status, 'unanswered');
  t.is(record?.reason, 'no-answer-asked');
  t.regex(JSON.stringify(record?.request), /"partitionData":\[\{"index":0,"recordsSizeInBytes":3\}\]/);
});
