import test from 'ava';
import { decodePackets } from '../helpers/decode-packets.ts';
import { bigEndian, concat, EtherType, ethernet, hex, ipv4, ipv6, packetOf, tcp } from '../helpers/packets.ts';

const payload = Buffer.from('kafka');
const v4 = ipv4(tcp(payload));
const v6 = ipv6(tcp(payload));
const fromV4 = { source: '192.0.2.1:51234', destination: '192.0.2.2:9092' };
const fromV6 = { source: '[2001:db8::1]:51234', destination: '[2001:db8::2]:9092' };
const snap = (type: number, content: Uint8Array) => concat(hex('aaaa03 000000'), bigEndian(type, 2), content);
const cooked1 = (protocol: number, content: Uint8Array) => concat(new Array(14).fill(0), bigEndian(protocol, 2), content);
const cooked2 = (protocol: number, content: Uint8Array) => concat(bigEndian(protocol, 2), new Array(18).fill(0), content);
const pppoe = (content: Uint8Array) => concat(hex('1100 0001'), bigEndian(content.length, 2), content);
const label = (bottom: boolean) => hex(bottom ? '000111ff' : '000220ff');

// Each of these frames holds the same segment.
const cases: [title: string, linkType: number, bytes: Uint8Array][] = [
  ['Ethernet with IPv4', 1, ethernet(v4)],
  ['Ethernet with IPv6', 1, ethernet(v6)],
  ['802.1Q', 1, ethernet(v4, { tags: [[0x8100, 0x2064]] })],
  [
    '802.1ad around 802.1Q',
    1,
    ethernet(v6, {
      tags: [
        [0x88a8, 5],
        [0x8100, 6],
      ],
    }),
  ],
  [
    'QinQ by 9100 and 9200, three tags',
    1,
    ethernet(v4, {
      tags: [
        [0x9100, 1],
        [0x9200, 2],
        [0x8100, 3],
      ],
    }),
  ],
  ['802.3 with LLC and SNAP', 1, ethernet(snap(0x0800, v4), { type: snap(0x0800, v4).length, trailer: new Uint8Array(4) })],
  ['802.3 with LLC of IP', 1, ethernet(concat(hex('060603'), v4), { type: 3 + v4.length })],
  ['802.1Q around 802.3', 1, ethernet(snap(0x86dd, v6), { tags: [[0x8100, 1]], type: snap(0x86dd, v6).length })],
  ['PPPoE with IPv4', 1, ethernet(pppoe(concat(hex('0021'), v4)), { type: EtherType.pppoe, trailer: new Uint8Array(6) })],
  ['PPPoE with IPv6', 1, ethernet(pppoe(concat(hex('0057'), v6)), { type: EtherType.pppoe })],
  ['MPLS with two labels and IPv4', 1, ethernet(concat(label(false), label(true), v4), { type: EtherType.mpls })],
  ['MPLS multicast with IPv6', 1, ethernet(concat(label(true), v6), { type: 0x8848 })],
  ['an MPLS pseudowire with control word', 1, ethernet(concat(label(true), hex('00000000'), ethernet(v4)), { type: EtherType.mpls })],
  ['an MPLS pseudowire without control word', 1, ethernet(concat(label(true), ethernet(v6).fill(0xfe, 0, 1)), { type: EtherType.mpls })],
  ['BSD null, little-endian', 0, concat(hex('02000000'), v4)],
  ['BSD null, big-endian', 0, concat(hex('00000002'), v4)],
  ...[10, 24, 28, 30].flatMap((family): [string, number, Uint8Array][] => [
    [`BSD null, IPv6 as family ${family}, little-endian`, 0, concat(bigEndian(family, 4).reverse(), v6)],
    [`BSD null, IPv6 as family ${family}, big-endian`, 0, concat(bigEndian(family, 4), v6)],
  ]),
  ['BSD loop', 108, concat(hex('00000002'), v4)],
  ['BSD loop with IPv6', 108, concat(hex('0000001c'), v6)],
  ...[12, 14, 101].flatMap((linkType): [string, number, Uint8Array][] => [
    [`raw IPv4 as link type ${linkType}`, linkType, v4],
    [`raw IPv6 as link type ${linkType}`, linkType, v6],
  ]),
  ['raw IPv4 alone', 228, v4],
  ['raw IPv6 alone', 229, v6],
  ['PPP with address and control', 9, concat(hex('ff03 0021'), v4)],
  ['PPP without address and control', 9, concat(hex('0057'), v6)],
  ['PPP with compressed protocol', 9, concat(hex('21'), v4)],
  ['PPP with MPLS', 9, concat(hex('0281'), label(true), v4)],
  ['PPP in HDLC framing', 50, concat(hex('ff03 0021'), v4)],
  ['Cisco framing where HDLC is declared', 50, concat(hex('0f00 0800'), v4)],
  ['Cisco HDLC', 104, concat(hex('8f00 86dd'), v6)],
  ['PPP with direction', 204, concat(hex('01 ff03 0021'), v4)],
  ['PPPoE as link type', 51, pppoe(concat(hex('0021'), v4))],
  ['MPLS as link type', 219, concat(label(true), v4)],
  ['Linux cooked v1', 113, cooked1(0x0800, v4)],
  ['Linux cooked v1 with a VLAN tag', 113, cooked1(0x8100, concat(hex('0064 86dd'), v6))],
  ['Linux cooked v1 with LLC', 113, cooked1(0x0004, snap(0x0800, v4))],
  ['Linux cooked v2', 276, cooked2(0x86dd, v6)],
  ['Linux cooked v2 with a VLAN tag', 276, cooked2(0x8100, concat(hex('0064 0800'), v4))],
];
for (const [title, linkType, bytes] of cases) {
  test(`finds the segment in ${title}`, (t) => {
    const { segments, diagnostics } = decodePackets([packetOf(bytes, { linkType })]);
    const endpoints = Buffer.from(bytes).includes(Buffer.from(v6.subarray(8, 40))) ? fromV6 : fromV4;
    t.deepEqual(diagnostics, []);
    t.like(segments, [{ ...endpoints, seq: 1, payload: 'kafka', payloadLength: 5, checksum: 'right' }]);
    t.is(segments.length, 1);
  });

  test(`says that the packet is malformed wherever ${title} is cut before the TCP header's end`, (t) => {
    for (let cut = 1; cut < Buffer.from(bytes).lastIndexOf(payload); cut++) {
      const { segments, diagnostics } = decodePackets([packetOf(bytes, { linkType, end: cut })]);
      t.is(segments.length, 0, `cut at ${cut}`);
      t.deepEqual(
        diagnostics.map(({ code, packet }) => [code, packet]),
        [['packet-malformed', 1]],
        `cut at ${cut}`,
      );
      t.regex(diagnostics[0]?.message ?? '', /needs \d+ bytes, \d+ were captured$/);
    }
  });
}

const ignored: [title: string, linkType: number, bytes: Uint8Array][] = [
  ['ARP', 1, ethernet(new Uint8Array(46), { type: 0x0806 })],
  ['spanning tree', 1, ethernet(hex('424203 0000'), { type: 5 })],
  ['a PPPoE discovery packet', 51, hex('1109 0000 0004 01010000')],
  ['PPP LCP', 9, hex('ff03 c021 0101 0004')],
  ['an MPLS channel for management', 219, concat(label(true), hex('10000000'))],
  ['a Cisco keep-alive', 104, hex('8f00 8035 00000000')],
  ['another address family', 0, hex('00000007 00000000')],
];
for (const [title, linkType, bytes] of ignored) {
  test(`passes over ${title} in silence`, (t) => {
    t.deepEqual(decodePackets([packetOf(bytes, { linkType })]), { segments: [], diagnostics: [] });
  });
}

test('names a link type that is not supported once, and counts all its packets', (t) => {
  const packet = (number: number, linkType: number) => packetOf(new Uint8Array(10), { number, linkType });
  const { segments, diagnostics } = decodePackets([packet(1, 147), packet(2, 147), packet(3, 105), packet(4, 147)]);
  t.is(segments.length, 0);
  t.like(diagnostics, [
    { code: 'link-type-unsupported', packet: 1, bytes: 10, message: 'link type 147 is not supported, its packets are skipped' },
    { code: 'link-type-unsupported', packet: 3, bytes: 10, message: 'link type 105 is not supported, its packets are skipped' },
    { code: 'link-type-unsupported', count: 2, bytes: 20, message: 'more packets of link type 147' },
  ]);
  t.is(diagnostics.length, 3);
});

test('never takes padding or a frame check sequence for payload', (t) => {
  const empty = ethernet(ipv4(tcp()), { trailer: hex('000000000000 deadbeef') });
  const unsized = ethernet(ipv4(tcp(payload), { totalLength: 0 }), { trailer: hex('deadbeef') });
  const { segments } = decodePackets([packetOf(empty), packetOf(empty, { fcsBytes: 4 }), packetOf(unsized, { fcsBytes: 4 })]);
  t.deepEqual(
    segments.map((segment) => [segment.payload, segment.payloadLength, segment.checksum]),
    [
      ['', 0, 'right'],
      ['', 0, 'right'],
      ['kafka', 5, 'right'],
    ],
  );
});
