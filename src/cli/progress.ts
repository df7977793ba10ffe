import { statSync } from 'node:fs';
import { clearLine, cursorTo } from 'node:readline';
import type { MultiBar, SingleBar } from 'cli-progress';
import type { Totals } from '../dissection.ts';

/** A run that is over by then needs no bar. */
const DELAY_MILLIS = 500;
const FORMAT = '{bar} {percentage}%  {read} of {size} MB  {packets} packets  {exchanges} exchanges  {eta_formatted} left';
const MEGABYTE = 1e6;

/** A bar on stderr that says how far the reading of files has come. It stands on the last line, below what else is said there. */
export class Progress {
  readonly #totalBytes: number;
  readonly #timer: NodeJS.Timeout;
  #bars: MultiBar | null = null;
  #bar: SingleBar | null = null;
  #stopped = false;

  /** A bar for these captures, or null where none is wanted: only for files whose size is known, and only on a terminal that isn't showing the output. */
  static of(captures: readonly string[]): Progress | null {
    if (!process.stderr.isTTY || process.stdout.isTTY) return null;
    const totalBytes = totalSize(captures);
    return totalBytes === 0 ? null : new Progress(totalBytes);
  }

  private constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
    this.#timer = setTimeout(() => void this.#start(), DELAY_MILLIS);
  }

  update(totals: Totals): void {
    if (this.#bar === null) return;
    const { complete, partial, unanswered } = totals.exchanges;
    const read = (totals.inputBytes / MEGABYTE).toFixed(0);
    const counts = { packets: totals.packets, exchanges: complete + partial + unanswered };
    this.#bar.update(Math.min(totals.inputBytes, this.#totalBytes), { read, ...counts });
  }

  /** Makes room for other lines on stderr; the bar comes back below them. */
  clear(): void {
    if (this.#bars === null) return;
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#bars?.stop();
    this.#bars = null;
    this.#bar = null;
  }

  async #start(): Promise<void> {
    const { default: progress } = await import('cli-progress');
    if (this.#stopped) return;
    const { stderr } = process;
    const options = {
      stream: stderr,
      format: FORMAT,
      clearOnComplete: true,
      forceRedraw: true,
      gracefulExit: false,
      linewrap: true,
      barsize: 20,
    };
    this.#bars = new progress.MultiBar(options, progress.Presets.shades_classic);
    const size = (this.#totalBytes / MEGABYTE).toFixed(0);
    this.#bar = this.#bars.create(this.#totalBytes, 0, { read: 0, size, packets: 0, exchanges: 0 });
  }
}

/** Bytes of all files; 0 where one isn't a regular file, or isn't there. */
function totalSize(paths: readonly string[]): number {
  let bytes = 0;
  for (const path of paths) {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts?.isFile()) return 0;
    bytes += facts.size;
  }
  return bytes;
}
