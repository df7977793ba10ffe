import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { type CaptureName, captureOf, packetsOf } from './captures.ts';
import { liveLatencyMillis } from './live-latency.ts';
import { type Command, type Cost, measure } from './measure.ts';

/** One measured figure. */
export interface Figure {
  readonly row: string;
  readonly what: string;
  readonly value: number;
  readonly unit: '×' | 'MB' | 'ns' | 'ms';
  /** The most it should be; null where it is only told. */
  readonly target: number | null;
}

/** How large the captures are and how often each command runs. */
export interface Scale {
  /** Bytes of a capture; undefined for its usual size. */
  readonly bytes: number | undefined;
  readonly runs: number;
}

const DISSECT: Command = [process.execPath, 'bin/kafka-dissect.js'];
const NDJSON = ['--quiet', '--format', 'ndjson'];
/** Any small real capture. */
const TINY_CAPTURE = 'captures/kafka4.1-platformatic-v4.pcapng';
const NANOS = 1e9;
const LIVE_BYTES = 2e6;
const LARGE_BYTES = 4e9;
const LARGE_IN_SHORT_BYTES = 400e6;

/** Rows of the table, each of which makes its captures and runs its commands. */
export const rows: Readonly<Record<string, (scale: Scale) => Promise<Figure[]>>> = {
  'mix-1500': async ({ bytes, runs }) => {
    const file = await captureOf('mix-1500', bytes);
    const costs = await measure({ ours: ndjson(file), tcpdump: tcpdump(file), cat: ['cat', file] }, runs);
    const slow = await measure({ ours: ndjson(file), tshark: tshark(file) }, runs);
    return [
      figure('mix-1500', 'CPU / tshark', slow.ours.cpuSeconds / slow.tshark.cpuSeconds, '×', 1 / 12),
      figure('mix-1500', 'wall / tcpdump', costs.ours.wallSeconds / costs.tcpdump.wallSeconds, '×', 2.5),
      figure('mix-1500', 'wall / cat', costs.ours.wallSeconds / costs.cat.wallSeconds, '×', null),
      ...told('mix-1500', costs.ours, packetsOf(file)),
    ];
  },
  'mix-64k': async ({ bytes, runs }) => againstTcpdump('mix-64k', bytes, runs, 3, null),
  small: async ({ bytes, runs }) => againstTcpdump('small', bytes, runs, 4, 450),
  lossy: async ({ bytes, runs }) => {
    const [whole, lossy] = [await captureOf('mix-1500', bytes), await captureOf('lossy', bytes)];
    const costs = await measure({ lossy: ndjson(lossy), whole: ndjson(whole) }, runs);
    return [
      figure('lossy', 'CPU / mix-1500', costs.lossy.cpuSeconds / costs.whole.cpuSeconds, '×', 1.4),
      ...told('lossy', costs.lossy, packetsOf(lossy)),
    ];
  },
  many: async ({ bytes, runs }) => {
    const [whole, many] = [await captureOf('mix-1500', bytes), await captureOf('many', bytes)];
    const costs = await measure({ many: ndjson(many), whole: ndjson(whole) }, runs);
    const perPacket = costs.many.cpuSeconds / packetsOf(many) / (costs.whole.cpuSeconds / packetsOf(whole));
    return [
      figure('many', 'CPU a packet / mix-1500', perPacket, '×', 2),
      figure('many', 'peak memory', costs.many.peakMegabytes, 'MB', 300),
      figure('many', 'CPU a packet', nanosPerPacket(costs.many.cpuSeconds, packetsOf(many)), 'ns', null),
    ];
  },
  dense: async ({ bytes, runs }) => {
    const file = await captureOf('dense', bytes);
    const lines = `${file}.ndjson`;
    writeLines(file, lines);
    const tree: Command = [...DISSECT, '--quiet', '--format', 'tree', '--full', file];
    try {
      const costs = await measure({ ours: ndjson(file), jq: ['jq', '-c', '.clientId', lines], tree }, runs);
      return [
        figure('dense', 'CPU / jq', costs.ours.cpuSeconds / costs.jq.cpuSeconds, '×', 1 / 8),
        figure('dense', 'tree / NDJSON, CPU', costs.tree.cpuSeconds / costs.ours.cpuSeconds, '×', 3),
        ...told('dense', costs.ours, packetsOf(file)),
      ];
    } finally {
      rmSync(lines);
    }
  },
  gz: async ({ bytes, runs }) => {
    const file = await captureOf('gz', bytes);
    const costs = await measure({ ours: ndjson(file), gzip: ['gzip', '-dc', file] }, runs);
    return [
      figure('gz', 'wall / gzip -dc', costs.ours.wallSeconds / costs.gzip.wallSeconds, '×', 1.5),
      figure('gz', 'CPU / gzip -dc', costs.ours.cpuSeconds / costs.gzip.cpuSeconds, '×', null),
      figure('gz', 'peak memory', costs.ours.peakMegabytes, 'MB', null),
    ];
  },
  large: async ({ bytes, runs }) => {
    const largeBytes = bytes === undefined ? LARGE_BYTES : LARGE_IN_SHORT_BYTES;
    const [large, tenth] = [await captureOf('mix-1500', largeBytes), await captureOf('mix-1500', largeBytes / 10)];
    const costs = await measure({ large: ndjson(large), tenth: ndjson(tenth) }, runs);
    return [
      figure('large', 'peak memory', costs.large.peakMegabytes, 'MB', 110),
      figure('large', 'wall / that of a tenth', costs.large.wallSeconds / costs.tenth.wallSeconds, '×', 10.5),
    ];
  },
  'start-up': async ({ runs }) => {
    const empty: Command = [process.execPath, '-e', '0'];
    const costs = await measure({ version: [...DISSECT, '--version'], tiny: ndjson(TINY_CAPTURE), empty }, 3 * runs);
    return [
      figure('start-up', '--version, wall / node -e 0', costs.version.wallSeconds / costs.empty.wallSeconds, '×', 1.5),
      figure('start-up', 'tiny capture, wall / node -e 0', costs.tiny.wallSeconds / costs.empty.wallSeconds, '×', 3),
      figure('start-up', 'tiny capture, CPU / node -e 0', costs.tiny.cpuSeconds / costs.empty.cpuSeconds, '×', null),
      figure('start-up', 'peak memory', costs.tiny.peakMegabytes, 'MB', null),
    ];
  },
  live: async () => {
    const file = await captureOf('dense', LIVE_BYTES);
    const lines = `${file}.ndjson`;
    writeLines(file, lines);
    const endings = execFileSync('jq', ['.responseFrame.lastPacket', lines], { encoding: 'utf8' }).trim().split('\n').map(Number);
    rmSync(lines);
    return [figure('live', 'last packet to line', await liveLatencyMillis(ndjson('-'), file, new Set(endings)), 'ms', 20)];
  },
};

async function againstTcpdump(
  name: CaptureName,
  bytes: number | undefined,
  runs: number,
  target: number,
  nanos: number | null,
): Promise<Figure[]> {
  const file = await captureOf(name, bytes);
  const costs = await measure({ ours: ndjson(file), tcpdump: tcpdump(file) }, runs);
  return [
    figure(name, 'wall / tcpdump', costs.ours.wallSeconds / costs.tcpdump.wallSeconds, '×', target),
    figure(name, 'CPU / tcpdump', costs.ours.cpuSeconds / costs.tcpdump.cpuSeconds, '×', null),
    figure(name, 'wall a packet', nanosPerPacket(costs.ours.wallSeconds, packetsOf(file)), 'ns', nanos),
    figure(name, 'peak memory', costs.ours.peakMegabytes, 'MB', null),
  ];
}

function ndjson(file: string): Command {
  return [...DISSECT, ...NDJSON, file];
}

function tcpdump(file: string): Command {
  return ['tcpdump', '-r', file, '-w', '/dev/null'];
}

function tshark(file: string): Command {
  return ['tshark', '-r', file, '-d', 'tcp.port==9092,kafka', '-Y', 'kafka.api_key==32'];
}

function writeLines(capture: string, lines: string): void {
  const [program, ...words] = ndjson(capture);
  const out = openSync(lines, 'w');
  execFileSync(program, words, { stdio: ['ignore', out, 'inherit'] });
  closeSync(out);
}

function told(row: string, cost: Cost, packets: number): Figure[] {
  return [
    figure(row, 'CPU a packet', nanosPerPacket(cost.cpuSeconds, packets), 'ns', null),
    figure(row, 'peak memory', cost.peakMegabytes, 'MB', null),
  ];
}

function nanosPerPacket(seconds: number, packets: number): number {
  return (seconds * NANOS) / packets;
}

function figure(row: string, what: string, value: number, unit: Figure['unit'], target: number | null): Figure {
  return { row, what, value, unit, target };
}
