import { type Described, ResourceType } from './configs.ts';
import { type ExchangeFrames, FrameMaker, setCorrelationId } from './exchange-frames.ts';
import { interleave } from './interleave.ts';
import { PACKET_HEADER_BYTES, type PacketFile } from './packet-file.ts';
import { Random } from './random.ts';
import { type Steps, TcpPair } from './tcp-pair.ts';

const SEED = 20_261_129;
const SERVER = { address: 0x0a_00_00_02, port: 9092 };
const FIRST_CLIENT = 0x0a_01_00_01;
const FIRST_PORT = 32_768;
const PORTS = 28_000;
const ETHERNET_SEGMENT_BYTES = 1448;
/** A broker that takes 25 MB/s from 200 connections has this long between a connection's exchanges. */
const PAUSE_MICROS = 120_000;
/** Distinct exchanges, of which every connection uses all. */
const POOL = 256;

/** Traffic of a run: which exchange comes next, and how long a client pauses before it. */
interface Mix {
  next(random: Random): ExchangeFrames;
  readonly pauseMicros: number;
}

/** 200 connections that produce and fetch; one exchange in a thousand is DescribeConfigs. */
export function writeMix(file: PacketFile, bytes: number, segmentBytes: number): void {
  const random = new Random(SEED);
  const maker = new FrameMaker(random);
  const bulk = Array.from({ length: POOL }, (_, i) => {
    const batchBytes = random.logarithmic(500, 65_536);
    return i % 2 === 0 ? maker.produce(batchBytes) : maker.fetch(batchBytes);
  });
  const described = describedPool(maker, (version) => [topics(1, version), topics(20, version), [broker(version)]]);
  const next = (from: Random) => (from.below(1000) === 0 ? from.pick(described) : from.pick(bulk));
  writeConnections(file, bytes, { connections: 200, segmentBytes, mix: { next, pauseMicros: PAUSE_MICROS } });
}

/** Requests and responses of 200-byte packets, each a frame of its own. */
export function writeSmall(file: PacketFile, bytes: number): void {
  const maker = new FrameMaker(new Random(SEED));
  const exchange = maker.syncGroup(200 - PACKET_HEADER_BYTES);
  writeConnections(file, bytes, {
    connections: 200,
    segmentBytes: ETHERNET_SEGMENT_BYTES,
    mix: { next: () => exchange, pauseMicros: 2000 },
  });
}

/** Many topics and brokers described, in every version in turn. */
export function writeDense(file: PacketFile, bytes: number): void {
  const maker = new FrameMaker(new Random(SEED));
  const pool = describedPool(maker, (version) => [topics(1, version), topics(7, version), topics(60, version), [broker(version)]]);
  const next = (random: Random) => random.pick(pool);
  writeConnections(file, bytes, { connections: 20, segmentBytes: ETHERNET_SEGMENT_BYTES, mix: { next, pauseMicros: PAUSE_MICROS } });
}

/** Connections that ask for the broker's versions and twice for their part in a group, and close; some hundred at a time. */
export function writeMany(file: PacketFile, bytes: number): void {
  const maker = new FrameMaker(new Random(SEED));
  const versions = maker.apiVersions();
  const group = maker.syncGroup(100);
  const random = new Random(SEED);
  let opened = 0;
  interleave(
    file,
    Array.from({ length: 300 }, () => oneAfterTheOther()),
  );

  function* oneAfterTheOther(): Steps {
    while (file.bytes < bytes) {
      const pair = new TcpPair(file, clientOf(opened++), SERVER, firstSeqs(random), ETHERNET_SEGMENT_BYTES);
      yield* pair.open();
      yield* exchangeFrames(pair, versions, 0);
      yield* exchangeFrames(pair, group, 1);
      yield* exchangeFrames(pair, group, 2);
      yield* pair.close();
      yield random.below(100_000);
    }
  }
}

function writeConnections(file: PacketFile, bytes: number, options: { connections: number; segmentBytes: number; mix: Mix }): void {
  const { connections, segmentBytes, mix } = options;
  interleave(
    file,
    Array.from({ length: connections }, (_, index) => connection(index)),
  );

  function* connection(index: number): Steps {
    const random = new Random(SEED + index);
    const pair = new TcpPair(file, clientOf(index), SERVER, firstSeqs(random), segmentBytes);
    yield random.below(mix.pauseMicros);
    yield* pair.open();
    for (let id = 0; file.bytes < bytes; id++) {
      yield* exchangeFrames(pair, mix.next(random), id);
      yield random.below(2 * mix.pauseMicros);
    }
    yield* pair.close();
  }
}

function* exchangeFrames(pair: TcpPair, frames: ExchangeFrames, correlationId: number): Steps {
  // The frames are shared, and only their first packets hold the id: each is set right before its own is written.
  setCorrelationId(frames, correlationId);
  yield* pair.send(0, frames.request);
  setCorrelationId(frames, correlationId);
  yield* pair.send(1, frames.response);
}

function describedPool(maker: FrameMaker, resources: (version: number) => Described[][]): ExchangeFrames[] {
  return [0, 1, 2, 3, 4].flatMap((version) => resources(version).map((described) => maker.describeConfigs(version, described)));
}

function topics(count: number, version: number): Described[] {
  return Array.from({ length: count }, (_, i) => ({ resourceType: ResourceType.topic, resourceName: `payments-v${version}-${i}` }));
}

function broker(id: number): Described {
  return { resourceType: ResourceType.broker, resourceName: String(id) };
}

function clientOf(index: number): { address: number; port: number } {
  return { address: FIRST_CLIENT + Math.floor(index / PORTS), port: FIRST_PORT + (index % PORTS) };
}

function firstSeqs(random: Random): [number, number] {
  return [random.below(2 ** 32), random.below(2 ** 32)];
}
