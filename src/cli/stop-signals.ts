import { ExitCode } from './exit-code.ts';

const EXIT_CODES = { SIGINT: ExitCode.interrupted, SIGTERM: ExitCode.terminated } as const;
type StopSignal = keyof typeof EXIT_CODES;
const SIGNALS = Object.keys(EXIT_CODES) as StopSignal[];

/**
 * Turns the first SIGINT or SIGTERM into a wish to finish: what is open is still printed. The handlers are gone then, so that a second signal
 * kills the process at once.
 */
export class StopSignals {
  readonly #stop: () => void;
  readonly #handler = (signal: NodeJS.Signals): void => this.#receive(signal as StopSignal);
  #received: StopSignal | null = null;

  constructor(stop: () => void) {
    this.#stop = stop;
    for (const signal of SIGNALS) process.on(signal, this.#handler);
  }

  /** The exit code that says which signal came; null if none did. */
  get exitCode(): ExitCode | null {
    return this.#received && EXIT_CODES[this.#received];
  }

  dispose(): void {
    for (const signal of SIGNALS) process.off(signal, this.#handler);
  }

  #receive(signal: StopSignal): void {
    this.#received = signal;
    this.dispose();
    this.#stop();
  }
}
