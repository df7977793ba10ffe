import test from 'ava';
import fc from 'fast-check';
import type { PacketPosition } from '../../src/capture/packet.ts';
import { decodeFrame } from '../../src/decode/decode-frame.ts';
import type { Decoded } from '../../src/decode/decoded.ts';
import type { Diagnostic } from '../../src/diagnostics.ts';
import type { DecodedExchange } from '../../src/kafka/decoded-exchange.ts';
import type { Frame } from '../../src/kafka/exchange.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { exchangeRecord } from '../../src/output/exchange-record.ts';
import { NdjsonPrinter } from '../../src/output/ndjson.ts';
import { summaryLines, summaryRecord } from '../../src/output/summary.ts';
import type { ExchangeRecord } from '../../src/records/records.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { goldenFrames } from '../helpers/golden-frames.ts';

const captures = ['a.pcap', 'b.pcap'];
const schemas = new Schemas();

function at(number: number, fields: Partial<PacketPosition> = {}): PacketPosition {
  return { capture: 0, number, seconds: 1_795_971_900, nanos: 1_000 * number, fine: false, ...fields };
}

function frame(bytes: Uint8Array, fields: Partial<Frame> = {}): Frame {
  return { bytes, size: bytes.length - 4, first: at(4), last: at(5), streamOffset: 0, damage: null, ...fields };
}

function golden(side: 'request' | 'response', version: number): Uint8Array {
  const found = goldenFrames.find((each) => each.side === side && each.version === version);
  if (found === undefined) throw new Error(`no golden ${side} v${version}`);
  return found.bytes;
}

function decode(side: 'request' | 'response', version: number, bytes: Uint8Array): Decoded {
  const plan = schemas.plan(32, version, side);
  if (plan === null) throw new Error(`no plan of v${version}`);
  return decodeFrame(plan, bytes, 0, bytes.length);
}

interface Parts {
  readonly decoded?: Partial<DecodedExchange>;
  readonly exchange?: Partial<DecodedExchange['exchange']>;
}

/** A whole exchange of the golden frames of a version, unless told otherwise. */
function sample(version: number, { decoded, exchange }: Parts = {}): DecodedExchange {
  const request = golden('request', version);
  const response = golden('response', version);
  return {
    number: 1,
    status: 'complete',
    reason: null,
    request: decode('request', version, request),
    response: decode('response', version, response),
    forwarded: null,
    sasl: null,
    leftOut: null,
    start: null,
    captureName: 'a.pcap',
    ...decoded,
    exchange: {
      connection: { stream: 3, client: '192.0.2.1:51234', server: '[2001:db8::1]:9092', fromStart: true },
      apiKey: 32,
      apiVersion: version,
      correlationId: 1,
      clientId: Buffer.from('adm'),
      request: frame(request),
      response: frame(response, { first: at(1234), last: at(1239), streamOffset: 17 }),
      reason: null,
      ...exchange,
    },
  };
}

function line(exchange: DecodedExchange, showSecrets = false): string {
  const out = new ByteBuffer();
  new NdjsonPrinter(out, { captures, showSecrets }).exchange(exchange);
  return Buffer.from(out.view()).toString();
}

function parsed(exchange: DecodedExchange): ExchangeRecord {
  return JSON.parse(line(exchange)) as ExchangeRecord;
}

const whole =
  '{"type":"exchange","schemaVersion":1,"status":"complete","number":1,"capture":"a.pcap","time":"2026-11-29T17:05:00.000004Z",' +
  '"latencyMs":1.234,"stream":3,"client":"192.0.2.1:51234","server":"[2001:db8::1]:9092","apiKey":32,"apiName":"DescribeConfigs",' +
  '"apiVersion":4,"correlationId":1,"clientId":"adm",' +
  '"requestFrame":{"packet":4,"lastPacket":5,"time":"2026-11-29T17:05:00.000004Z","bytes":23,"streamOffset":0},' +
  '"responseFrame":{"packet":1234,"lastPacket":1239,"time":"2026-11-29T17:05:00.001234Z","bytes":36,"streamOffset":17},' +
  '"request":{"resources":[{"resourceType":2,"resourceTypeName":"TOPIC","resourceName":"t","configurationKeys":null}],' +
  '"includeSynonyms":true,"includeDocumentation":false},' +
  '"response":{"throttleTimeMs":0,"results":[{"errorCode":0,"errorName":"NONE","errorMessage":null,"resourceType":2,"resourceTypeName":"TOPIC",' +
  '"resourceName":"t","configs":[{"name":"k","value":"v","readOnly":false,"configSource":1,"configSourceName":"DYNAMIC_TOPIC_CONFIG",' +
  '"isSensitive":false,"synonyms":[{"name":"k","value":"v","source":1,"sourceName":"DYNAMIC_TOPIC_CONFIG"}],"configType":5,' +
  '"configTypeName":"LONG","documentation":null}]}]}}\n';

test('an exchange is one line with the members of the contract, in order', (t) => {
  t.is(line(sample(4)), whole);
});

for (const version of [0, 1, 3, 4]) {
  test(`version ${version}: the record is what the line parses to, member order included`, (t) => {
    const exchange = sample(version);
    const record = exchangeRecord(exchange, { captures, showSecrets: false });
    t.is(JSON.stringify(record), JSON.stringify(parsed(exchange)));
    t.deepEqual(record, parsed(exchange));
  });
}

const latencies: readonly (readonly [string, PacketPosition, PacketPosition, number | null])[] = [
  ['microseconds', at(1, { nanos: 999_999_000 }), at(2, { seconds: 1_795_971_901, nanos: 1_000 }), 0.002],
  ['nanoseconds', at(1, { nanos: 1, fine: true }), at(2, { nanos: 1_234_568, fine: true }), 1.234567],
  ['a response recorded before its request', at(9), at(2), -0.007],
  ['hours', at(1, { nanos: 0 }), at(2, { seconds: 1_795_971_900 + 90_000, nanos: 123_456_000 }), 90_000_123.456],
  ['no time', at(1), at(2, { seconds: Number.NaN }), null],
];

for (const [title, last, responseLast, latency] of latencies) {
  test(`latency: ${title}`, (t) => {
    const { request, response } = sample(1).exchange;
    const exchange = { request: { ...request, last }, response: response && { ...response, last: responseLast } };
    t.is(parsed(sample(1, { exchange })).latencyMs, latency);
  });
}

test('an unanswered exchange has no response and no latency, and says why', (t) => {
  const record = parsed(
    sample(1, { decoded: { status: 'unanswered', reason: 'capture-ended', response: null }, exchange: { response: null } }),
  );
  t.deepEqual(Object.keys(record).slice(0, 5), ['type', 'schemaVersion', 'status', 'reason', 'number']);
  t.like(record, { status: 'unanswered', reason: 'capture-ended', latencyMs: null, responseFrame: null, response: null });
});

test('a version without schema has no bodies', (t) => {
  const record = parsed(sample(1, { decoded: { status: 'partial', reason: 'version-unsupported', request: null, response: null } }));
  t.like(record, { reason: 'version-unsupported', request: null, response: null });
});

test('a frame that never ended has no last packet; what was decoded whole is there, and where it stopped', (t) => {
  const bytes = golden('response', 1).subarray(0, 30);
  const response = frame(bytes, { size: 44, last: null, damage: 'gap' });
  const decoded = { status: 'partial', reason: 'gap', response: decode('response', 1, bytes) } as const;
  const record = parsed(sample(1, { decoded, exchange: { response } }));
  t.like(record, {
    status: 'partial',
    latencyMs: null,
    responseFrame: { lastPacket: null, bytes: 44 },
    error: { side: 'response', code: 'truncated' },
  });
  t.deepEqual(Object.keys(record.error ?? {}), ['side', 'code', 'message', 'offset', 'path']);
  t.like(record.response, { throttleTimeMs: 0 });
  t.is(record.error?.path.startsWith('results[0].configs'), true);
  t.deepEqual(exchangeRecord(sample(1, { decoded, exchange: { response } }), { captures, showSecrets: false }), record);
});

test('a frame of another capture says so, and so does its end', (t) => {
  const { request, response } = sample(1).exchange;
  const record = parsed(
    sample(1, {
      exchange: {
        request: { ...request, last: at(1, { capture: 1 }) },
        response: response && { ...response, first: at(2, { capture: 1 }), last: at(3, { capture: 1 }) },
      },
    }),
  );
  t.is(record.capture, 'a.pcap');
  t.deepEqual([record.requestFrame.capture, record.requestFrame.lastCapture], [undefined, 'b.pcap']);
  t.deepEqual([record.responseFrame?.capture, record.responseFrame?.lastCapture], ['b.pcap', undefined]);
});

test('unknown tags are listed with their side', (t) => {
  const bytes = Uint8Array.from([...golden('request', 4).subarray(0, -1), 1, 5, 3, 0xde, 0xad, 0xbe]);
  new DataView(bytes.buffer).setInt32(0, bytes.length - 4);
  const record = parsed(sample(4, { decoded: { request: decode('request', 4, bytes) } }));
  t.deepEqual(record.unknownTags, [{ side: 'request', path: '', tag: 5, hex: 'deadbe' }]);
  t.is(Object.keys(record).at(-1), 'unknownTags');
});

const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('whatever a client calls itself, the line is JSON, safe to look at, and says it', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: 'binary' }), (clientId, name) => {
      const exchange = sample(1, { decoded: { captureName: name }, exchange: { clientId } });
      const out = new ByteBuffer();
      new NdjsonPrinter(out, { captures: [name], showSecrets: false }).exchange(exchange);
      const text = Buffer.from(out.view()).toString();
      t.notRegex(text.slice(0, -1), UNSAFE);
      const record = JSON.parse(text) as ExchangeRecord;
      t.is(record.clientId, new TextDecoder('utf-8', { ignoreBOM: true }).decode(clientId));
      t.is(record.capture, name);
    }),
  );
});

test('a client without an id has null', (t) => t.is(parsed(sample(1, { exchange: { clientId: null } })).clientId, null));

test('a diagnostic has its severity, and where it is, in order', (t) => {
  const out = new ByteBuffer();
  const diagnostic: Diagnostic = {
    count: 2,
    bytes: 1448,
    streamOffset: 88120,
    side: 'server',
    connection: 'not printed',
    stream: 3,
    packet: 1042,
    capture: 1,
    message: '1448 bytes\u009b missing',
    code: 'tcp-gap',
  };
  new NdjsonPrinter(out, { captures, showSecrets: false }).report(diagnostic);
  t.is(
    Buffer.from(out.view()).toString(),
    '{"type":"diagnostic","severity":"warning","code":"tcp-gap","message":"1448 bytes\\u009b missing","capture":"b.pcap","packet":1042,' +
      '"stream":3,"side":"server","streamOffset":88120,"bytes":1448,"count":2}\n',
  );
});

test('the summary says what was read, found and lost', (t) => {
  const totals = {
    packets: 12,
    bytes: 1284,
    inputBytes: 640,
    first: at(1),
    last: at(12),
    connections: { kafka: 1, tls: 2, other: 0 },
    frames: { requests: 3, responses: 2 },
    exchanges: { complete: 1, partial: 1, unanswered: 1 },
    filteredOut: 0,
  };
  const summary = summaryRecord(totals, new Map([['tcp-gap', { count: 3, bytes: 1448 }]]));
  const out = new ByteBuffer();
  new NdjsonPrinter(out, { captures, showSecrets: false }).summary(summary);
  t.is(
    Buffer.from(out.view()).toString(),
    '{"type":"summary","packets":12,"bytes":1284,"firstTime":"2026-11-29T17:05:00.000001Z","lastTime":"2026-11-29T17:05:00.000012Z",' +
      '"connections":{"kafka":1,"tls":2,"other":0},"frames":{"requests":3,"responses":2},' +
      '"exchanges":{"complete":1,"partial":1,"unanswered":1},"lost":{"tcp-gap":{"count":3,"bytes":1448}}}\n',
  );
  t.is(summaryLines(summary).at(-1), '  lost         tcp-gap 3 (1448 bytes)');
});
