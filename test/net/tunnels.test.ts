import test from 'ava';
import { MAX_HEADERS } from '../../src/limits.ts';
import { decodePackets } from '../helpers/decode-packets.ts';
import { bigEndian, concat, EtherType, ethernet, hex, ipv4, ipv6, tcp, udp } from '../helpers/packets.ts';

const inner = { source: '10.0.0.1', destination: '10.0.0.2' };
const v4 = ipv4(tcp(Buffer.from('kafka')), inner);
const v6 = ipv6(tcp(Buffer.from('kafka')), { source: 'fd00::1', destination: 'fd00::2' });
const frame = ethernet(v4);
const over4 = (protocol: number, ...content: Uint8Array[]) => ethernet(ipv4(concat(...content), { protocol }));
const overUdp = (port: number, content: Uint8Array) => over4(17, udp(content, 40_000, port));

const cases: [title: string, bytes: Uint8Array][] = [
  ['IPv4 in IPv4', over4(4, v4)],
  ['IPv6 in IPv4', over4(41, v6)],
  ['IPv4 in IPv6', ethernet(ipv6(v4, { nextHeader: 4 }))],
  ['MPLS in IPv4', over4(137, hex('000111ff'), v4)],
  ['GRE with IPv4', over4(47, hex('0000 0800'), v4)],
  ['GRE with IPv6, over IPv6', ethernet(ipv6(concat(hex('0000 86dd'), v6), { nextHeader: 47 }))],
  ['GRE with checksum, key and sequence number', over4(47, hex('b000 0800 00000000 00000007 00000001'), v4)],
  ['GRE with an Ethernet frame', over4(47, hex('2000 6558 00000007'), frame)],
  ['GRE with MPLS', over4(47, hex('0000 8847 000111ff'), v4)],
  ['GRE version 1 with PPP', over4(47, hex('3081 880b 00390001 00000001 00000000 ff03 0021'), v4)],
  ['ERSPAN type I', over4(47, hex('0000 88be'), frame)],
  ['ERSPAN type II', over4(47, hex('1000 88be 00000001 1001000100000000'), frame)],
  ['ERSPAN type III', over4(47, hex('1000 22eb 00000001 200100010000000000000000'), frame)],
  ['ERSPAN type III with a platform header', over4(47, hex('1000 22eb 00000001 200100010000000000000001 0000000000000000'), frame)],
  ['VXLAN', overUdp(4789, concat(hex('08000000 00000700'), frame))],
  ['VXLAN on the port of early Linux', overUdp(8472, concat(hex('08000000 00000700'), ethernet(v6)))],
  ['VXLAN with a VLAN inside', overUdp(4789, concat(hex('08000000 00000700'), ethernet(v4, { tags: [[EtherType.vlan, 9]] })))],
  ['Geneve', overUdp(6081, concat(hex('0000 6558 00000700'), frame))],
  ['Geneve with options and IPv4', overUdp(6081, concat(hex('0200 0800 00000700 0102030401020304'), v4))],
  ['GTP-U', overUdp(2152, concat(hex('30ff'), bigEndian(v4.length, 2), hex('00000001'), v4))],
  ['GTP-U with a sequence number', overUdp(2152, concat(hex('32ff 0000 00000001 0007 00 00'), v6))],
  ['GTP-U with two extension headers', overUdp(2152, concat(hex('34ff 0000 00000001 0000 00 85 01 1009 85 02 10090000 000000'), v4))],
  ['GRE inside VXLAN', overUdp(4789, concat(hex('08000000 00000700'), over4(47, hex('0000 0800'), v4)))],
];
for (const [title, bytes] of cases) {
  test(`finds the inner segment in ${title}`, (t) => {
    const { segments, diagnostics } = decodePackets([bytes]);
    const sixes = Buffer.from(bytes).includes(Buffer.from(v6));
    t.deepEqual(diagnostics, []);
    t.is(segments.length, 1);
    t.like(segments[0], {
      source: sixes ? '[fd00::1]:51234' : '10.0.0.1:51234',
      destination: sixes ? '[fd00::2]:9092' : '10.0.0.2:9092',
      payload: 'kafka',
      payloadLength: 5,
      checksum: 'right',
    });
  });
}

const silent: [title: string, bytes: Uint8Array][] = [
  ['UDP on another port', overUdp(53, concat(hex('08000000 00000700'), frame))],
  ['something else on the port of VXLAN', overUdp(4789, concat(hex('00000000 00000700'), frame))],
  ['a Geneve control packet', overUdp(6081, concat(hex('0080 6558 00000700'), frame))],
  ['GTP-U signalling', overUdp(2152, hex('3201 0004 00000000 00010000'))],
  ['a PPTP acknowledgment', over4(47, hex('2081 880b 00000001 00000001'))],
  ['a GRE keep-alive', over4(47, hex('0000 0000'))],
];
for (const [title, bytes] of silent) {
  test(`passes over ${title} in silence`, (t) => {
    t.deepEqual(decodePackets([bytes]), { segments: [], diagnostics: [] });
  });
}

const malformed: [problem: string, bytes: Uint8Array][] = [
  ['GRE with source routes, which RFC 2784 took out', over4(47, hex('4000 0800 00000000'))],
  ['GRE version 2', over4(47, hex('0002 0800'))],
  ['GRE header needs 16 bytes, 8 are left in the packet', over4(47, hex('b000 0800 00000000'))],
  ['Geneve header needs 260 bytes, 50 are left in the packet', overUdp(6081, concat(hex('3f00 0800 00000700'), new Uint8Array(42)))],
  ['GTP-U extension header of 0 bytes', overUdp(2152, hex('34ff 0000 00000001 0000 00 85 00000000'))],
];
for (const [problem, bytes] of malformed) {
  test(`reports ${problem}`, (t) => {
    const { segments, diagnostics } = decodePackets([bytes]);
    t.is(segments.length, 0);
    t.deepEqual(
      diagnostics.map(({ code, message }) => [code, message]),
      [['packet-malformed', problem]],
    );
  });
}

test('headers nest up to the limit, and no deeper', (t) => {
  const nested = (depth: number): Uint8Array => (depth === 0 ? v4 : ipv4(nested(depth - 1), { protocol: 4 }));
  t.is(decodePackets([ethernet(nested(MAX_HEADERS - 3))]).segments.length, 1);
  const { segments, diagnostics } = decodePackets([ethernet(nested(MAX_HEADERS))]);
  t.is(segments.length, 0);
  t.like(diagnostics, [{ code: 'packet-malformed', message: `more than ${MAX_HEADERS} headers inside one another` }]);
});
