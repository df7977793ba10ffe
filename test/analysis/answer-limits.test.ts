import test from 'ava';
import { AllApiStatistics } from '../../src/analysis/api-statistics.ts';
import { AllClientStatistics } from '../../src/analysis/client-statistics.ts';
import { Refusals } from '../../src/analysis/refusals.ts';
import { Room } from '../../src/analysis/room.ts';
import { Session } from '../../src/analysis/session.ts';
import { Summary } from '../../src/analysis/summary.ts';
import { VersionProblems } from '../../src/analysis/version-problems.ts';
import { WriteLog } from '../../src/analysis/write-log.ts';
import type { Call, KafkaConnection } from '../../src/kafka/exchange.ts';
import { MAX_MEASURED_APIS, MAX_SUMMARY_ROWS, MAX_WRITES } from '../../src/limits.ts';
import { leastRoom } from './least-room.ts';

const at = { capture: 0, number: 1, seconds: 1, nanos: 0, fine: false };
const connection: KafkaConnection = { stream: 0, client: '10.0.0.9:51234', server: '10.0.0.1:9092', fromStart: true };

function callOf(changes: Partial<Call>): Call {
  const response = { bytes: 24, first: at, last: at };
  const facts = { connection, apiKey: 32, apiVersion: 4, correlationId: 1, clientId: null, requestBytes: 54, first: at, last: at };
  return { ...facts, response, reason: null, ...changes };
}

/** Something that keeps things, each of its own; how many it kept back. */
interface Keeping {
  keep(n: number): void;
  readonly dropped: number;
}

type Keeper = readonly [what: string, limit: number, create: (room: Room) => Keeping];

const keepers: readonly Keeper[] = [
  [
    'refused resources',
    MAX_SUMMARY_ROWS,
    (room) => {
      const refusals = new Refusals(room);
      const refused = { clientId: null, address: '10.0.0.9', principal: null, resourceType: 2, errorCode: 29 };
      return {
        keep: (n) => refusals.add({ ...refused, resourceName: `topic-${n}` }, '1', at),
        get dropped() {
          return refusals.dropped;
        },
      };
    },
  ],
  [
    'writes',
    MAX_WRITES,
    (room) => {
      const log = new WriteLog(room);
      const sender = { clientId: 'tool', client: '10.0.0.9:40000', server: '10.0.0.1:9092', principal: null };
      const facts = { ...sender, apiKey: 44, apiVersion: 1, validateOnly: false, resources: [], first: at, last: at, forwardedIn: null };
      return {
        keep: (n) => (n % 2 === 0 ? log.add({ ...facts, correlationId: n }) : log.addForwarded({ ...facts, correlationId: n })),
        get dropped() {
          return log.dropped;
        },
      };
    },
  ],
  [
    'requests of versions that the broker does not know',
    MAX_SUMMARY_ROWS,
    (room) => {
      const problems = new VersionProblems(room);
      return {
        keep: () => problems.refused(callOf({})),
        get dropped() {
          return problems.dropped;
        },
      };
    },
  ],
  [
    'clients of versions that Kafka 4 does not know',
    MAX_SUMMARY_ROWS,
    (room) => {
      const problems = new VersionProblems(room);
      return {
        keep: (n) => problems.call(callOf({ apiVersion: 0, clientId: Buffer.from(`client-${n}`) })),
        get dropped() {
          return problems.dropped;
        },
      };
    },
  ],
  [
    'connections that are not Kafka',
    MAX_SUMMARY_ROWS,
    (room) => {
      const summary = new Summary({ captures: ['a.pcap'], filter: null, showSecrets: false }, room);
      return {
        keep: () => summary.notKafka(connection, 'TLS', '', at),
        get dropped() {
          let dropped = 0;
          summary.report({
            report({ count = 0 }) {
              dropped += count;
            },
          });
          return dropped;
        },
      };
    },
  ],
];

function droppedOf(keeping: Keeping, from: number, until: number): number {
  for (let n = from; n < until; n++) keeping.keep(n);
  return keeping.dropped;
}

for (const [what, limit, create] of keepers) {
  test(`${what}: as many are kept as the limit says, and those beyond are counted`, (t) => {
    const keeping = create(new Room(Number.POSITIVE_INFINITY));
    t.is(droppedOf(keeping, 0, limit), 0);
    t.is(droppedOf(keeping, limit, limit + 1), 1);
    t.is(droppedOf(keeping, limit + 1, limit + 3), 3);
  });

  test(`${what}: as many are kept as there is room for, and those beyond are counted`, (t) => {
    const bytes = leastRoom((room) => droppedOf(create(room), 100, 110));
    t.true(bytes > 100);
    t.is(droppedOf(create(new Room(bytes)), 100, 110), 0);
    t.is(droppedOf(create(new Room(bytes - 1)), 100, 110), 1);
  });
}

test('what is kept already is counted on, though nothing more is', (t) => {
  const refusals = new Refusals(new Room(Number.POSITIVE_INFINITY));
  const refused = { clientId: null, address: '10.0.0.9', principal: null, resourceType: 2, errorCode: 29 };
  for (let n = 0; n <= MAX_SUMMARY_ROWS; n++) refusals.add({ ...refused, resourceName: `topic-${n}` }, '1', at);
  refusals.add({ ...refused, resourceName: 'topic-3' }, '1', at);
  t.is(refusals.dropped, 1);
  t.is(refusals.rows()[3]?.count, 2);
});

test('clients are told apart as long as there is room for them', (t) => {
  const request = (clients: AllClientStatistics, id: string) => {
    clients.call(callOf({ clientId: Buffer.from(id) }), new Session(connection));
    return clients;
  };
  const bytes = leastRoom((room) => request(new AllClientStatistics(room), 'a').dropped);
  t.is(request(request(new AllClientStatistics(new Room(2 * bytes)), 'a'), 'b').rows(60).length, 2);
  const clients = request(request(new AllClientStatistics(new Room(2 * bytes - 1)), 'a'), 'b');
  t.true(clients.dropped > 0);
  t.is(clients.rows(60)[0]?.requests, 1);
});

test('times are measured of as many APIs as the limit says, and requests counted of all', (t) => {
  const statistics = new AllApiStatistics(new Set());
  for (let apiKey = 0; apiKey <= MAX_MEASURED_APIS; apiKey++) statistics.call(callOf({ apiKey }));
  const rows = statistics.rows();
  t.is(rows.length, MAX_MEASURED_APIS + 1);
  t.deepEqual(
    rows.map(({ requests }) => requests),
    rows.map(() => 1),
  );
  t.is(rows.filter(({ latencyMs }) => latencyMs !== null).length, MAX_MEASURED_APIS);
  t.is(rows.at(-1)?.latencyMs, null);
});
