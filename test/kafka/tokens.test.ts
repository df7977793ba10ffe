import test from 'ava';
import {
  client,
  clientGap,
  describe,
  described,
  frame,
  play,
  request,
  response,
  type Step,
  server,
  serverGap,
} from '../helpers/kafka-script.ts';

const SASL_HANDSHAKE = 17;
const text = (value: string) => Uint8Array.from(Buffer.from(value, 'latin1'));
const handshake = (id: number, version = 0) => request(SASL_HANDSHAKE, version, id, [0, 5, ...text('PLAIN')]);
const agreed = (id: number) => response(id, [0, 0, 0, 0, 0, 1, 0, 5, ...text('PLAIN')]);
const plain = frame(text('\0bob\0secret'));
const nothing = frame();

interface Row {
  title: string;
  steps: Step[];
  exchanges: string[];
  tokens: string[];
  told?: string[];
}

const rows: Row[] = [
  {
    title: 'a PLAIN token after SaslHandshake 0',
    steps: [client(handshake(1)), server(agreed(1)), client(plain), server(nothing), client(describe(2, 'a')), server(described(2, 'a'))],
    exchanges: ['2 complete 5-5/6-6'],
    tokens: ['\0bob\0secret'],
  },
  {
    title: 'a PLAIN token without bytes in the answer, one byte at a time',
    steps: [
      client(handshake(1)),
      server(agreed(1)),
      ...[...plain].map((byte) => client(Uint8Array.of(byte))),
      ...[...nothing].map((byte) => server(Uint8Array.of(byte))),
      client(describe(2, 'a')),
      server(described(2, 'a')),
    ],
    exchanges: ['2 complete 22-22/23-23'],
    tokens: ['\0bob\0secret'],
  },
  {
    title: 'the two rounds of SCRAM',
    steps: [
      client(handshake(1)),
      server(agreed(1)),
      client(frame(text('n,,n=bob,r=abc'))),
      server(frame(text('r=abcdef,s=xyz,i=4096'))),
      client(frame(text('c=biws,r=abcdef,p=proof'))),
      server(frame(text('v=signature'))),
      client(describe(2, 'a')),
      server(described(2, 'a')),
    ],
    exchanges: ['2 complete 7-7/8-8'],
    tokens: ['n,,n=bob,r=abc', 'c=biws,r=abcdef,p=proof'],
  },
  {
    title: 'a token that looks like a request',
    steps: [
      client(handshake(1)),
      server(agreed(1)),
      client(describe(9, 'x')),
      server(nothing),
      client(describe(2, 'a')),
      server(described(2, 'a')),
    ],
    exchanges: ['2 complete 5-5/6-6'],
    tokens: [Buffer.from(describe(9, 'x').subarray(4)).toString('latin1')],
  },
  {
    title: 'a GSSAPI token without a handshake',
    steps: [
      client(frame(Uint8Array.from([0x60, 0x82, 1, 2, 3, 4, 5, 6, 7, 8, 9]))),
      server(frame(Uint8Array.from([0x60, 1]))),
      client(frame(text(''))),
      server(frame(text('layers'))),
      client(describe(1, 'a')),
      server(described(1, 'a')),
    ],
    exchanges: ['1 complete 5-5/6-6'],
    tokens: [Buffer.from([0x60, 0x82, 1, 2, 3, 4, 5, 6, 7, 8, 9]).toString('latin1'), ''],
  },
  {
    title: 'no token after SaslHandshake 1',
    steps: [client(handshake(1, 1)), server(agreed(1)), client(describe(2, 'a')), server(described(2, 'a'))],
    exchanges: ['2 complete 3-3/4-4'],
    tokens: [],
  },
  {
    title: 'a second authentication on the same connection',
    steps: [
      client(handshake(1)),
      server(agreed(1)),
      client(plain),
      server(nothing),
      client(handshake(1)),
      server(agreed(1)),
      client(plain),
      server(nothing),
      client(describe(2, 'a')),
      server(described(2, 'a')),
    ],
    exchanges: ['2 complete 9-9/10-10'],
    tokens: ['\0bob\0secret', '\0bob\0secret'],
  },
  {
    title: 'a lost token',
    steps: [client(handshake(1)), server(agreed(1)), clientGap(15), server(nothing), client(describe(2, 'a')), server(described(2, 'a'))],
    exchanges: ['2 complete 5-5/6-6'],
    tokens: [],
    told: ['client tcp-gap 3 15', 'server frame-size-invalid 4', 'server frames-skipped 6 4'],
  },
  {
    title: "a token whose handshake's answer was lost",
    steps: [client(handshake(1)), serverGap(21), client(plain), server(nothing), client(describe(2, 'a')), server(described(2, 'a'))],
    exchanges: ['2 complete 5-5/6-6'],
    tokens: ['\0bob\0secret'],
    told: ['server tcp-gap 2 21', 'server frames-skipped 6 4'],
  },
  {
    title: 'a token whose own answer was lost',
    steps: [client(handshake(1)), server(agreed(1)), client(plain), serverGap(4), client(describe(2, 'a')), server(described(2, 'a'))],
    exchanges: ['2 complete 5-5/6-6'],
    tokens: ['\0bob\0secret'],
    told: ['server tcp-gap 4 4'],
  },
];

for (const { title, steps, exchanges, tokens, told = [] } of rows) {
  test(`a conversation takes ${title} for what it is`, (t) => {
    const played = play(steps);
    t.deepEqual(played.exchanges, exchanges);
    t.deepEqual(played.tokens, tokens);
    t.deepEqual(played.told, told);
  });
}
