import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaLibraries } from './libraries.ts';
import { type KnownExchange, readRequestLog } from './request-log.ts';
import { Running, until } from './running.ts';

const HOST = '127.0.0.1';
export const NODE_ID = '1';
const START_TIMEOUT_MS = 120_000;
/** Starts sooner, and leaves cores to the others. */
export const SMALL_JAVA = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Who may log in on a broker's secured listener. */
export const ALICE = { username: 'alice', password: 'alice-s3cret' } as const;
/** Bob may log in by SCRAM, and see nothing. */
export const BOB = { username: 'bob', password: 'bob-s3cret' } as const;

/** A running broker of one node, and what stands beside it. */
export interface Broker {
  /** For files that go with the broker. */
  readonly folder: string;
  /** Address of the listener that lets everybody in. */
  readonly open: string;
  /** Address of the listener that asks for SASL. */
  readonly secured: string;
  /** The DescribeConfigs exchanges it has logged since its start. */
  logged(): KnownExchange[];
  /** Removes its files, after its processes have ended. */
  remove(): void;
}

/** What the two kinds of brokers have in common. */
interface Layout {
  readonly folder: string;
  readonly requestLog: string;
  /** open, secured, and one for ZooKeeper or the controller. */
  readonly ports: readonly [number, number, number];
}

/** A broker of Kafka 4, by itself (KRaft), with SASL PLAIN and SCRAM. */
export async function startKafka4(release: string): Promise<Broker> {
  const libraries = kafkaLibraries(release);
  const layout = await newLayout();
  const settings = join(layout.folder, 'server.properties');
  const logging = join(layout.folder, 'log4j2.properties');
  const [open, secured, controller] = layout.ports;
  writeFileSync(logging, LOG4J2(layout.requestLog));
  writeFileSync(
    settings,
    `${commonSettings(layout)}
node.id=${NODE_ID}
process.roles=broker,controller
controller.quorum.voters=${NODE_ID}@${HOST}:${controller}
controller.listener.names=CONTROLLER
listeners=OPEN://${HOST}:${open},SECURED://${HOST}:${secured},CONTROLLER://${HOST}:${controller}
listener.security.protocol.map=OPEN:PLAINTEXT,SECURED:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
listener.name.secured.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
listener.name.secured.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:${ALICE.username}
`,
  );
  const java = [...SMALL_JAVA, `-Dlog4j2.configurationFile=${logging}`, '-cp', libraries];
  const users = [ALICE, BOB].flatMap((user) => ['--add-scram', `SCRAM-SHA-256=[name=${user.username},password=${user.password}]`]);
  const format = ['kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg', '-c', settings, ...users];
  await new Running('java', [...java, ...format]).keepStdout().succeeded();
  return started(layout, new Running('java', [...java, 'kafka.Kafka', settings]).keepStdout());
}

/** A broker of Kafka 2.7 or 2.8 (those before log no JSON) with its ZooKeeper, with SASL PLAIN. */
export async function startKafka2(release: string): Promise<Broker> {
  const libraries = kafkaLibraries(release);
  const layout = await newLayout();
  const settings = join(layout.folder, 'server.properties');
  const logging = join(layout.folder, 'log4j.properties');
  const zoo = join(layout.folder, 'zoo.cfg');
  const [open, secured, zooKeeperPort] = layout.ports;
  writeFileSync(logging, LOG4J(layout.requestLog));
  writeFileSync(
    zoo,
    `dataDir=${join(layout.folder, 'zookeeper')}\nclientPort=${zooKeeperPort}\nclientPortAddress=${HOST}\nadmin.enableServer=false\n`,
  );
  writeFileSync(
    settings,
    `${commonSettings(layout)}
broker.id=${NODE_ID}
zookeeper.connect=${HOST}:${zooKeeperPort}
listeners=OPEN://${HOST}:${open},SECURED://${HOST}:${secured}
listener.security.protocol.map=OPEN:PLAINTEXT,SECURED:SASL_PLAINTEXT
listener.name.secured.sasl.enabled.mechanisms=PLAIN
`,
  );
  const java = [...SMALL_JAVA, ...OPENED_FOR_OLD_KAFKA, `-Dlog4j.configuration=file:${logging}`, '-cp', libraries];
  const zooKeeper = new Running('java', [...java, 'org.apache.zookeeper.server.quorum.QuorumPeerMain', zoo]).keepStdout();
  await listening(zooKeeper, zooKeeperPort);
  return started(layout, new Running('java', [...java, 'kafka.Kafka', settings]).keepStdout());
}

/** Insides of Java 17 that Kafka 2 reaches into. */
const OPENED_FOR_OLD_KAFKA = ['java.lang', 'java.nio', 'sun.nio.ch', 'java.util', 'jdk.internal.ref'].flatMap((name) => [
  '--add-opens',
  `java.base/${name}=ALL-UNNAMED`,
]);

function commonSettings({ folder }: Layout): string {
  return `log.dirs=${join(folder, 'data')}
inter.broker.listener.name=OPEN
offsets.topic.replication.factor=1
group.initial.rebalance.delay.ms=0
listener.name.secured.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \\
  user_${ALICE.username}="${ALICE.password}";`;
}

/** The request log alone into its file, complaints to stdout. */
const LOG4J2 = (requestLog: string) => `status=error
appender.requests.type=File
appender.requests.name=requests
appender.requests.fileName=${requestLog}
appender.requests.layout.type=PatternLayout
appender.requests.layout.pattern=%m%n
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%p %c %m%n
logger.requests.name=kafka.request.logger
logger.requests.level=trace
logger.requests.additivity=false
logger.requests.appenderRef.requests.ref=requests
rootLogger.level=warn
rootLogger.appenderRef.console.ref=console
`;

const LOG4J = (requestLog: string) => `log4j.rootLogger=WARN, console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%p %c %m%n
log4j.appender.requests=org.apache.log4j.FileAppender
log4j.appender.requests.File=${requestLog}
log4j.appender.requests.layout=org.apache.log4j.PatternLayout
log4j.appender.requests.layout.ConversionPattern=%m%n
log4j.logger.kafka.request.logger=TRACE, requests
log4j.additivity.kafka.request.logger=false
`;

async function newLayout(): Promise<Layout> {
  const folder = mkdtempSync(join(tmpdir(), 'kafka-dissect-live-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { folder, requestLog: join(folder, 'requests.log'), ports: await freePorts() };
}

/** Three ports that nobody listens on. */
async function freePorts(): Promise<[number, number, number]> {
  const servers = [createServer(), createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(
      (server) => new Promise<number>((resolve) => server.listen(0, HOST, () => resolve((server.address() as { port: number }).port))),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports as [number, number, number];
}

async function started(layout: Layout, server: Running): Promise<Broker> {
  const [open, secured] = layout.ports;
  await listening(server, open);
  await listening(server, secured);
  return {
    folder: layout.folder,
    open: `${HOST}:${open}`,
    secured: `${HOST}:${secured}`,
    logged: () => readRequestLog(layout.requestLog),
    remove: () => rmSync(layout.folder, { recursive: true, force: true }),
  };
}

async function listening(server: Running, port: number): Promise<void> {
  await until(
    () => `port ${port}: ${server.words}`,
    async () => {
      if (server.hasEnded) throw new Error(`it ended: ${server.words}`);
      return accepts(port);
    },
    START_TIMEOUT_MS,
  );
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
