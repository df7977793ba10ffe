import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How much of what a process says on stdout or stderr is kept, to explain a failure. */
const MAX_WORDS = 64 * 1024;
const KILL_AFTER_MS = 10_000;

const running = new Set<Running>();
process.on('exit', () => {
  for (const one of running) one.abandon();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Ends all processes that are still running, the last started first. */
export async function stopAll(): Promise<void> {
  for (const one of [...running].reverse()) await one.stop();
}

/** A process, its standard input open, that ends with the tests, however these end. */
export class Running {
  readonly child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #name: string;
  #words = '';

  constructor(command: string, words: readonly string[], options: SpawnOptions = {}) {
    this.#name = command;
    this.child = spawn(command, words, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
    running.add(this);
    this.#ended = once(this.child, 'close').then(([code]) => code as number | null);
    this.#ended.finally(() => running.delete(this)).catch(() => {});
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#keep(text));
  }

  /** What it said on stderr, and on stdout where {@link keepStdout} was called: the end of it. */
  get words(): string {
    return this.#words;
  }

  keepStdout(): this {
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#keep(text));
    return this;
  }

  #keep(text: string): void {
    this.#words = (this.#words + text).slice(-MAX_WORDS);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Its exit code, null after a signal. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Waits for its end; throws with its words if that isn't the one it should be. */
  async succeeded(): Promise<void> {
    const code = await this.#ended;
    if (code !== 0) throw new Error(`${this.#name} ended with ${code}: ${this.#words}`);
  }

  /** Ends it without waiting: kafka-dissect gently, since it has to end its tcpdump, brokers not. */
  abandon(): void {
    this.child.kill(this.#name === 'java' ? 'SIGKILL' : 'SIGTERM');
  }

  /** Ends it, by force if it doesn't in time. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const force = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    this.child.kill(signal);
    const code = await this.#ended;
    clearTimeout(force);
    return code;
  }
}

/** Waits until `done` says yes; throws, saying what was waited for, when that takes too long. */
export async function until(what: () => string, done: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
