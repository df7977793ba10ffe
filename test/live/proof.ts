import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import type { ExecutionContext, TestFn } from 'ava';
import { whyMissing } from '../helpers/maven.ts';
import { ALICE, BOB, type Broker } from './broker.ts';
import { type Client, nodeClient } from './clients.ts';
import { LiveCapture } from './live-capture.ts';
import { knownOf, lastPacketTimeMs } from './printed.ts';
import type { KnownExchange } from './request-log.ts';
import { type Running, stopAll, until } from './running.ts';

/** Enough for what needs to be fetched, too. */
const START_TIMEOUT_MS = 10 * 60_000;
const WAIT_MS = 15_000;
/** For machines with other things to do: on an idle one the median is a few milliseconds. */
const MAX_MEDIAN_DELAY_MS = 250;
const PROBE = 'probe';
/** DescribeConfigs v1 of client `probe`, correlation id 1, all keys of topic `t`. */
const PROBE_FRAME = Buffer.from('0000001c 0020 0001 00000001 0005 70726f6265 00000001 02 0001 74 ffffffff 01'.replaceAll(' ', ''), 'hex');

/** A client to be watched. */
export interface Watched {
  /** Its client id, too. */
  readonly name: string;
  readonly client: Client;
  /** The version of DescribeConfigs that it speaks with this broker. */
  readonly version: number;
  /** What it needs beside Java, Maven, npm and tcpdump. */
  readonly needs?: string;
}

/** Why nothing live can be had here, or null. */
function whyNotLive(): string | null {
  const missing = ['java', 'mvn', 'npm', 'tcpdump'].map(whyMissing).find((reason) => reason !== null);
  if (missing) return missing;
  // Opens the interface, says what link types it has, and ends.
  const { status, stderr } = spawnSync('tcpdump', ['-i', 'lo', '-L'], { encoding: 'utf8' });
  return status === 0 ? null : `no right to capture: ${stderr.trim().split('\n')[0]}`;
}

/**
 * Registers the tests of one broker: that both ways to capture live print what the broker logs of each client, at once, and nothing else.
 * Where nothing live can be had, they are skipped, and say why.
 */
export function proveLive(test: TestFn<unknown>, kafka: string, start: () => Promise<Broker>, clients: readonly Watched[]): void {
  const unavailable = whyNotLive();
  let broker: Broker;
  let captures: readonly LiveCapture[] = [];

  function live(title: string, needs: string | undefined, implementation: (t: ExecutionContext) => Promise<void>): void {
    const why = unavailable ?? (needs ? whyMissing(needs) : null);
    if (why === null) test.serial(`${kafka}: ${title}`, implementation);
    else test.skip(`${kafka}: ${title} (skipped: ${why})`, implementation);
  }

  if (unavailable === null) {
    test.before(async (t) => {
      t.timeout(START_TIMEOUT_MS);
      broker = await start();
      await nodeClient('describe-with-kafkajs.js', undefined, { create: true })(broker, PROBE).succeeded();
      captures = [LiveCapture.pipe(filterOf(broker), broker.folder), LiveCapture.interface(filterOf(broker))];
      await Promise.all(captures.map((capture) => captureBegins(capture, broker)));
    });
    test.after.always(async () => {
      await stopAll();
      broker?.remove();
    });
  }

  for (const { name, client, version, needs } of clients) {
    live(`${name} speaks version ${version}, and what the broker logs of it is printed, member for member`, needs, async (t) => {
      const process = client(broker, name);
      await process.succeeded();
      const logged = await compared(t, broker, process, name, captures);
      t.deepEqual([...new Set(logged.map(({ apiVersion }) => apiVersion))], [version]);
    });
  }

  live('a capture that begins in the middle of a connection prints what comes after that', undefined, async (t) => {
    const name = 'in-mid-connection';
    const client = nodeClient('describe-with-kafkajs.js', undefined, { againAtEndOfInput: true })(broker, name);
    await until(
      () => `an exchange of ${name}: ${client.words}`,
      () => exchangesOf(broker.logged(), name).length === 1,
      WAIT_MS,
    );
    const capture = LiveCapture.interface(filterOf(broker));
    await captureBegins(capture, broker);
    client.child.stdin?.end();
    await client.succeeded();
    await compared(t, broker, client, name, [capture], 1);
    await capture.stop();
  });

  live('exchanges are printed as soon as their last packet is captured', undefined, async (t) => {
    for (const { arrived, name } of captures) {
      // The first probes are captured while kafka-dissect still starts.
      const proper = arrived.filter(({ exchange }) => exchange.clientId !== PROBE);
      const delays = proper.map(({ exchange, atMs }) => atMs - lastPacketTimeMs(exchange)).sort((a, b) => a - b);
      const median = delays[delays.length >> 1] as number;
      t.log(`${name}: median ${median.toFixed(1)} ms, worst ${delays.at(-1)?.toFixed(1)} ms of ${delays.length}`);
      t.true(median < MAX_MEDIAN_DELAY_MS);
    }
  });

  live('nothing is lost, nothing else is printed, no password, and capturing ends as it should', undefined, async (t) => {
    const logged = broker.logged().filter(({ clientId }) => clientId !== PROBE);
    for (const capture of captures) {
      const { code, stderr, summary } = await capture.stop();
      t.is(code, capture.name === '-' ? 0 : 130, stderr);
      t.deepEqual(summary?.lost, {}, stderr);
      const printed = capture.arrived.filter(({ exchange }) => exchange.clientId !== PROBE);
      t.is(printed.length, logged.length);
      for (const { password } of [ALICE, BOB]) t.false(`${capture.stdout}${stderr}`.includes(password));
    }
  });
}

function filterOf({ open, secured }: Broker): string {
  return [open, secured].map((address) => `tcp port ${address.split(':')[1]}`).join(' or ');
}

/** Asks the broker until the capture sees it: nothing else tells when capturing has begun. */
async function captureBegins(capture: LiveCapture, broker: Broker): Promise<void> {
  const before = capture.arrived.length;
  await until(
    () => `the capture to begin: ${capture.stderr}`,
    async () => {
      if (capture.hasEnded) throw new Error(`it ended: ${capture.stderr}`);
      await probe(broker);
      return capture.arrived.length > before;
    },
    WAIT_MS,
  );
}

/** Sends a request and waits for the answer. */
function probe({ open }: Broker): Promise<void> {
  const [host, port] = open.split(':');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host, () => socket.write(PROBE_FRAME));
    socket.once('data', () => socket.end());
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

function exchangesOf(exchanges: readonly KnownExchange[], clientId: string): KnownExchange[] {
  return exchanges.filter((exchange) => exchange.clientId === clientId);
}

/**
 * Compares what the captures print of a client with what the broker logged of it after the first `missed` exchanges, by members and by their
 * order, and returns that. Both come a little later than the client's end: the number of them is waited for.
 */
async function compared(
  t: ExecutionContext,
  broker: Broker,
  client: Running,
  name: string,
  captures: readonly LiveCapture[],
  missed = 0,
): Promise<readonly KnownExchange[]> {
  const logged = () => exchangesOf(broker.logged(), name).slice(missed);
  const arrived = (capture: LiveCapture) => capture.arrived.filter(({ exchange }) => exchange.clientId === name);
  const settled = () => logged().length > 0 && captures.every((capture) => arrived(capture).length === logged().length);
  await until(() => '', settled, WAIT_MS).catch(() => t.log(`they differ in number; the client said: ${client.words}`));
  const expected = inOrder(logged());
  for (const capture of captures) {
    const printed = arrived(capture).map(({ exchange }) => exchange);
    t.deepEqual(new Set(printed.map(({ status }) => status)), new Set(['complete']));
    const known = inOrder(printed.map(knownOf));
    t.deepEqual(known, expected);
    t.is(JSON.stringify(known), JSON.stringify(expected));
  }
  return expected;
}

/** Exchanges of several connections may be logged in another order than that of their last packets. */
function inOrder(exchanges: readonly KnownExchange[]): KnownExchange[] {
  const key = ({ client, correlationId }: KnownExchange) => `${client} ${String(correlationId).padStart(10, '0')}`;
  return [...exchanges].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
