import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cliPath } from '../helpers/run-cli.ts';
import type { PrintedExchange } from './printed.ts';
import { Running } from './running.ts';

const LIVE_OPTIONS = ['--strict', '--events'];

/** An exchange, and when its line was read from kafka-dissect, in ms since 1970. */
export interface Arrived {
  readonly exchange: PrintedExchange;
  readonly atMs: number;
}

/** How a live capture ended. */
export interface LiveEnd {
  readonly code: number | null;
  readonly stderr: string;
  /** The record of type summary. */
  readonly summary: { readonly packets: number; readonly lost: object } | null;
}

/** kafka-dissect at work on what crosses loopback. */
export class LiveCapture {
  /** What kafka-dissect calls it. */
  readonly name: string;
  readonly arrived: Arrived[] = [];
  /** All that it printed. */
  stdout = '';
  #summary: LiveEnd['summary'] = null;
  readonly #dissector: Running;
  /** What is told to end: tcpdump, or kafka-dissect where that runs tcpdump. */
  readonly #capturer: Running;

  /** As `tcpdump … | kafka-dissect -`, by a pipe of the system's, made in `folder` (Node's own would be a socket).*/
  static pipe(filter: string, folder: string): LiveCapture {
    const pipe = join(folder, 'capture');
    execFileSync('mkfifo', [pipe]);
    const capturer = new Running('sh', [
      '-c',
      'exec "$@" >"$0"',
      pipe,
      'tcpdump',
      '-i',
      'lo',
      '-U',
      '--immediate-mode',
      '-B',
      '16384',
      '-w',
      '-',
      filter,
    ]);
    return new LiveCapture(
      '-',
      new Running('sh', ['-c', 'exec "$@" <"$0"', pipe, process.execPath, cliPath, ...LIVE_OPTIONS, '-']),
      capturer,
    );
  }

  /** As `kafka-dissect --interface lo --filter …`. */
  static interface(filter: string): LiveCapture {
    return new LiveCapture('lo', new Running(process.execPath, [cliPath, ...LIVE_OPTIONS, '--interface', 'lo', '--filter', filter]));
  }

  private constructor(name: string, dissector: Running, capturer: Running = dissector) {
    this.name = name;
    this.#dissector = dissector;
    this.#capturer = capturer;
    const lines = createInterface({ input: dissector.child.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => this.#take(line, performance.timeOrigin + performance.now()));
  }

  #take(line: string, atMs: number): void {
    this.stdout += `${line}\n`;
    const record = JSON.parse(line);
    if (record.type === 'exchange') this.arrived.push({ exchange: record, atMs });
    if (record.type === 'summary') this.#summary = record;
  }

  /** What it, and tcpdump, said on stderr. */
  get stderr(): string {
    return this.#dissector.words + (this.#capturer === this.#dissector ? '' : this.#capturer.words);
  }

  get hasEnded(): boolean {
    return this.#dissector.hasEnded || this.#capturer.hasEnded;
  }

  /** Ends the capturing as ^C does, and waits until all that was captured is printed. */
  async stop(): Promise<LiveEnd> {
    await this.#capturer.stop('SIGINT');
    return { code: await this.#dissector.ended(), stderr: this.stderr, summary: this.#summary };
  }
}
