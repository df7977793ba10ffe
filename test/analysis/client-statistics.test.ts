import test from 'ava';
import { AllClientStatistics } from '../../src/analysis/client-statistics.ts';
import { Room } from '../../src/analysis/room.ts';
import { Session } from '../../src/analysis/session.ts';
import type { KafkaConnection } from '../../src/kafka/exchange.ts';
import { MAX_LISTED_PER_CLIENT, MAX_SUMMARY_CLIENTS, MAX_WINDOW_REQUESTS } from '../../src/limits.ts';

const first = { capture: 0, number: 1, seconds: 1, nanos: 0, fine: false };

function connectionOf(host: string): KafkaConnection {
  return { stream: 0, client: `${host}:51234`, server: '10.0.0.1:9092', fromStart: true };
}

/** Takes a request of 50 bytes that is answered by 20. */
function take(clients: AllClientStatistics, clientId: string, connection: KafkaConnection): void {
  const id = Buffer.from(clientId);
  const call = { connection, apiKey: 32, apiVersion: 4, correlationId: 1, clientId: id, requestBytes: 54, first, last: first };
  clients.request(connection, id, first);
  clients.call({ ...call, response: { bytes: 24, first, last: first }, reason: null }, new Session(connection));
}

test('clients beyond the limit are counted, and those that are known are followed on', (t) => {
  const clients = new AllClientStatistics(new Room());
  const connection = connectionOf('10.0.0.9');
  for (let i = 0; i < MAX_SUMMARY_CLIENTS; i++) take(clients, `client-${i}`, connection);
  t.is(clients.dropped, 0);
  take(clients, 'one-more', connection);
  take(clients, 'client-7', connection);
  t.is(clients.dropped, 1);
  const rows = clients.rows(60);
  t.is(rows.length, MAX_SUMMARY_CLIENTS);
  t.like(rows[0], { clientId: 'client-7', requests: 2, answered: 2, connections: 1, requestBytes: 100, responseBytes: 40 });
});

test('addresses of a client beyond the limit are counted', (t) => {
  const clients = new AllClientStatistics(new Room());
  for (let i = 0; i < MAX_LISTED_PER_CLIENT; i++) take(clients, 'adm', connectionOf(`10.0.${i >> 8}.${i & 255}`));
  t.is(clients.dropped, 0);
  take(clients, 'adm', connectionOf('10.9.9.9'));
  take(clients, 'adm', connectionOf('10.0.0.0'));
  t.is(clients.dropped, 1);
  t.is(clients.rows(60)[0]?.addresses.length, MAX_LISTED_PER_CLIENT);
});

test('a client that asks more often in a minute than is kept is called that busy', (t) => {
  for (const [requests, most] of [
    [MAX_WINDOW_REQUESTS - 1, MAX_WINDOW_REQUESTS - 1],
    [MAX_WINDOW_REQUESTS, MAX_WINDOW_REQUESTS],
    [MAX_WINDOW_REQUESTS + 1, MAX_WINDOW_REQUESTS],
  ] as const) {
    const clients = new AllClientStatistics(new Room());
    const [connection, id] = [connectionOf('10.0.0.9'), Buffer.from('adm')];
    for (let i = 0; i < requests; i++) clients.request(connection, id, first);
    t.is(clients.rows(60)[0]?.mostIn60Seconds, most);
  }
});
