import test from 'ava';
import { client, describe, described, play, server } from '../helpers/kafka-script.ts';
import { bigEndian, concat, hex } from '../helpers/packets.ts';

const text = (value: string) => Uint8Array.from(Buffer.from(value, 'latin1'));

/** A ClientHello with the given extensions. */
function clientHello(version: number, extensions: readonly (readonly [type: number, bytes: readonly number[]])[]): Uint8Array {
  const all = extensions.flatMap(([type, bytes]) => [...bigEndian(type, 2), ...bigEndian(bytes.length, 2), ...bytes]);
  const hello = [...bigEndian(version, 2), ...new Array(32).fill(7), 0, 0, 2, 0x13, 0x01, 1, 0, ...bigEndian(all.length, 2), ...all];
  const handshake = [1, 0, ...bigEndian(hello.length, 2), ...hello];
  return Uint8Array.from([22, 3, 1, ...bigEndian(handshake.length, 2), ...handshake]);
}

const serverName = (name: string): readonly [number, readonly number[]] => [
  0,
  [...bigEndian(name.length + 3, 2), 0, ...bigEndian(name.length, 2), ...text(name)],
];
/** GREASE, 1.3 and 1.2. */
const versions13: readonly [number, readonly number[]] = [43, [6, 0x7a, 0x7a, 3, 4, 3, 3]];

const openings = [
  {
    title: 'a ClientHello of TLS 1.3 with a server name',
    bytes: clientHello(0x0303, [serverName('broker.example.com'), versions13]),
    is: 'TLS: TLS 1.3 handshake, server name "broker.example.com"',
  },
  { title: 'a ClientHello of TLS 1.2 without one', bytes: clientHello(0x0303, []), is: 'TLS: TLS 1.2 handshake' },
  { title: 'a ClientHello cut after its version', bytes: clientHello(0x0301, []).subarray(0, 50), is: 'TLS: TLS 1.0 handshake' },
  { title: 'a ClientHello cut in its first bytes', bytes: clientHello(0x0303, []).subarray(0, 8), is: 'TLS: TLS handshake' },
  {
    title: 'a ClientHello whose lengths lie',
    bytes: concat(clientHello(0x0303, []).subarray(0, 43), [255, 255, 255, 255, 255, 255]),
    is: 'TLS: TLS 1.2 handshake',
  },
  { title: 'other TLS records', bytes: hex('170303 0010 00112233445566778899aabbccddeeff'), is: 'TLS: TLS' },
  { title: 'a GET', bytes: text('GET / HTTP/1.1\r\n\r\n'), is: 'HTTP: HTTP' },
  { title: 'a beginning of HTTP/2', bytes: text('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), is: 'HTTP: HTTP' },
  { title: 'SSH', bytes: text('SSH-2.0-OpenSSH_9.6\r\n'), is: 'SSH: SSH' },
  { title: "a ZooKeeper administrator's word", bytes: text('ruok'), is: 'ZooKeeper: ZooKeeper\'s four-letter word "ruok"' },
  { title: 'zeros', bytes: new Uint8Array(40), is: 'unknown: zeros' },
  { title: 'noise', bytes: new Uint8Array(40).fill(0xee), is: 'unknown: the first bytes are no request' },
  {
    title: 'a frame of an unknown API',
    bytes: hex('00000010 4141 4141 00000000 0003 616161 00000000'),
    is: 'unknown: the first bytes are no request',
  },
];

for (const { title, bytes, is } of openings) {
  test(`a connection that begins with ${title} isn't Kafka`, (t) => {
    const { notKafka, told, exchanges } = play([client(bytes), client(describe(1, 'a')), server(described(1, 'a'))]);
    t.deepEqual(notKafka, [is]);
    t.deepEqual(told, ['both not-kafka 1']);
    t.deepEqual(exchanges, []);
  });
}

const servers = [
  { title: 'SSH', bytes: text('SSH-2.0-OpenSSH_9.6\r\n'), is: 'SSH: SSH' },
  { title: 'HTTP', bytes: text('HTTP/1.1 400 Bad Request\r\n'), is: 'HTTP: HTTP' },
];
for (const { title, bytes, is } of servers) {
  test(`a server that greets with ${title} isn't a broker`, (t) => t.deepEqual(play([server(bytes)]).notKafka, [is]));
}

test('bytes of another protocol one by one are named too', (t) => {
  const { notKafka } = play([...'ruok'].map((letter) => client(text(letter))));
  t.deepEqual(notKafka, ['ZooKeeper: ZooKeeper\'s four-letter word "ruok"']);
});

test('what a server said before its client is not told where the client turns out to speak something else', (t) => {
  const { told } = play([server(hex('4a0000000a382e302e333500')), client(hex('200000018da60f00000000010800'))]);
  t.deepEqual(told, ['both not-kafka 2']);
});

test('a connection whose client said too little to tell is named at its end', (t) => {
  t.deepEqual(play([client(hex('000000'))]).notKafka, ['unknown: nothing like a Kafka request was seen']);
});

test('a connection whose client said nothing is nothing', (t) => t.deepEqual(play([]).told, []));

test('a connection of unknown beginning is named once nothing like a request was seen in 16 MiB', (t) => {
  const noise = new Uint8Array(1 << 20).fill(0xee);
  const { notKafka, diagnostics } = play(
    Array.from({ length: 20 }, () => client(noise)),
    { opener: null },
  );
  t.deepEqual(notKafka, ['unknown: nothing like a Kafka request was seen']);
  t.is(diagnostics[0]?.packet, 17);
});

const logLines = ['GET /index.html HTTP/1.1" 200 512', 'POST /api', 'HTTP/1.1 was refused', 'stat', 'status=ok', 'SSH-agent started'];
for (const line of logLines) {
  test(`a segment that begins with the log line ${line} is none of another protocol in mid-connection`, (t) => {
    const { exchanges } = play(
      [client(text(`${line} and what else a record holds`)), client(describe(1, 'a')), server(described(1, 'a'))],
      { opener: null },
    );
    t.deepEqual(exchanges, ['1 complete 2-2/3-3']);
  });
}

for (const { title, bytes, is } of openings.slice(0, 10).filter((opening) => !opening.title.includes('cut'))) {
  test(`${title} in mid-connection is recognised`, (t) => t.deepEqual(play([client(bytes)], { opener: null }).notKafka, [is]));
}

test('a connection whose first request is damaged is Kafka all the same', (t) => {
  const whole = describe(1, 'a');
  const damaged = play([
    client(whole.subarray(0, 12)),
    (sink) => sink.gap(0, whole.length - 12, 'snaplen', place),
    client(describe(2, 'b')),
    server(described(2, 'b')),
  ]);
  t.deepEqual(damaged.exchanges, ['2 complete 3-3/4-4', '1 partial snaplen 1-/']);
  t.is(damaged.counts.kafka, 1);
});

const place = { capture: 0, number: 2, seconds: 0, nanos: 0, fine: false };
