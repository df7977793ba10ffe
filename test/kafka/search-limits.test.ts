import test from 'ava';
import type { PacketPosition } from '../../src/capture/packet.ts';
import type { Diagnostic } from '../../src/diagnostics.ts';
import { SchemaOracle } from '../../src/frame-oracle.ts';
import { KafkaStage } from '../../src/kafka/kafka-stage.ts';
import { SEEK_BYTES, UNDECIDED_BYTES, UNDECIDED_BYTES_IN_ALL } from '../../src/limits.ts';
import { Schemas } from '../../src/schema/schemas.ts';
import type { Direction, StreamSink } from '../../src/tcp/stream-sink.ts';
import { sampleFrame } from '../helpers/sample-capture.ts';

const position: PacketPosition = { capture: 0, number: 1, seconds: 1, nanos: 0, fine: false };

interface Play {
  readonly sink: StreamSink;
  readonly diagnostics: Diagnostic[];
  /** Correlation ids of the exchanges. */
  readonly ids: number[];
}

/** One connection of the Kafka stage: opened by direction 0, or begun before the capture. */
function play(opener: Direction | null): Play {
  const diagnostics: Diagnostic[] = [];
  const ids: number[] = [];
  const stage = new KafkaStage({
    asksFor: (apiKey) => apiKey === 32,
    maxFrameBytes: 1e8,
    oracle: new SchemaOracle(new Schemas()),
    exchanges: { exchange: ({ correlationId }) => ids.push(correlationId) },
    traffic: null,
    diagnostics: { report: (diagnostic) => diagnostics.push(diagnostic) },
  });
  const endpoint = (direction: Direction) => `192.0.2.${direction + 1}:9092`;
  const sink = stage.open({ stream: 0, opener, endpoint, beginsWhole: () => opener !== null, hasPackets: () => true });
  return { sink, diagnostics, ids };
}

/** Sends bytes that are nothing, in pieces. */
function noise(sink: StreamSink, direction: Direction, count: number): void {
  const piece = new Uint8Array(1 << 14).fill(0xee);
  for (let at = 0; at < count; at += piece.length) sink.data(direction, piece, 0, Math.min(piece.length, count - at), position);
}

function say(sink: StreamSink, direction: Direction, bytes: Uint8Array): void {
  sink.data(direction, bytes, 0, bytes.length, position);
}

for (const length of [SEEK_BYTES - 1, SEEK_BYTES, SEEK_BYTES + 1, 3 * SEEK_BYTES]) {
  test(`a request is found behind ${length} bytes that are none, and they are counted`, (t) => {
    const { sink, diagnostics, ids } = play(0);
    say(sink, 0, sampleFrame('request', 1));
    noise(sink, 0, length);
    say(sink, 0, sampleFrame('request', 2));
    say(sink, 1, sampleFrame('response', 1));
    say(sink, 1, sampleFrame('response', 2));
    sink.close('closed');
    t.deepEqual(ids, [1, 2]);
    const skipped = diagnostics.filter(({ code }) => code === 'frames-skipped').reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    t.is(skipped, length);
  });
}

for (const length of [UNDECIDED_BYTES / 4, UNDECIDED_BYTES, 4 * UNDECIDED_BYTES]) {
  test(`a connection begun before the capture shows itself after ${length} bytes of something else`, (t) => {
    const { sink, ids } = play(null);
    noise(sink, 0, length);
    say(sink, 0, sampleFrame('request', 1));
    say(sink, 1, sampleFrame('response', 1));
    sink.close('closed');
    t.deepEqual(ids, [1]);
  });
}

for (const { length, codes } of [
  { length: UNDECIDED_BYTES_IN_ALL - 1, codes: [] },
  { length: UNDECIDED_BYTES_IN_ALL, codes: [] },
  { length: UNDECIDED_BYTES_IN_ALL + 1, codes: ['not-kafka'] },
]) {
  test(`${length} bytes without a request are ${codes.length === 0 ? 'not enough to' : 'enough to'} call a connection not Kafka`, (t) => {
    const { sink, diagnostics } = play(null);
    noise(sink, 0, length);
    t.deepEqual(
      diagnostics.map(({ code }) => code),
      codes,
    );
    t.is(sink.ignoring, codes.length > 0);
  });
}
