import test from 'ava';
import fc from 'fast-check';
import { addressText, hostPort, ipv6Text } from '../../src/net/address.ts';
import { int32 } from '../../src/wire/bytes.ts';
import { addressBytes } from '../helpers/packets.ts';

function words(text: string): [number, number, number, number] {
  const bytes = Uint8Array.from(addressBytes(text));
  return text.includes(':') ? [int32(bytes, 0), int32(bytes, 4), int32(bytes, 8), int32(bytes, 12)] : [0, 0, 0, int32(bytes, 0)];
}

for (const address of ['0.0.0.0', '192.0.2.1', '255.255.255.255']) {
  test(`${address} is written so`, (t) => {
    t.is(addressText(4, ...words(address)), address);
    t.is(hostPort(4, ...words(address), 51234), `${address}:51234`);
  });
}

// RFC 5952, section 4, and what it says of embedded IPv4 addresses in section 5.
const cases: [given: string, expected: string][] = [
  ['0:0:0:0:0:0:0:0', '::'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['2001:0db8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['FE80:0:0:0:0:0:0:0', 'fe80::'],
  ['1:2:3:4:5:6:0:0', '1:2:3:4:5:6::'],
  ['0:0:0:0:0:ffff:c000:201', '::ffff:192.0.2.1'],
];
for (const [given, expected] of cases) {
  test(`${given} is written ${expected}`, (t) => {
    t.is(addressText(6, ...words(given)), expected);
    t.is(hostPort(6, ...words(given), 9092), `[${expected}]:9092`);
  });
}

test('IPv6 addresses are written as URLs write them, mapped IPv4 ones aside', (t) => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const long = groups.map((value) => value.toString(16)).join(':');
      fc.pre(!long.startsWith('0:0:0:0:0:ffff:'));
      t.is(`[${ipv6Text(...words(long))}]`, new URL(`http://[${long}]/`).hostname);
    }),
  );
});
