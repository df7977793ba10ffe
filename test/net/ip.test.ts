import test from 'ava';
import { decodePackets } from '../helpers/decode-packets.ts';
import { bigEndian, concat, ethernet, Flag, hex, ipv4, ipv6, packetOf, tcp } from '../helpers/packets.ts';

const payload = Buffer.from('kafka');
const only = (bytes: Uint8Array, fields = {}) => {
  const { segments, diagnostics } = decodePackets([packetOf(bytes, fields)]);
  return { ...segments[0], problem: diagnostics[0]?.message, count: segments.length, reports: diagnostics.length };
};

test('gives every field of the headers', (t) => {
  const segment = tcp(payload, { seq: 0xfffffffe, ack: 0x80000000, flags: Flag.psh | Flag.ack, window: 502, options: [1, 1, 1, 0] });
  t.like(only(ethernet(ipv4(segment, { source: '255.0.0.1', destination: '10.0.0.2' }))), {
    packet: 1,
    source: '255.0.0.1:51234',
    destination: '10.0.0.2:9092',
    seq: 0xfffffffe,
    ack: 0x80000000,
    flags: 0x18,
    window: 502,
    payload: 'kafka',
    payloadLength: 5,
    checksum: 'right',
    reports: 0,
  });
});

const extension = (nextHeader: number, ...rest: number[]) => Uint8Array.from([nextHeader, 0, ...rest]);
const whole: [title: string, bytes: Uint8Array][] = [
  ['IPv4 options', ipv4(tcp(payload), { options: [7, 7, 4, 0, 0, 0, 0, 0] })],
  ['IPv4 total length 0 of segmentation offloading', ipv4(tcp(payload), { totalLength: 0 })],
  ['IPv6 hop-by-hop options', ipv6(tcp(payload), { nextHeader: 0, extensions: [extension(6, 1, 4, 0, 0, 0, 0)] })],
  [
    'IPv6 hop-by-hop, destination and routing headers',
    ipv6(tcp(payload), {
      nextHeader: 0,
      extensions: [extension(60, 1, 4, 0, 0, 0, 0), extension(43, 1, 4, 0, 0, 0, 0), extension(6, 4, 0, 0, 0, 0, 0)],
    }),
  ],
  ['an IPv6 authentication header', ipv6(tcp(payload), { nextHeader: 51, extensions: [concat([6, 4], new Uint8Array(22))] })],
  ['an IPv6 fragment header of a whole datagram', ipv6(tcp(payload), { nextHeader: 44, extensions: [extension(6, 0, 0, 0, 0, 0, 9)] })],
  ['IPv6 payload length 0 of offloading', ipv6(tcp(payload), { payloadLength: 0 })],
];
for (const [title, bytes] of whole) {
  test(`finds the segment behind ${title}`, (t) => {
    t.like(only(ethernet(bytes)), { payload: 'kafka', payloadLength: 5, checksum: 'right', reports: 0 });
  });
}

test('an IPv4 authentication header leads to the segment', (t) => {
  const bytes = ethernet(ipv4(concat([6, 4], new Uint8Array(22), tcp(payload)), { protocol: 51 }));
  t.like(only(bytes), { payload: 'kafka', payloadLength: 5, reports: 0 });
});

test('takes the length of a jumbogram from its option', (t) => {
  const data = new Uint8Array(70_000).fill(0x6b);
  const jumbo = extension(6, 0xc2, 4, ...bigEndian(8 + 20 + data.length, 4));
  const bytes = ethernet(ipv6(tcp(data), { nextHeader: 0, extensions: [jumbo], payloadLength: 0 }), { trailer: new Uint8Array(9) });
  t.like(only(bytes), { payloadLength: 70_000, checksum: 'right', reports: 0 });
});

test('a packet cut by the snapshot length gives what was captured and the length on the wire', (t) => {
  const bytes = ethernet(ipv4(tcp(payload)));
  t.like(only(bytes, { end: bytes.length - 2 }), { payload: 'kaf', payloadLength: 5, checksum: 'unknown', reports: 0 });
});

test('a TCP header cut in its options gives a segment with nothing captured', (t) => {
  const bytes = ethernet(ipv4(tcp(payload, { options: [1, 1, 1, 0] })));
  t.like(only(bytes, { end: bytes.length - payload.length - 1 }), { payload: '', payloadLength: 5, checksum: 'unknown', reports: 0 });
});

test('believes the IP length where packet and original length were cut alike, unless the header checksum is wrong', (t) => {
  const bytes = ethernet(ipv4(tcp(payload)));
  const cut = { end: bytes.length - 2, originalLength: bytes.length - 2 };
  t.like(only(bytes, cut), { payload: 'kaf', payloadLength: 5, reports: 0 });
  const damaged = bytes.slice();
  damaged[16] = 0x7f;
  t.like(only(damaged), { count: 0, problem: `IPv4 total length of ${0x7f00 + 45} bytes in 45, and a wrong header checksum` });
});

test('an original length below the captured one, or beyond any packet, gives way', (t) => {
  const bytes = ethernet(ipv4(tcp(payload), { totalLength: 0 }));
  for (const originalLength of [0, 20, 0xffffffff])
    t.like(only(bytes, { originalLength }), { payload: 'kafka', payloadLength: 5, reports: 0 });
});

const v4 = ipv4(tcp(payload));
const changed = (bytes: Uint8Array, offset: number, ...values: number[]) => {
  const copy = bytes.slice();
  copy.set(values, offset);
  return copy;
};
const malformed: [problem: string, bytes: Uint8Array][] = [
  ['IPv4 header with version 5', changed(v4, 0, 0x55)],
  ['IPv4 header length of 16 bytes is below 20', changed(v4, 0, 0x44)],
  ["IPv4 total length of 19 bytes is below its header's 20", ipv4(tcp(payload), { totalLength: 19 })],
  ['IPv4 header needs 60 bytes, 45 are left in the packet', ipv4(tcp(payload), { totalLength: 0 }).fill(0x4f, 0, 1)],
  ['TCP header needs 20 bytes, 19 are left in the packet', ipv4(tcp().subarray(0, 19))],
  ['TCP data offset of 16 bytes is below 20', ipv4(changed(tcp(payload), 12, 0x40))],
  ['TCP data offset of 60 bytes in a segment of 25', ipv4(changed(tcp(payload), 12, 0xf0))],
  ['IPv6 header with version 4', changed(ipv6(tcp()), 0, 0x40)],
  ['IPv6 routing header needs 16 bytes, 8 are left in the packet', ipv6(hex('06 01 04 00 00000000'), { nextHeader: 43 })],
  ['IPv6 jumbo payload of 4294967295 bytes', ipv6(hex('06 00 c2 04 ffffffff'), { nextHeader: 0, payloadLength: 0 })],
];
for (const [problem, bytes] of malformed) {
  test(`reports, with the packet's number: ${problem}`, (t) => {
    const type = problem.startsWith('IPv6') ? 0x86dd : 0x0800;
    const frame = ethernet(bytes, { type });
    const { segments, diagnostics } = decodePackets([packetOf(frame, { number: 7, capture: 2 })]);
    t.deepEqual(segments, []);
    t.deepEqual(diagnostics, [{ code: 'packet-malformed', message: problem, capture: 2, packet: 7, fileOffset: 24, bytes: frame.length }]);
  });
}

test('passes over UDP, and ICMP that quotes a TCP header, in silence', (t) => {
  const udp = ethernet(ipv4(new Uint8Array(3), { protocol: 17 }));
  const icmp = ethernet(ipv4(concat(hex('0303 0000 00000000'), v4), { protocol: 1 }));
  const icmp6 = ethernet(ipv6(concat(hex('0100 0000 00000000'), ipv6(tcp())), { nextHeader: 58 }));
  t.deepEqual(decodePackets([udp, icmp, icmp6]), { segments: [], diagnostics: [] });
});

test('an IPv4 packet whose protocol number is an IPv6 extension is passed over', (t) => {
  t.deepEqual(decodePackets([ethernet(ipv4(new Uint8Array(300), { protocol: 0 }))]), { segments: [], diagnostics: [] });
});
