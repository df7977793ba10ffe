import test from 'ava';
import fc from 'fast-check';
import { PacketDecoder } from '../../src/net/packet-decoder.ts';
import { concat, EtherType, ethernet, hex, ipv4, ipv6, ipv6FragmentHeader, packetOf, tcp, udp } from '../helpers/packets.ts';

const segment = tcp(Buffer.from('payload'), { options: [1, 1, 1, 0] });
const inner = ethernet(ipv4(segment, { options: [1, 1, 1, 0] }));
const seeds: [linkType: number, bytes: Uint8Array][] = [
  [1, ethernet(ipv4(udp(concat(hex('08000000 00000700'), inner), 1, 4789), { protocol: 17 }), { tags: [[EtherType.vlan, 1]] })],
  [1, ethernet(ipv4(udp(concat(hex('0200 6558 00000700 0102030401020304'), inner), 1, 6081), { protocol: 17 }))],
  [1, ethernet(ipv4(udp(concat(hex('34ff 0000 00000001 0000 00 85 01 100900'), ipv4(segment)), 1, 2152), { protocol: 17 }))],
  [1, ethernet(ipv4(concat(hex('b000 0800 00000000 00000007 00000001'), ipv6(segment)), { protocol: 47 }))],
  [1, ethernet(concat(hex('000111ff'), ipv4(segment)), { type: EtherType.mpls })],
  [1, ethernet(concat(hex('aaaa03 000000 0800'), ipv4(segment)), { type: 60 })],
  [101, ipv6(segment, { nextHeader: 0, extensions: [hex('2c 00 c2 04 00000100'), ipv6FragmentHeader(6, 0, true, 1)] })],
  [101, ipv4(segment.subarray(0, 24), { more: true, fragmentOffset: 8 })],
  [9, concat(hex('ff03 0021'), ipv4(segment))],
  [50, concat(hex('0f00 0800'), ipv4(segment))],
  [276, concat(hex('8100'), new Array(18).fill(0), hex('0001 0800'), ipv4(segment))],
];

const change = fc.record({ at: fc.nat(200), value: fc.nat(255) });
const mutated = fc
  .record({
    seed: fc.constantFrom(...seeds),
    changes: fc.array(change, { maxLength: 6 }),
    keep: fc.nat(200),
    original: fc.nat(300),
    fcsBytes: fc.nat(4),
  })
  .map(({ seed: [linkType, bytes], changes, keep, original, fcsBytes }) => {
    const copy = bytes.slice();
    for (const { at, value } of changes) copy[at % copy.length] = value;
    return packetOf(copy, { linkType, end: Math.min(keep, copy.length), originalLength: original, fcsBytes });
  });

test('changed and cut packets never throw, and every segment stays inside its bytes', (t) => {
  const seen = { segments: 0, malformed: 0 };
  fc.assert(
    fc.property(fc.array(mutated, { maxLength: 40 }), (packets) => {
      const decoder = new PacketDecoder(
        {
          segment(found) {
            seen.segments++;
            found.checksum();
            const { start, end, bytes, payloadLength, packet } = found;
            const inside = start >= 0 && start <= end && end <= bytes.length && end - start <= payloadLength;
            t.true(inside && (bytes !== packet.bytes || (start >= packet.start && end <= packet.end)), JSON.stringify(found));
          },
        },
        { report: ({ code }) => void (code === 'packet-malformed' && seen.malformed++) },
      );
      for (const packet of packets) decoder.packet(packet);
      decoder.end();
    }),
    { numRuns: 500 },
  );
  t.true(seen.segments > 500 && seen.malformed > 500, JSON.stringify(seen));
});

test('a run of zeros, of ones, or of noise never throws', (t) => {
  const decoder = new PacketDecoder({ segment: () => {} }, { report: () => {} });
  const linkTypes = [0, 1, 9, 12, 50, 51, 101, 104, 108, 113, 204, 219, 228, 229, 276];
  fc.assert(
    fc.property(
      fc.constantFrom(...linkTypes),
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(null, 0, 0xff),
      (linkType, noise, fill) => {
        decoder.packet(packetOf(fill === null ? noise : noise.fill(fill), { linkType }));
      },
    ),
    { numRuns: 3000 },
  );
  t.notThrows(() => decoder.end());
});
