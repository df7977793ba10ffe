import { openCaptures } from '../../src/capture/open-captures.ts';
import { type Packet, Step } from '../../src/capture/packet.ts';
import type { Diagnostic, DiagnosticSink } from '../../src/diagnostics.ts';
import { ExchangeDecoder } from '../../src/exchange-decoder.ts';
import { SchemaOracle } from '../../src/frame-oracle.ts';
import { KafkaStage } from '../../src/kafka/kafka-stage.ts';
import { MAX_FRAME_BYTES } from '../../src/limits.ts';
import { PacketDecoder } from '../../src/net/packet-decoder.ts';
import type { Segment } from '../../src/net/segment.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { NdjsonPrinter } from '../../src/output/ndjson.ts';
import type { ExchangeRecord } from '../../src/records/records.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import { Reassembler } from '../../src/tcp/reassembler.ts';

const DESCRIBE_CONFIGS = 32;

/** What came of a list of packets. */
export interface Dissected {
  /** Lines of NDJSON as they are printed, with how many packets had been read by then. */
  readonly lines: readonly string[];
  readonly linesAfter: readonly number[];
  readonly exchanges: readonly ExchangeRecord[];
  readonly diagnostics: readonly Diagnostic[];
  readonly counts: { readonly kafka: number; readonly tls: number; readonly requests: number; readonly responses: number };
}

/** Runs packets through all stages at once, as a dissection does, without a file. */
export function dissectPackets(packets: readonly Packet[], maxFrameBytes = MAX_FRAME_BYTES): Dissected {
  return dissect(maxFrameBytes, (reassembler, sink, next) => {
    const net = new PacketDecoder(reassembler, sink);
    for (const packet of packets) {
      next();
      net.packet(packet);
    }
    net.end();
  });
}

/** The same from TCP segments on. */
export function dissectSegments(segments: readonly Segment[], maxFrameBytes = MAX_FRAME_BYTES): Dissected {
  return dissect(maxFrameBytes, (reassembler, _, next) => {
    for (const segment of segments) {
      next();
      reassembler.segment(segment);
    }
  });
}

function dissect(maxFrameBytes: number, feed: (reassembler: Reassembler, sink: DiagnosticSink, next: () => void) => void): Dissected {
  const diagnostics: Diagnostic[] = [];
  const sink = { report: (diagnostic: Diagnostic) => diagnostics.push(diagnostic) };
  const decoder = new ExchangeDecoder(new Schemas(), sink);
  const out = new ByteBuffer();
  const printer = new NdjsonPrinter(out, { captures: ['capture.pcap'], showSecrets: false });
  const linesAfter: number[] = [];
  let read = 0;
  const kafka = new KafkaStage({
    asksFor: (apiKey) => apiKey === DESCRIBE_CONFIGS,
    maxFrameBytes,
    oracle: new SchemaOracle(new Schemas()),
    exchanges: {
      exchange: (exchange) => {
        printer.exchange(decoder.decode(exchange, linesAfter.length + 1, 'capture.pcap', null));
        linesAfter.push(read);
      },
    },
    traffic: null,
    diagnostics: sink,
  });
  const reassembler = new Reassembler(kafka, sink);
  feed(reassembler, sink, () => read++);
  reassembler.end();
  const lines = Buffer.from(out.view()).toString().split('\n').slice(0, -1);
  return { lines, linesAfter, exchanges: lines.map((line) => JSON.parse(line) as ExchangeRecord), diagnostics, counts: kafka.counts };
}

/** All packets of a capture, each with bytes of its own. */
export async function readPackets(path: string): Promise<Packet[]> {
  const reader = await openCaptures([path], { report() {} });
  const packets: Packet[] = [];
  try {
    for (;;) {
      const step = reader.next();
      if (step === Step.ended) return packets;
      if (step === Step.starved) await reader.fill();
      else packets.push(ownPacket(reader.packet));
    }
  } finally {
    await reader.close();
  }
}

/** All TCP segments of packets, each with bytes of its own. */
export function segmentsOf(packets: readonly Packet[]): Segment[] {
  const segments: Segment[] = [];
  const net = new PacketDecoder({ segment: (segment) => segments.push(ownSegment(segment)) }, { report() {} });
  for (const packet of packets) net.packet(packet);
  net.end();
  return segments;
}

function ownSegment(segment: Segment): Segment {
  const bytes = new Uint8Array(segment.bytes.subarray(segment.start, segment.end));
  const [checksum, sum] = [segment.checksum(), segment.payloadSum()];
  return { ...segment, packet: { ...segment.packet }, bytes, start: 0, end: bytes.length, checksum: () => checksum, payloadSum: () => sum };
}

function ownPacket(packet: Packet): Packet {
  const bytes = new Uint8Array(packet.bytes.subarray(packet.start, packet.end));
  return { ...packet, bytes, start: 0, end: bytes.length };
}
