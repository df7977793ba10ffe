import test from 'ava';
import { isLastToken, readFirstToken } from '../../src/analysis/sasl.ts';

const tokens: readonly (readonly [title: string, mechanism: string | null, token: string, user: string | null, exposes: boolean])[] = [
  ['PLAIN names its user and exposes a password', 'PLAIN', '\0alice\0pass', 'alice', true],
  ['PLAIN with an authorization identity names its user', 'PLAIN', 'alice\0alice\0pass', 'alice', true],
  ['PLAIN without separators says nothing', 'PLAIN', 'alice', null, false],
  ['SCRAM names its user and exposes nothing', 'SCRAM-SHA-256', 'n,,n=ops,r=abc', 'ops', false],
  ['SCRAM unescapes commas and equals signs', 'SCRAM-SHA-512', 'n,,n=a=2Cb=3Dc,r=abc', 'a,b=c', false],
  ["SCRAM with a delegation token's id names nobody", 'SCRAM-SHA-256', 'n,,n=tokenid,r=abc,tokenauth=true', null, false],
  ['SCRAM with rubbish says nothing', 'SCRAM-SHA-256', 'hello', null, false],
  ['OAUTHBEARER exposes its token, and names nobody by itself', 'OAUTHBEARER', 'n,,\x01auth=Bearer abc\x01\x01', null, true],
  ['OAUTHBEARER names an authorization identity', 'OAUTHBEARER', 'n,a=carol,\x01auth=Bearer abc\x01\x01', 'carol', true],
  ['another mechanism says nothing', 'GSSAPI', '\0alice\0pass', null, false],
  ['an unknown mechanism says nothing', null, '\0alice\0pass', null, false],
];

for (const [title, mechanism, token, user, exposesSecret] of tokens) {
  test(title, (t) => {
    t.deepEqual(readFirstToken(mechanism, Buffer.from(token)), { user, exposesSecret });
  });
}

const endings: readonly (readonly [mechanism: string | null, token: string, isLast: boolean])[] = [
  ['PLAIN', '', true],
  ['SCRAM-SHA-256', 'r=abc,s=c2FsdA==,i=4096', false],
  ['SCRAM-SHA-256', 'v=c2lnbmF0dXJl', true],
  ['OAUTHBEARER', '{"status":"invalid_token"}', false],
  ['OAUTHBEARER', '', true],
];

for (const [mechanism, token, isLast] of endings) {
  test(`${mechanism}: "${token}" of the server is ${isLast ? '' : 'not '}the end`, (t) => {
    t.is(isLastToken(mechanism, Buffer.from(token)), isLast);
  });
}
