import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { DiagnosticSink } from '../diagnostics.ts';
import type { CaptureInput } from '../dissection.ts';

/** A program that captures, and how it is told to write each packet to stdout at once. */
interface Capturer {
  readonly program: string;
  arguments(networkInterface: string, filter: string | undefined): string[];
}

const CAPTURERS: readonly Capturer[] = [
  {
    program: 'tcpdump',
    // Without immediate mode libpcap holds packets back for up to a second. With it, each packet takes a slot of the largest size, so that
    // the usual 2 MiB hold few of them: on loopback packets were dropped.
    arguments: (networkInterface, filter) => [
      '-i',
      networkInterface,
      '--immediate-mode',
      '-U',
      '-B',
      BUFFER_KIB,
      '-w',
      '-',
      ...(filter ? ['--', filter] : []),
    ],
  },
  {
    program: 'dumpcap',
    arguments: (networkInterface, filter) => ['-q', '-i', networkInterface, ...(filter ? ['-f', filter] : []), '-w', '-'],
  },
];

/** Kernel's buffer for packets that tcpdump hasn't read yet. */
const BUFFER_KIB = '32768';
/** How much of a capturer's words is kept. */
const MAX_WORDS = 16_384;

/** Capturing can't begin; the message says why and what to do. */
export class InterfaceError extends Error {
  override readonly name = 'InterfaceError';
}

/** A running tcpdump or dumpcap. */
export class InterfaceCapture {
  /** What it captures, to be dissected. */
  readonly input: CaptureInput;
  readonly #program: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #words = '';

  /** Begins to capture; throws {@link InterfaceError} where that can't be done. */
  static async start(networkInterface: string, filter: string | undefined): Promise<InterfaceCapture> {
    for (const capturer of CAPTURERS) {
      const child = spawn(capturer.program, capturer.arguments(networkInterface, filter), { stdio: ['ignore', 'pipe', 'pipe'] });
      const capture = new InterfaceCapture(capturer.program, networkInterface, child, child.stdout, child.stderr);
      if (await capture.#begins(child.stdout)) return capture;
    }
    const names = CAPTURERS.map(({ program }) => program).join(' nor ');
    throw new InterfaceError(
      `can't capture on ${networkInterface}: neither ${names} is installed; install one, or pipe a capture into kafka-dissect -`,
    );
  }

  private constructor(program: string, networkInterface: string, child: ChildProcess, stdout: Readable, stderr: Readable) {
    this.#program = program;
    this.#child = child;
    this.input = { name: networkInterface, stream: stdout };
    this.#ended = new Promise((resolve) => child.once('close', resolve));
    stderr.setEncoding('utf8');
    stderr.on('data', (text: string) => {
      this.#words = (this.#words + text).slice(-MAX_WORDS);
    });
  }

  /** Ends the capturing; what was captured is still to be read. */
  stop(): void {
    this.#child.kill('SIGINT');
  }

  /** Says, after all has been read, how capturing ended and what was dropped. */
  async report(diagnostics: DiagnosticSink): Promise<void> {
    await this.#ended;
    const dropped = droppedPackets(this.#words);
    if (dropped > 0) {
      diagnostics.report({
        code: 'packets-dropped',
        message: `${dropped} packets dropped by the kernel or ${this.#program}`,
        capture: 0,
        count: dropped,
      });
    }
    if (this.#child.exitCode) {
      diagnostics.report({ code: 'capture-unreadable', message: `${this.#program} failed: ${lastLine(this.#words)}`, capture: 0 });
    }
  }

  /** True once bytes come, false where the program isn't installed. */
  async #begins(stdout: Readable): Promise<boolean> {
    try {
      await once(this.#child, 'spawn');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw new InterfaceError(`can't start ${this.#program}: ${(error as Error).message}`);
    }
    const began = new Promise<boolean>((resolve) => stdout.once('readable', () => resolve(stdout.readableLength > 0)));
    if (await began) return true;
    await this.#ended;
    throw new InterfaceError(`${this.#program} can't capture: ${explained(this.#program, this.#words)}`);
  }
}

function explained(program: string, words: string): string {
  const reason = words
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(`${program}: `, '');
  if (!/permission|permitted/i.test(reason)) return reason;
  return `${reason}; run as root, or give ${program} the right: sudo setcap cap_net_raw,cap_net_admin=eip "$(command -v ${program})"`;
}

function lastLine(words: string): string {
  return words.trim().split('\n').at(-1) ?? '';
}

/** tcpdump: `3 packets dropped by kernel`; dumpcap: `Packets received/dropped on interface 'lo': 10/3 (…)`. */
function droppedPackets(words: string): number {
  const [, tcpdump, dumpcap] = /(\d+) packets? dropped by kernel|dropped on interface '.*': \d+\/(\d+)/.exec(words) ?? [];
  return Number(tcpdump ?? dumpcap ?? 0);
}
