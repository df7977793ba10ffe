import test from 'ava';
import fc from 'fast-check';
import type { Packet } from '../../src/capture/packet.ts';
import { MAX_FRAGMENT_BYTES, MAX_FRAGMENT_SECONDS, MAX_FRAGMENTED_DATAGRAMS } from '../../src/limits.ts';
import { decodePackets } from '../helpers/decode-packets.ts';
import { concat, ethernet, hex, ipv4, ipv6, ipv6FragmentHeader, packetOf, tcp, udp } from '../helpers/packets.ts';

interface Fragment {
  offset: number;
  bytes: Uint8Array;
  more: boolean;
}

const payload = Uint8Array.from({ length: 100 }, (_, index) => 0x20 + (index % 90));
const text = Buffer.from(payload).toString('latin1');
/** The whole segment with its checksum, as IP carries it. */
const content4 = ipv4(tcp(payload)).subarray(20);
const content6 = ipv6(tcp(payload)).subarray(40);

/** Cuts at the given places, multiples of 8. */
function cut(content: Uint8Array, ...places: number[]): Fragment[] {
  const starts = [0, ...places];
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? content.length;
    return { offset: start, bytes: content.subarray(start, end), more: end < content.length };
  });
}
const on4 = ({ offset, bytes, more }: Fragment, id = 7, protocol = 6) =>
  ethernet(ipv4(bytes, { fragmentOffset: offset, more, id, protocol }));
const on6 = ({ offset, bytes, more }: Fragment, nextHeader = 6) =>
  ethernet(ipv6(bytes, { nextHeader: 44, extensions: [ipv6FragmentHeader(nextHeader, offset, more, 7)], fillChecksum: false }));
const at = (bytes: Uint8Array, number: number, fields: Partial<Packet> = {}) => packetOf(bytes, { number, ...fields });

for (const [version, wrap, content] of [
  ['IPv4', on4, content4],
  ['IPv6', on6, content6],
] as const) {
  test(`${version} fragments make a segment at the packet that completes it`, (t) => {
    const { segments, diagnostics } = decodePackets(cut(content, 32, 64).map((fragment) => wrap(fragment)));
    t.deepEqual(diagnostics, []);
    t.is(segments.length, 1);
    t.like(segments[0], { packet: 3, payload: text, payloadLength: 100, checksum: 'right' });
  });

  test(`${version} fragments give the same segment in any order, cut anywhere, repeated and overlapping`, (t) => {
    const places = fc
      .uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 6 })
      .map((units) => units.sort((a, b) => a - b).map((unit) => unit * 8));
    const fragments = fc.tuple(places, places).chain(([one, other]) => {
      const all = [...cut(content, ...one), ...cut(content, ...other)];
      return fc.shuffledSubarray(all, { minLength: all.length });
    });
    fc.assert(
      fc.property(fragments, (shuffled) => {
        fc.pre(shuffled.every(({ offset, more }) => offset > 0 || more));
        const { segments, diagnostics } = decodePackets(shuffled.map((fragment) => wrap(fragment)));
        t.deepEqual(diagnostics, []);
        t.is(segments.length, 1);
        t.like(segments[0], { source: version === 'IPv4' ? '192.0.2.1:51234' : '[2001:db8::1]:51234', payload: text, checksum: 'right' });
      }),
    );
  });
}

test('where fragments overlap, the first copy counts', (t) => {
  const [first, second, third] = cut(content4, 32, 64) as [Fragment, Fragment, Fragment];
  const liar = { offset: 24, bytes: new Uint8Array(40).fill(0x58), more: true };
  t.like(decodePackets([on4(first), on4(second), on4(liar), on4(third)]).segments, [{ payload: text, checksum: 'right' }]);
  const { segments } = decodePackets([on4(first), on4(liar), on4(second), on4(third)]);
  t.like(segments, [{ payload: text.slice(0, 12) + 'X'.repeat(32) + text.slice(44), checksum: 'wrong' }]);
});

test('a later fragment is never read as a TCP header', (t) => {
  const fragment = { offset: 32, bytes: tcp(payload.subarray(0, 44)), more: true };
  const { segments, diagnostics } = decodePackets([on4(fragment)]);
  t.deepEqual(segments, []);
  t.like(diagnostics, [
    {
      code: 'fragments-incomplete',
      message: 'IPv4 datagram 7 from 192.0.2.1 to 192.0.2.2: 64 bytes in fragments, its end never came',
      packet: 1,
      fileOffset: 24,
      bytes: 64,
    },
  ]);
});

test('a datagram with a hole is reported at the end, with what is missing', (t) => {
  const [first, , third] = cut(content6, 32, 64) as [Fragment, Fragment, Fragment];
  const { segments, diagnostics } = decodePackets([on6(first), on6(third)]);
  t.deepEqual(segments, []);
  t.like(diagnostics, [
    { message: 'IPv6 datagram 7 from 2001:db8::1 to 2001:db8::2: 88 bytes in fragments, 32 bytes never came', packet: 1, bytes: 88 },
  ]);
  t.is(diagnostics.length, 1);
});

test('datagrams are told apart by identification, addresses and protocol', (t) => {
  const [first, last] = cut(content4, 64) as [Fragment, Fragment];
  const elsewhere = ethernet(ipv4(last.bytes, { fragmentOffset: 64, id: 7, source: '192.0.2.9' }));
  const { segments, diagnostics } = decodePackets([on4(first), on4(last, 8), on4(last, 7, 17), elsewhere]);
  t.is(segments.length, 0);
  t.is(diagnostics.length, 4);
});

test('an identification used again begins a new datagram', (t) => {
  const again = ipv4(tcp(Buffer.from('other bytes, another length'))).subarray(20);
  const { segments, diagnostics } = decodePackets([...cut(content4, 64), ...cut(again, 24)].map((fragment) => on4(fragment)));
  t.like(segments, [
    { packet: 2, payload: text },
    { packet: 4, payload: 'other bytes, another length' },
  ]);
  t.deepEqual(diagnostics, []);
});

test('a datagram that its next fragment contradicts is given up', (t) => {
  const [, last] = cut(content4, 64) as [Fragment, Fragment];
  const longer = cut(concat(content4, content4), 64, 176) as [Fragment, Fragment, Fragment];
  const { segments, diagnostics } = decodePackets([last, longer[1], longer[0], longer[2]].map((fragment) => on4(fragment)));
  t.like(segments, [{ packet: 4, payloadLength: 220 }]);
  t.like(diagnostics, [{ code: 'fragments-incomplete', packet: 1, bytes: 56 }]);
});

test('a datagram that takes longer than its time is given up', (t) => {
  const [first, last] = cut(content4, 64) as [Fragment, Fragment];
  const late = (seconds: number) => decodePackets([at(on4(first), 1, { seconds: 1000 }), at(on4(last), 2, { seconds: 1000 + seconds })]);
  t.is(late(MAX_FRAGMENT_SECONDS).segments.length, 1);
  t.is(late(MAX_FRAGMENT_SECONDS + 1).segments.length, 0);
  t.like(late(MAX_FRAGMENT_SECONDS + 1).diagnostics, [
    { packet: 1, bytes: 64 },
    { packet: 2, bytes: 56 },
  ]);
  t.is(decodePackets([at(on4(first), 1, { seconds: Number.NaN }), at(on4(last), 2, { seconds: Number.NaN })]).segments.length, 1);
});

test('no more datagrams are kept than the limit: those begun first are given up', (t) => {
  const [first, last] = cut(content4, 64) as [Fragment, Fragment];
  const begun = Array.from({ length: MAX_FRAGMENTED_DATAGRAMS + 2 }, (_, id) => on4(first, id));
  const { segments, diagnostics } = decodePackets([...begun, on4(last, 2), on4(last, MAX_FRAGMENTED_DATAGRAMS + 1), on4(last, 0)]);
  t.deepEqual(
    segments.map(({ payload: bytes }) => bytes),
    [text, text],
  );
  t.deepEqual(
    diagnostics.slice(0, 2).map(({ packet, bytes }) => [packet, bytes]),
    [
      [1, 64],
      [2, 64],
    ],
  );
});

test('no more bytes are kept than the limit', (t) => {
  const far = { offset: 65_000, bytes: new Uint8Array(8), more: true };
  const kept = Math.floor(MAX_FRAGMENT_BYTES / (65_008 * 1.125));
  const { diagnostics } = decodePackets([...Array.from({ length: kept + 1 }, (_, id) => on4(far, id)), on4({ ...far, offset: 8 }, 0)]);
  t.like(diagnostics[0], { code: 'fragments-incomplete', packet: 1, bytes: 8 });
  t.is(diagnostics.length, kept + 2, 'the first was given up and began anew');
});

test('a fragment cut by the snapshot length leaves a segment captured up to the cut', (t) => {
  const [first, second, third] = cut(content4, 32, 64).map((fragment) => on4(fragment)) as [Uint8Array, Uint8Array, Uint8Array];
  const { segments } = decodePackets([at(first, 1), at(second, 2, { end: second.length - 5 }), at(third, 3)]);
  t.like(segments, [{ packet: 3, payload: text.slice(0, 64 - 5 - 20), payloadLength: 100, checksum: 'unknown' }]);
  const copied = decodePackets([at(first, 1), at(second, 2), at(second, 3, { end: second.length - 5 }), at(third, 4)]);
  t.like(copied.segments, [{ payload: text, checksum: 'right' }]);
});

test('fragments inside a tunnel, and of a tunnel, make segments', (t) => {
  const gre = (packet: Uint8Array) => ethernet(ipv4(concat(hex('0000 0800'), packet), { protocol: 47 }));
  const fragments = cut(content4, 64).map(({ offset, bytes, more }) => gre(ipv4(bytes, { fragmentOffset: offset, more, id: 9 })));
  t.like(decodePackets(fragments).segments, [{ payload: text, checksum: 'right' }]);
  const vxlan = udp(concat(hex('08000000 00000700'), ethernet(ipv4(tcp(payload)))), 40_000, 4789);
  t.like(decodePackets(cut(vxlan, 16, 64).map((fragment) => on4(fragment, 7, 17))).segments, [{ payload: text, checksum: 'right' }]);
});

test('fragments of what carries no TCP are passed over in silence', (t) => {
  const fragments = [...cut(udp(payload, 40_000, 53), 64)].map((fragment) => on4(fragment, 7, 17));
  t.deepEqual(decodePackets([...fragments, on4(cut(payload, 64)[0] as Fragment, 7, 1)]), { segments: [], diagnostics: [] });
});

const malformed: [problem: string, fragment: Fragment][] = [
  ['IP fragment without content', { offset: 8, bytes: new Uint8Array(), more: true }],
  ["IP fragment of 12 bytes, no multiple of 8, that isn't the last", { offset: 8, bytes: new Uint8Array(12), more: true }],
  ['IP fragment that ends at byte 65536 of its datagram', { offset: 65_528, bytes: new Uint8Array(8), more: false }],
];
for (const [problem, fragment] of malformed) {
  test(`reports ${problem}`, (t) => {
    for (const frame of [on4(fragment), on6(fragment)]) {
      t.like(decodePackets([frame]).diagnostics, [{ code: 'packet-malformed', message: problem, packet: 1 }]);
    }
  });
}
