import test from 'ava';
import { decodePackets } from '../helpers/decode-packets.ts';
import { addressBytes, concat, ethernet, hex, ipv4, ipv6, packetOf, pseudoHeaderChecksum, tcp } from '../helpers/packets.ts';

const payload = Buffer.from('an odd number of bytes!');
const v4 = [addressBytes('192.0.2.1'), addressBytes('192.0.2.2')] as const;
const v6 = [addressBytes('2001:db8::1'), addressBytes('2001:db8::2')] as const;
const segmentBytes = 20 + payload.length;
const sumOf = (addresses: typeof v4, length: number) => ~pseudoHeaderChecksum(...addresses, length) & 0xffff;
const damaged = (packet: Uint8Array) => packet.fill(0x58, -1);
const routed = Uint8Array.from([6, 2, 4, 1, 0, 0, 0, 0, ...addressBytes('2001:db8::3')]);

const cases: [title: string, expected: string, packet: Uint8Array][] = [
  ['of IPv4 that is right', 'right', ipv4(tcp(payload))],
  ['of IPv6 that is right', 'right', ipv6(tcp(payload))],
  ['of IPv4 after damage', 'wrong', damaged(ipv4(tcp(payload)))],
  ['of IPv6 after damage', 'wrong', damaged(ipv6(tcp(payload)))],
  ['that holds the pseudo-header sum of IPv4', 'offloaded', ipv4(tcp(payload, { checksum: sumOf(v4, segmentBytes) }))],
  ['that holds the pseudo-header sum of IPv6', 'offloaded', ipv6(tcp(payload, { checksum: sumOf(v6, segmentBytes) }))],
  ['that holds the pseudo-header sum without length', 'offloaded', ipv4(tcp(payload, { checksum: sumOf(v4, 0) }))],
  ['that is 0', 'offloaded', ipv4(tcp(payload), { fillChecksum: false })],
  ['that is the complement of the pseudo-header sum', 'wrong', ipv4(tcp(payload, { checksum: pseudoHeaderChecksum(...v4, segmentBytes) }))],
  [
    'behind a routing header that names another destination',
    'unknown',
    damaged(ipv6(tcp(payload), { nextHeader: 43, extensions: [routed] })),
  ],
  ['behind IPv4 options, which may name another destination', 'unknown', damaged(ipv4(tcp(payload), { options: [1, 1, 1, 1] }))],
];
for (const [title, expected, packet] of cases) {
  test(`a checksum ${title} is ${expected}`, (t) => {
    t.like(decodePackets([ethernet(packet)]).segments, [{ checksum: expected }]);
  });
}

test('the checksum of a segment that the snapshot length cut is unknown', (t) => {
  const frame = ethernet(ipv4(tcp(payload)));
  t.like(decodePackets([packetOf(frame, { end: frame.length - 1 })]).segments, [{ checksum: 'unknown' }]);
});

test('the pseudo-header is that of the innermost IP header', (t) => {
  const frame = ethernet(ipv6(concat(hex('0000 0800'), ipv4(tcp(payload))), { nextHeader: 47 }));
  t.like(decodePackets([frame]).segments, [{ checksum: 'right' }]);
});
