import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { TcpFlag } from '../../src/net/segment.ts';
import { type Endpoint, PacketFile } from '../bench/packet-file.ts';
import { ethernet, ipv4 } from '../helpers/packets.ts';
import { PcapngWriter } from '../helpers/pcapng.ts';
import { sampleFrame } from '../helpers/sample-capture.ts';

/** A capture made to cost as much as it can, and how it is made. */
export interface WorstCapture {
  readonly name: string;
  /** What it is about. */
  readonly title: string;
  write(path: string): void;
}

const NOTHING = new Uint8Array();
const SERVER: Endpoint = { address: 0xc0000202, port: 9092 };
const MIB = 1 << 20;

/** One direction of a connection, without a handshake unless {@link open} is called. */
class Talker {
  readonly #file: PacketFile;
  readonly #from: Endpoint;
  readonly #to: Endpoint;
  seq = 1;

  constructor(file: PacketFile, from: Endpoint, to: Endpoint) {
    this.#file = file;
    this.#from = from;
    this.#to = to;
  }

  open(flags: number): void {
    this.#write(NOTHING, 0, 0, flags);
    this.seq++;
  }

  say(bytes: Uint8Array, segmentBytes = 60_000): void {
    for (let at = 0; at < bytes.length; at += segmentBytes) {
      const end = Math.min(bytes.length, at + segmentBytes);
      this.#write(bytes, at, end, TcpFlag.ack);
      this.seq += end - at;
    }
  }

  #write(bytes: Uint8Array, start: number, end: number, flags: number): void {
    this.#file.now += 10;
    this.#file.segment({
      from: this.#from,
      to: this.#to,
      seq: this.seq,
      ack: (flags & TcpFlag.ack) === 0 ? 0 : 1,
      flags,
      bytes,
      start,
      end,
    });
  }
}

/** Client number `n`, each with an address of its own. */
function client(n: number): Endpoint {
  return { address: 0x0a000000 + (n >> 8), port: 1024 + (n & 0xff) };
}

function captured(make: (file: PacketFile) => void): (path: string) => void {
  return (path) => {
    const file = new PacketFile(path);
    make(file);
    file.close();
  };
}

/** Connections whose beginning is there, each said to by `speak`. */
function connections(
  count: number,
  speak: (talker: Talker, n: number, file: PacketFile) => void,
  fromStart = true,
): (path: string) => void {
  return captured((file) => {
    for (let n = 0; n < count; n++) {
      const talker = new Talker(file, client(n), SERVER);
      if (fromStart) talker.open(TcpFlag.syn);
      speak(talker, n, file);
    }
  });
}

/** A request of DescribeConfigs 1 with a client id and a topic of these lengths. */
export function request(correlationId: number, clientIdBytes: number, topicBytes: number): Uint8Array {
  const bytes = Buffer.alloc(4 + 10 + clientIdBytes + 4 + 3 + topicBytes + 4 + 1, 0x61);
  bytes.writeInt32BE(bytes.length - 4, 0);
  bytes.writeInt16BE(32, 4);
  bytes.writeInt16BE(1, 6);
  bytes.writeInt32BE(correlationId, 8);
  bytes.writeInt16BE(clientIdBytes, 12);
  let at = 14 + clientIdBytes;
  at = bytes.writeInt32BE(1, at);
  at = bytes.writeInt8(2, at);
  at = bytes.writeInt16BE(topicBytes, at) + topicBytes;
  at = bytes.writeInt32BE(-1, at);
  bytes.writeInt8(0, at);
  return bytes;
}

/** A response of DescribeConfigs 4 with so many of the smallest configs: ten tape entries in nine bytes each. */
function smallestConfigs(correlationId: number, count: number): Uint8Array {
  const head = Buffer.from('00000000000000000000000000020000000201740000000000', 'hex').subarray(0, 20);
  const varint = [
    0x80 | ((count + 1) & 0x7f),
    0x80 | (((count + 1) >> 7) & 0x7f),
    0x80 | (((count + 1) >> 14) & 0x7f),
    ((count + 1) >> 21) & 0x7f,
  ];
  const configs = new Uint8Array(9 * count);
  // Name and value empty, no synonyms, null documentation, no tags.
  for (let at = 0; at < configs.length; at += 9) configs.set([1, 1, 0, 1, 0, 1, 0, 0, 0], at);
  const bytes = Buffer.concat([
    head.subarray(0, 13),
    Uint8Array.from([2, 0, 0, 0, 2, 2, 0x74, ...varint]),
    configs,
    Uint8Array.from([0, 0]),
  ]);
  bytes.writeInt32BE(bytes.length - 4, 0);
  bytes.writeInt32BE(correlationId, 4);
  return bytes;
}

/** A response of DescribeConfigs 1 about one topic: an error, or the configs from one number up to another. */
function described(id: number, topic: string, error: number, from = 0, until = 0, value: (config: number) => string = String): Uint8Array {
  const parts: Uint8Array[] = [
    numbers([4, 0], [4, id], [4, 0], [4, 1], [2, error], [2, -1], [1, 2]),
    text(topic),
    numbers([4, until - from]),
  ];
  for (let config = from; config < until; config++) {
    parts.push(text(`config.${config}`), text(value(config)), numbers([1, 0], [1, 1], [1, 0], [4, 0]));
  }
  const bytes = Buffer.concat(parts);
  bytes.writeInt32BE(bytes.length - 4, 0);
  return bytes;
}

/** Big-endian integers: their lengths in bytes, and values. */
function numbers(...all: readonly (readonly [bytes: number, value: number])[]): Uint8Array {
  const bytes = Buffer.alloc(all.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of all) at = bytes.writeIntBE(value, at, length);
  return bytes;
}

function text(content: string): Uint8Array {
  const bytes = Buffer.from(content);
  return Buffer.concat([numbers([2, bytes.length]), bytes]);
}

/** One connection with many exchanges, whose answers are made one by one. */
function answers(count: number, ask: (id: number) => Uint8Array, answer: (id: number) => Uint8Array): (path: string) => void {
  return captured((file) => {
    const [from, to] = [new Talker(file, client(0), SERVER), new Talker(file, SERVER, client(0))];
    from.open(TcpFlag.syn);
    to.open(TcpFlag.syn | TcpFlag.ack);
    for (let id = 0; id < count; id++) {
      from.say(ask(id));
      to.say(answer(id));
    }
  });
}

/** A complete exchange of one connection. */
function exchange(file: PacketFile, asked: Uint8Array, answer: Uint8Array, segmentBytes?: number): void {
  const [from, to] = [new Talker(file, client(0), SERVER), new Talker(file, SERVER, client(0))];
  from.open(TcpFlag.syn);
  to.open(TcpFlag.syn | TcpFlag.ack);
  from.say(asked, segmentBytes);
  to.say(answer, segmentBytes);
}

/** A request header and the claim of a body that never comes. */
function endlessRequest(size: number): Uint8Array {
  const bytes = Uint8Array.from(sampleFrame('request', 1));
  new DataView(bytes.buffer).setInt32(0, size);
  return bytes;
}

/** A frame of zstd that says a megabyte of zeros in each 32 bytes of its own, made by hand of run-length blocks (RFC 8878, section 3.1.1.2). */
function zstdBomb(path: string, plain: Uint8Array, zeroMebibytes: number): void {
  const raw = (length: number, type: number) => [(type << 1) | ((length & 0x1f) << 3), (length >> 5) & 0xff, (length >> 13) & 0xff];
  const block = [...raw(128 << 10, 1), 0];
  const blocks = new Uint8Array(zeroMebibytes * 8 * block.length);
  for (let at = 0; at < blocks.length; at += block.length) blocks.set(block, at);
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
  writeFileSync(path, Buffer.concat([Uint8Array.from([...head, ...raw(plain.length, 0)]), plain, blocks, Uint8Array.from([1, 0, 0])]));
}

function gzipBomb(path: string, plain: Uint8Array, zeroMebibytes: number): void {
  const descriptor = openSync(path, 'w');
  writeSync(descriptor, gzipSync(plain));
  const member = gzipSync(new Uint8Array(64 * MIB));
  for (let at = 0; at < zeroMebibytes; at += 64) writeSync(descriptor, member);
  closeSync(descriptor);
}

const pcapHeader = Uint8Array.from(Buffer.from('d4c3b2a10200040000000000000000000000040001000000', 'hex'));

/** Tiny fragments of datagrams that never become whole. */
function fragments(path: string): void {
  const packets: Uint8Array[] = [pcapHeader];
  for (let id = 0; id < 200; id++) {
    for (let offset = 8; offset < 8 * 1000; offset += 16) {
      const frame = ethernet(ipv4(new Uint8Array(8), { id, more: true, fragmentOffset: offset }));
      packets.push(Uint8Array.from([0, 0, 0, 0x60, 0, 0, 0, 0, frame.length, 0, 0, 0, frame.length, 0, 0, 0]), frame);
    }
  }
  writeFileSync(path, Buffer.concat(packets));
}

function sections(path: string, count: number, interfaces: number): void {
  const writer = new PcapngWriter();
  const described = Buffer.concat(new Array(interfaces).fill(writer.interface()));
  writeFileSync(path, Buffer.concat(new Array(count).fill(Buffer.concat([writer.section(), described]))));
}

/** The worst captures known, one for each thing that an attacker might make grow. */
export const worstCaptures: readonly WorstCapture[] = [
  { name: 'syns', title: 'a hundred thousand connections that only open', write: connections(100_000, () => {}) },
  {
    name: 'undecided',
    title: 'connections that never show what they speak, many',
    write: connections(30_000, (talker) => talker.say(new Uint8Array(100).fill(7)), false),
  },
  {
    name: 'undecided-long',
    title: 'connections that never show what they speak, in full',
    write: connections(1500, (talker) => talker.say(new Uint8Array(80_000).fill(7)), false),
  },
  {
    name: 'undecided-bytes',
    title: 'a connection that never shows what it speaks, a byte a packet',
    write: connections(1, (talker) => talker.say(new Uint8Array(400_000).fill(7), 1), false),
  },
  {
    name: 'heads',
    title: 'request heads of many connections that claim long frames',
    write: connections(20_000, (talker) => talker.say(endlessRequest(1e6))),
  },
  {
    name: 'frames',
    title: 'long requests of many connections that never end',
    write: connections(200, (talker) => talker.say(Buffer.concat([endlessRequest(90e6), new Uint8Array(1e6)]))),
  },
  {
    name: 'client-ids',
    title: 'unanswered requests with the longest client ids',
    write: connections(1, (talker) => {
      for (let id = 0; id < 8000; id++) talker.say(request(id, 32_000, 1));
    }),
  },
  {
    name: 'client-ids-many',
    title: 'the longest client ids of many connections',
    write: connections(6000, (talker, n) => talker.say(named(request(n, 32_000, 1), 14, n))),
  },
  {
    name: 'pending',
    title: 'unanswered requests of many connections',
    write: connections(20, (talker) => {
      for (let id = 0; id < 9000; id++) talker.say(request(id, 3, 3));
    }),
  },
  {
    name: 'pending-long',
    title: 'long requests that are never answered',
    write: connections(1, (talker) => {
      for (let id = 0; id < 8000; id++) talker.say(request(id, 3, 30_000));
    }),
  },
  {
    name: 'strangers',
    title: 'responses that nobody asked for, while many requests wait',
    write: captured((file) => {
      const [from, to] = [new Talker(file, client(0), SERVER), new Talker(file, SERVER, client(0))];
      from.open(TcpFlag.syn);
      to.open(TcpFlag.syn | TcpFlag.ack);
      for (let id = 0; id < 9000; id++) from.say(request(id, 3, 3));
      const answers = Buffer.alloc(8 * 300_000);
      for (let at = 0; at < answers.length; at += 8) answers.writeInt32BE(answers.writeInt32BE(4, at) + 1e6, at + 4);
      to.say(answers);
    }),
  },
  {
    name: 'holes',
    title: 'every second byte, a byte a packet',
    write: connections(1, (talker) => {
      for (let i = 0; i < 400_000; i++) {
        talker.say(Uint8Array.from([i & 0xff]));
        talker.seq++;
      }
    }),
  },
  {
    name: 'backwards',
    title: 'every second byte, a byte a packet, backwards',
    write: connections(1, (talker) => {
      talker.say(new Uint8Array(1));
      for (let i = 400_000; i > 0; i--) {
        talker.seq = 2 * i;
        talker.say(Uint8Array.from([i & 0xff]));
      }
    }),
  },
  {
    name: 'lost-bytes',
    title: 'a place that is lost and never found, a byte a packet',
    write: connections(1, (talker) => {
      talker.say(request(1, 3, 3));
      talker.say(new Uint8Array(400_000).fill(0xff), 1);
    }),
  },
  {
    name: 'lost-heads',
    title: 'a place that is lost, and heads of requests that never end',
    write: connections(1, (talker) => {
      talker.say(request(1, 3, 3));
      talker.say(new Uint8Array(8).fill(0xff));
      for (let i = 0; i < 20_000; i++) talker.say(endlessRequest(60_000));
    }),
  },
  {
    name: 'tape',
    title: 'a response of nothing but the smallest configs',
    write: captured((file) => exchange(file, sampleFrame('request', 1), smallestConfigs(1, 1_000_000))),
  },
  {
    name: 'bytes',
    title: 'a long response, a byte a packet',
    write: captured((file) => exchange(file, sampleFrame('request', 1), smallestConfigs(1, 40_000), 1)),
  },
  { name: 'zstd-bomb.zst', title: 'a zstd bomb of 512 MiB', write: (path) => zstdBomb(path, pcapHeader, 512) },
  { name: 'gzip-bomb.gz', title: 'a gzip bomb of 512 MiB', write: (path) => gzipBomb(path, pcapHeader, 512) },
  {
    name: 'zeros',
    title: 'half a gigabyte of zeros',
    write: (path) => {
      writeFileSync(path, pcapHeader);
      truncateSync(path, 512 * MIB);
    },
  },
  {
    name: 'all-zeros',
    title: 'a gigabyte of nothing else',
    write: (path) => {
      writeFileSync(path, NOTHING);
      truncateSync(path, 1024 * MIB);
    },
  },
  { name: 'interfaces', title: 'more interfaces than are kept', write: (path) => sections(path, 1, 300_000) },
  { name: 'sections', title: 'sections without end, with an interface each', write: (path) => sections(path, 500_000, 1) },
  { name: 'fragments', title: 'tiny fragments that never become whole', write: fragments },
];

/** The worst captures for answers, which keep what they have seen until the end. */
export const worstForAnswers: readonly WorstCapture[] = [
  {
    name: 'configs',
    title: 'more configs than are followed, each with two values',
    write: answers(
      48,
      (id) => request(id, 3, 3),
      (id) => described(id, 'aaa', 0, (id % 24) * 10_000, (id % 24) * 10_000 + 10_000, (config) => `${id < 24}${config}`),
    ),
  },
  {
    name: 'values',
    title: 'long values that differ',
    write: answers(
      4_000,
      (id) => request(id, 3, 3),
      (id) => described(id, 'aaa', 0, id, id + 1, (config) => `${config}${'\u20ac'.repeat(10_000)}`),
    ),
  },
  {
    name: 'clients',
    title: 'long client ids, each refused a topic with a long name',
    write: answers(
      4_000,
      (id) => named(request(id, 30_000, 3), 14, id),
      (id) => described(id, `${id}${'\u20ac'.repeat(10_000)}`, 29),
    ),
  },
  {
    name: 'writes',
    title: 'alterations to long values',
    write: answers(4_000, alteration, (id) => numbers([4, 12], [4, id], [4, 0], [4, 0])),
  },
];

/** A request with a number in it, in place of a text of letters. */
function named(bytes: Uint8Array, offset: number, number: number): Uint8Array {
  bytes.set(Buffer.from(String(number).padStart(8, '0')), offset);
  return bytes;
}

/** AlterConfigs 0 of a topic, to a long value. */
function alteration(id: number): Uint8Array {
  const bytes = Buffer.concat([
    numbers([4, 0], [2, 33], [2, 0], [4, id]),
    text('aaa'),
    numbers([4, 1], [1, 2]),
    text('aaa'),
    numbers([4, 1]),
    text('config'),
    text(`${id}${'\u20ac'.repeat(10_000)}`),
    numbers([1, 0]),
  ]);
  bytes.writeInt32BE(bytes.length - 4, 0);
  return bytes;
}
