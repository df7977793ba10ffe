import test from 'ava';
import { Room } from '../../src/analysis/room.ts';
import { WriteLog } from '../../src/analysis/write-log.ts';
import type { Write } from '../../src/analysis/writes.ts';
import type { PacketPosition } from '../../src/capture/packet.ts';

function at(second: number): PacketPosition {
  return { capture: 0, number: second, seconds: second, nanos: 0, fine: false };
}

function write(from: number, to: number | null, more: Partial<Write> = {}): Write {
  return {
    apiKey: 44,
    apiVersion: 1,
    correlationId: 3,
    clientId: 'tool',
    client: '10.0.0.9:40000',
    server: '10.0.0.1:9092',
    principal: 'User:alice',
    validateOnly: false,
    resources: [],
    first: at(from),
    last: to === null ? null : at(to),
    forwardedIn: null,
    ...more,
  };
}

function copy(from: number, to: number, more: Partial<Write> = {}): Write {
  return write(from, to, { client: '10.0.0.9', server: '10.0.0.3:9093', forwardedIn: at(from), ...more });
}

function logOf(writes: readonly Write[], copies: readonly Write[]): (readonly [number, number | null, string | null])[] {
  const log = new WriteLog(new Room());
  for (const each of copies) log.addForwarded(each);
  for (const each of writes) log.add(each);
  return log.all().map(({ first, forwardedIn, principal }) => [first.number, forwardedIn?.number ?? null, principal]);
}

test('a copy in an Envelope names its request, and counts no more', (t) => {
  t.deepEqual(logOf([write(1, 4)], [copy(2, 3)]), [[1, 2, 'User:alice']]);
});

test('a copy whose request was not seen counts itself', (t) => {
  t.deepEqual(logOf([], [copy(2, 3)]), [[2, 2, 'User:alice']]);
});

test('a copy outside the time of a request is of another one', (t) => {
  t.deepEqual(logOf([write(1, 4)], [copy(8, 9)]), [
    [1, null, 'User:alice'],
    [8, 8, 'User:alice'],
  ]);
});

test('a copy of another client, address, API or id is of another one', (t) => {
  for (const other of [{ clientId: 'x' }, { client: '10.0.0.8' }, { apiKey: 33 }, { correlationId: 4 }, { apiVersion: 0 }]) {
    t.is(logOf([write(1, 4)], [copy(2, 3, other)]).length, 2);
  }
});

test('an Envelope that is sent again is one forwarding', (t) => {
  t.deepEqual(logOf([write(1, 6)], [copy(2, 3), copy(4, 5)]), [[1, 4, 'User:alice']]);
});

test('two requests that look alike get a copy each', (t) => {
  const twin = write(1, 6, { client: '10.0.0.9:40001' });
  t.deepEqual(
    logOf([write(1, 6), twin], [copy(2, 3), copy(4, 5)]).map(([, forwardedIn]) => forwardedIn),
    [4, 2],
  );
});

test('who sent a request is taken from its copy where the connection does not tell', (t) => {
  t.deepEqual(logOf([write(1, 4, { principal: null })], [copy(2, 3)]), [[1, 2, 'User:alice']]);
});

test('a client with an IPv6 address is found again', (t) => {
  t.is(logOf([write(1, 4, { client: '[2001:db8::1]:40000' })], [copy(2, 3, { client: '2001:db8::1' })]).length, 1);
});
