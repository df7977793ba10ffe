import test from 'ava';
import { Pseudonyms } from '../../src/redact/pseudonyms.ts';

test('the same key gives the same pseudonyms, another key others', (t) => {
  const [one, same, other] = [new Pseudonyms('key'), new Pseudonyms('key'), new Pseudonyms('other')];
  t.regex(one.of('topic', 'orders'), /^topic-[0-9a-f]{12}$/);
  t.is(one.of('topic', 'orders'), same.of('topic', 'orders'));
  t.not(one.of('topic', 'orders'), other.of('topic', 'orders'));
  t.not(one.of('topic', 'orders'), one.of('topic', 'order'));
  t.not(one.of('topic', 'x').slice(-12), one.of('group', 'x').slice(-12));
});

test('without a key every run has pseudonyms of its own', (t) => {
  t.not(new Pseudonyms('').of('topic', 'orders'), new Pseudonyms('').of('topic', 'orders'));
});

test('they stay the same when more texts came than are remembered', (t) => {
  const pseudonyms = new Pseudonyms('key');
  const first = pseudonyms.of('topic', 'orders');
  for (let i = 0; i < 20_000; i++) pseudonyms.of('topic', String(i));
  t.is(pseudonyms.of('topic', 'orders'), first);
});

test('an address is a host wherever it stands, and keeps its port', (t) => {
  const pseudonyms = new Pseudonyms('key');
  t.is(pseudonyms.endpoint('10.0.0.2:9092'), `${pseudonyms.host('10.0.0.2')}:9092`);
  t.is(pseudonyms.endpoint('[2001:db8::1]:9092'), `${pseudonyms.host('2001:DB8::1')}:9092`);
  t.regex(pseudonyms.host('10.0.0.2'), /^host-[0-9a-f]{12}$/);
});

test('principals keep their type, nobody stays nobody, and nothing stays nothing', (t) => {
  const pseudonyms = new Pseudonyms('key');
  t.is(pseudonyms.principal('User:bob'), `User:${pseudonyms.of('user', 'bob')}`);
  t.is(pseudonyms.principal('User:CN=bob:x'), `User:${pseudonyms.of('user', 'CN=bob:x')}`);
  t.is(pseudonyms.principal('User:ANONYMOUS'), 'User:ANONYMOUS');
  t.is(pseudonyms.of('topic', ''), '');
});
