import { readFileSync } from 'node:fs';
import test from 'ava';
import * as limits from '../../src/limits.ts';

/** What holds a limit: a test file, and a text that stands in it. */
type Held = readonly [path: string, text: string];

/** Where each limit is tested at, below and above. */
const held: Readonly<Record<string, Held>> = {
  MAX_FRAME_BYTES: ['test/kafka/frame-size.test.ts', 'MAX_FRAME_BYTES'],
  MAX_RECORD_BYTES: ['test/capture/classic-reader.test.ts', 'MAX_RECORD_BYTES + 1'],
  MAX_CONNECTIONS: ['test/tcp/limits.test.ts', 'limits: { connections: limit }'],
  MAX_ENDED_CONNECTIONS: ['test/tcp/limits.test.ts', 'limits: { endedConnections: limit }'],
  MAX_HELD_BYTES: ['test/tcp/limits.test.ts', 'limits: { heldBytes: limit }'],
  MAX_HELD_SEGMENTS: ['test/tcp/limits.test.ts', 'limits: { heldSegments: limit }'],
  MAX_HELD_BYTES_TOTAL: ['test/tcp/limits.test.ts', 'limits: { heldBytesTotal: limit }'],
  MAX_SKIPPED_HOLES: ['test/tcp/wait-limits.test.ts', 'MAX_SKIPPED_HOLES'],
  WAIT_NANOS: ['test/tcp/wait-limits.test.ts', 'WAIT_NANOS'],
  WAIT_PACKETS: ['test/tcp/wait-limits.test.ts', 'WAIT_PACKETS'],
  WAIT_NANOS_ALONE: ['test/tcp/wait-limits.test.ts', 'WAIT_NANOS_ALONE'],
  WAIT_PACKETS_ALONE: ['test/tcp/wait-limits.test.ts', 'WAIT_PACKETS_ALONE'],
  MAX_HEADERS: ['test/net/tunnels.test.ts', 'headers nest up to the limit, and no deeper'],
  MAX_FRAGMENTED_DATAGRAMS: ['test/net/fragments.test.ts', 'no more datagrams are kept than the limit'],
  MAX_FRAGMENT_BYTES: ['test/net/fragments.test.ts', 'no more bytes are kept than the limit'],
  MAX_FRAGMENT_SECONDS: ['test/net/fragments.test.ts', 'takes longer than its time is given up'],
  DIAGNOSTICS_SHOWN_PER_CODE: ['test/diagnostic-log.test.ts', 'DIAGNOSTICS_SHOWN_PER_CODE + extra'],
  OUTPUT_FLUSH_BYTES: ['test/output/byte-limits.test.ts', 'OUTPUT_FLUSH_BYTES + 1'],
  MAX_MEMO_BYTES: ['test/output/element-memo.test.ts', 'MAX_MEMO_BYTES / (100 * 6000)'],
  OUTPUT_SPILL_BYTES: ['test/output/byte-limits.test.ts', 'OUTPUT_SPILL_BYTES + 1'],
  MAX_TAPE_ENTRIES: ['test/decode/tape-limit.test.ts', 'MAX_TAPE_ENTRIES - others + 1'],
  MAX_UNKNOWN_TAGS: ['test/decode/strictness.test.ts', 'MAX_UNKNOWN_TAGS'],
  MAX_SEARCHED_RECORD_BYTES: ['test/capture/searched-record.test.ts', 'MAX_SEARCHED_RECORD_BYTES + 1'],
  MAX_INTERFACES: ['test/capture/pcapng-reader.test.ts', 'MAX_INTERFACES'],
  MAX_ZSTD_WINDOW_BYTES: ['test/capture/compression.test.ts', 'refuses zstd with a larger window'],
  SEEK_BYTES: ['test/kafka/search-limits.test.ts', 'SEEK_BYTES + 1'],
  MAX_KEPT_BYTES: ['test/kafka/kept-bytes.test.ts', 'those silent for longest give theirs up'],
  UNDECIDED_BYTES: ['test/kafka/search-limits.test.ts', '4 * UNDECIDED_BYTES'],
  UNDECIDED_BYTES_IN_ALL: ['test/kafka/search-limits.test.ts', 'UNDECIDED_BYTES_IN_ALL + 1'],
  MAX_PENDING_REQUESTS: ['test/kafka/pending-limits.test.ts', 'may wait'],
  MAX_SUMMARY_CLIENTS: ['test/analysis/client-statistics.test.ts', 'i < MAX_SUMMARY_CLIENTS'],
  MAX_LISTED_PER_CLIENT: ['test/analysis/client-statistics.test.ts', 'i < MAX_LISTED_PER_CLIENT'],
  MAX_WINDOW_REQUESTS: ['test/analysis/client-statistics.test.ts', 'MAX_WINDOW_REQUESTS + 1'],
  MAX_BROKER_ADDRESSES: ['test/analysis/brokers.test.ts', 'MAX_BROKER_ADDRESSES + 1'],
  MAX_MEASURED_APIS: ['test/analysis/answer-limits.test.ts', 'apiKey <= MAX_MEASURED_APIS'],
  MAX_SUMMARY_ROWS: ['test/analysis/answer-limits.test.ts', 'MAX_SUMMARY_ROWS'],
  MAX_WRITES: ['test/analysis/answer-limits.test.ts', 'MAX_WRITES'],
  MAX_ANSWER_BYTES: ['test/analysis/room.test.ts', 'MAX_ANSWER_BYTES + 1'],
  MAX_PENDING_BYTES: ['test/kafka/pending-limits.test.ts', 'may take'],
};

/** How much is read at once: any other number gives the same, which the tests of chunking hold. */
const sizesOfReads: readonly string[] = ['READ_BYTES', 'INFLATE_BYTES', 'MERGED_READ_BYTES'];

test('every limit has a test', (t) => {
  t.deepEqual([...Object.keys(held), ...sizesOfReads].sort(), Object.keys(limits).sort());
});

for (const [name, [path, text]] of Object.entries(held)) {
  test(`${name} is held by ${path}`, (t) => t.true(readFileSync(path, 'utf8').includes(text)));
}
