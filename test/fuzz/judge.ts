import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { Chalk } from 'chalk';
import { Reporter } from '../../src/cli/reporter.ts';
import { DiagnosticLog } from '../../src/diagnostic-log.ts';
import { Dissection } from '../../src/dissect.ts';
import { MAX_FRAME_BYTES } from '../../src/limits.ts';
import { ByteBuffer } from '../../src/output/byte-buffer.ts';
import { LinePrinter } from '../../src/output/line.ts';
import { NdjsonPrinter } from '../../src/output/ndjson.ts';
import { summaryLines, summaryRecord } from '../../src/output/summary.ts';
import { createTheme } from '../../src/output/theme.ts';
import { TreePrinter } from '../../src/output/tree.ts';
import type { ExchangeRecord } from '../../src/records/records.ts';
import { Pseudonyms } from '../../src/redact/pseudonyms.ts';
import { Redactor } from '../../src/redact/redactor.ts';
import type { Random } from '../bench/random.ts';
import { pcapFile, tcpConversation } from '../helpers/packets.ts';
import { sampleCapture, sampleMessages } from '../helpers/sample-capture.ts';
import { type FuzzCase, witness } from './build-case.ts';

/** What a terminal could act on; the line feed alone is meant. */
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** All that is said about a capture. */
interface Said {
  readonly ndjson: string;
  readonly trees: string;
  readonly lines: string;
  /** Trees of the messages with pseudonyms in them. */
  readonly redacted: string;
  readonly stderr: string;
  readonly isUtf8: boolean;
}

/** Judges what is made of captures that were made to break it. */
export class Judge {
  #expected: readonly string[] | null = null;

  /** What is wrong with the answer to a capture; null if nothing is. */
  async problem(file: Uint8Array, hasWitness: boolean, chunkBytes: number, allApis = false): Promise<string | null> {
    const said = await dissect(file, chunkBytes, allApis);
    for (const [name, text] of Object.entries(said))
      if (UNSAFE.test(String(text))) return `${name} holds ${UNSAFE.exec(String(text))?.[0].charCodeAt(0)}`;
    if (!said.isUtf8) return 'output that is not UTF-8';
    const witnesses: string[] = [];
    for (const line of said.ndjson.split('\n').slice(0, -1)) {
      const record = JSON.parse(line) as { type: string };
      if (record.type === 'exchange' && isWitness(record as ExchangeRecord)) witnesses.push(essence(record as ExchangeRecord));
    }
    if (!hasWitness) return null;
    this.#expected ??= await expectedWitnesses();
    return JSON.stringify(witnesses) === JSON.stringify(this.#expected)
      ? null
      : `the untouched connection changed: ${witnesses.join('\n')}`;
  }

  /** The same for all that can be asked of a case. */
  async problemOf({ file, hasWitness }: FuzzCase, random: Random): Promise<string | null> {
    const chunkBytes = random.pick([file.length, 1 + random.below(64), 1 + random.below(4096)]);
    const problem = await this.problem(file, hasWitness, chunkBytes, random.below(4) === 0).catch(
      (error: Error) => error.stack ?? error.message,
    );
    // Good output in front of damage may be lost inside zlib, more or less of it: GzipSource says so.
    const isGzip = file[0] === 0x1f && file[1] === 0x8b;
    if (problem !== null || isGzip || random.below(8) > 0) return problem;
    return (await this.dependsOnChunks(file, chunkBytes)) ? `another answer in chunks of ${chunkBytes} bytes` : null;
  }

  /** Whether the answer depends on how the bytes come. */
  async dependsOnChunks(file: Uint8Array, chunkBytes: number): Promise<boolean> {
    return (await dissect(file, file.length)).ndjson !== (await dissect(file, chunkBytes)).ndjson;
  }
}

async function expectedWitnesses(): Promise<string[]> {
  const { ndjson } = await dissect(
    pcapFile(tcpConversation({ ...witness, messages: sampleMessages(witness.exchanges) })),
    sampleCapture(1).length,
  );
  const records = ndjson
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ExchangeRecord);
  return records.filter(isWitness).map(essence);
}

function isWitness({ client }: ExchangeRecord): boolean {
  return client === `${witness.client.address}:${witness.client.port}`;
}

function essence({ status, correlationId, clientId, request, response }: ExchangeRecord): string {
  return JSON.stringify({ status, correlationId, clientId, request, response });
}

/** Runs a capture through everything that prints. Throws what it throws. */
async function dissect(file: Uint8Array, chunkBytes: number, allApis = false): Promise<Said> {
  const [ndjson, trees, lines, redacted] = [new ByteBuffer(), new ByteBuffer(), new ByteBuffer(), new ByteBuffer()];
  let stderr = '';
  const captures = ['fuzz'];
  const theme = createTheme(new Chalk({ level: 0 }));
  const records = new NdjsonPrinter(ndjson, { captures, showSecrets: false });
  const treeOptions = { width: 100, full: false, about: true, depth: null, hex: true, showSecrets: false, theme };
  const tree = new TreePrinter(trees, treeOptions);
  const redactedTree = new TreePrinter(redacted, treeOptions);
  const redactor = new Redactor(new Pseudonyms('fuzz'));
  const line = new LinePrinter(lines, { width: 120, theme });
  const reporter = new Reporter({ captures, quiet: false, write: (text) => (stderr += text) });
  const log = new DiagnosticLog(reporter, records);
  const sink = {
    exchange(exchange: Parameters<NdjsonPrinter['exchange']>[0]) {
      records.exchange(exchange);
      tree.print(exchange);
      line.print(exchange);
      redactedTree.print(redactor.exchange(exchange));
    },
  };
  const stream = Readable.from(chunks(file, Math.max(1, chunkBytes)), { objectMode: false });
  const options = { captures: [{ name: 'fuzz', stream }], maxFrameBytes: MAX_FRAME_BYTES, ...(allApis ? { apis: 'all' as const } : {}) };
  const dissection = new Dissection(options, sink, log);
  await dissection.run();
  log.finish();
  const summary = summaryRecord(dissection.totals, log.lost);
  records.summary(summary);
  reporter.summary(summaryLines(summary));
  const outputs = [ndjson, trees, lines, redacted].map((buffer) => Buffer.from(buffer.view()));
  const [a, b, c, d] = outputs.map(String) as [string, string, string, string];
  return { ndjson: a, trees: b, lines: c, redacted: d, stderr, isUtf8: outputs.every((bytes) => isUtf8(bytes)) };
}

function* chunks(file: Uint8Array, chunkBytes: number): Generator<Buffer> {
  for (let at = 0; at < file.length; at += chunkBytes) yield Buffer.from(file.subarray(at, at + chunkBytes));
}
