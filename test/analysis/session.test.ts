import test from 'ava';
import { Session } from '../../src/analysis/session.ts';

function session(fromStart = true): Session {
  return new Session({ stream: 0, client: '10.0.0.9:40000', server: '10.0.0.1:9092', fromStart });
}

const plain = Buffer.from('\0alice\0pass');
const accepted = Buffer.alloc(0);

test('a client that never authenticates is anonymous', (t) => {
  t.is(session().principal, 'User:ANONYMOUS');
});

test('a client whose connection began before the capture is not known', (t) => {
  const late = session(false);
  late.served();
  t.is(late.principal, null);
});

test('a client is not known where bytes were missing before anything was served', (t) => {
  const lossy = session();
  lossy.gap();
  t.is(lossy.principal, null);
});

test('a loss after something was served changes nothing', (t) => {
  const lossy = session();
  lossy.served();
  lossy.gap();
  t.is(lossy.principal, 'User:ANONYMOUS');
});

test('PLAIN counts once it is accepted', (t) => {
  const client = session();
  client.handshake('PLAIN');
  t.is(client.principal, null);
  t.true(client.authenticate(plain, accepted));
  t.is(client.principal, 'User:alice');
});

test('a refused user is nobody', (t) => {
  const client = session();
  client.handshake('PLAIN');
  client.authenticate(plain, null);
  t.is(client.principal, null);
});

test('SCRAM counts after its last round', (t) => {
  const client = session();
  client.handshake('SCRAM-SHA-256');
  t.false(client.authenticate(Buffer.from('n,,n=ops,r=abc'), Buffer.from('r=abcd,s=c2FsdA==,i=4096')));
  t.is(client.principal, null);
  client.authenticate(Buffer.from('c=biws,r=abcd,p=cHJvb2Y='), Buffer.from('v=c2ln'));
  t.is(client.principal, 'User:ops');
});

test('authenticating again changes the user, and only once it succeeds', (t) => {
  const client = session(false);
  client.handshake('PLAIN');
  client.authenticate(plain, accepted);
  client.handshake('PLAIN');
  t.is(client.principal, 'User:alice');
  client.authenticate(Buffer.from('\0bob\0pass'), accepted);
  t.is(client.principal, 'User:bob');
});

test('a token without a header counts once the broker serves a request', (t) => {
  const client = session();
  client.handshake('PLAIN');
  t.true(client.bareToken(plain));
  t.is(client.principal, null);
  client.served();
  t.is(client.principal, 'User:alice');
});

test('who authenticated by a mechanism that hides it is not known', (t) => {
  const client = session();
  client.handshake('GSSAPI');
  client.authenticate(Buffer.from([0x60, 1, 2]), accepted);
  t.is(client.principal, null);
});
