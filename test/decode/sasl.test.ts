import test from 'ava';
import { saslUser } from '../../src/decode/sasl.ts';

const tokens: readonly (readonly [mechanism: string | null, token: string, user: string | null])[] = [
  ['PLAIN', '\0alice\0hush', 'alice'],
  ['PLAIN', 'admin\0alice\0hush', 'alice'],
  ['PLAIN', '\0\0hush', ''],
  ['PLAIN', '\0alice', null],
  ['PLAIN', 'alice', null],
  ['PLAIN', '', null],
  ['SCRAM-SHA-256', 'n,,n=alice,r=abc', 'alice'],
  ['SCRAM-SHA-512', 'n,a=admin,n=alice,r=abc', 'alice'],
  ['SCRAM-SHA-256', 'y,,m=ext,n=alice,r=abc', 'alice'],
  ['SCRAM-SHA-256', 'p=tls-unique,,n=alice,r=abc', 'alice'],
  ['SCRAM-SHA-256', 'n,,n=a=2Cb=3Dc,r=abc', 'a,b=c'],
  ['SCRAM-SHA-256', 'c=biws,r=abcdef,p=proof', null],
  ['SCRAM-SHA-256', 'xn,,n=alice,r=abc', null],
  ['SCRAM-SHA-256', 'n,,n=alice', null],
  ['OAUTHBEARER', 'n,,n=alice,r=abc', null],
  ['GSSAPI', '\0alice\0hush', null],
  [null, '\0alice\0hush', null],
];
for (const [mechanism, token, user] of tokens) {
  test(`${mechanism ?? 'no known mechanism'}: ${JSON.stringify(token)} is ${user === null ? 'of nobody known' : `of "${user}"`}`, (t) => {
    t.is(saslUser(mechanism, Buffer.from(token)), user);
  });
}
