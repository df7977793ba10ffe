import { DiagnosticLog } from '../diagnostic-log.ts';
import type { DiagnosticSink } from '../diagnostics.ts';
import { Dissection } from '../dissect.ts';
import type { CaptureInput, DecodedExchangeSink, ExchangeFilter, RunningDissection, TrafficObserver } from '../dissection.ts';
import type { StdoutWriter } from '../output/stdout-writer.ts';
import { summaryLines, summaryRecord } from '../output/summary.ts';
import { OutputError } from '../output/write-all.ts';
import type { SummaryRecord } from '../records/records.ts';
import type { Redactor } from '../redact/redactor.ts';
import { ExitCode } from './exit-code.ts';
import { reportFailure } from './failure.ts';
import type { InterfaceCapture } from './interface-capture.ts';
import { Progress } from './progress.ts';
import { Reporter } from './reporter.ts';
import { writeStderr } from './stderr.ts';
import { StopSignals } from './stop-signals.ts';

/** How a command reads captures. */
export interface RunSettings {
  /** As given; the interface's name where one is captured from. */
  readonly captures: readonly string[];
  /** Read in place of files. */
  readonly live: InterfaceCapture | null;
  readonly maxFrameBytes: number;
  /** Losses cost the exit code. */
  readonly strict: boolean;
  readonly quiet: boolean;
  /** APIs whose exchanges are printed; DescribeConfigs alone where not given. */
  readonly apis?: ReadonlySet<number> | 'all';
  /** Chooses what is printed. */
  readonly filter?: ExchangeFilter | null;
  /** Puts pseudonyms into findings; what a command prints itself is its own affair. */
  readonly redactor?: Redactor | null;
}

/** What a command makes of the exchanges. */
export interface RunOutput extends DecodedExchangeSink {
  readonly writer: StdoutWriter;
  /** Takes every finding too; null where findings are for stderr alone. */
  readonly diagnostics: DiagnosticSink | null;
  /** Sees all traffic, where the command wants more than the exchanges. */
  readonly observer?: TrafficObserver;
  /** Says what the command itself had no room for. */
  report?(diagnostics: DiagnosticSink): void;
  /** Nothing more is wanted: reading may end. */
  readonly isDone?: boolean;
  /** Nothing more comes. */
  end(summary: SummaryRecord): void;
}

/** Reads the captures into a command's output, says on stderr what there is to say, and gives the exit code. Throws nothing. */
export async function runDissection(settings: RunSettings, output: RunOutput): Promise<ExitCode> {
  return new Run(settings, output).run();
}

class Run {
  readonly #settings: RunSettings;
  readonly #output: RunOutput;
  readonly #progress: Progress | null;
  readonly #reporter: Reporter;
  readonly #log: DiagnosticLog;
  readonly #dissection: RunningDissection;

  constructor(settings: RunSettings, output: RunOutput) {
    const inputs: readonly CaptureInput[] = settings.live ? [settings.live.input] : settings.captures;
    this.#settings = settings;
    this.#output = output;
    this.#progress = settings.quiet || settings.live ? null : Progress.of(settings.captures);
    this.#reporter = new Reporter({ captures: settings.captures, quiet: settings.quiet, write: (text) => this.#say(text) });
    this.#log = new DiagnosticLog(this.#reporter, output.diagnostics);
    const { maxFrameBytes, apis, filter } = settings;
    const { observer } = output;
    const options = {
      captures: inputs,
      maxFrameBytes,
      onWait: () => this.#waits(),
      ...(apis === undefined ? {} : { apis }),
      ...(filter ? { filter } : {}),
      ...(observer === undefined ? {} : { observer }),
    };
    this.#dissection = new Dissection(options, output, redacting(this.#log, settings.redactor ?? null));
  }

  async run(): Promise<ExitCode> {
    const signals = new StopSignals(() => this.#stop());
    try {
      await this.#dissection.run();
      await this.#settings.live?.report(this.#log);
      this.#finish();
      return signals.exitCode ?? this.#exitCode();
    } catch (error) {
      this.#progress?.stop();
      return this.#fail(error, signals.exitCode);
    } finally {
      signals.dispose();
    }
  }

  #finish(): void {
    this.#progress?.stop();
    this.#output.report?.(redacting(this.#log, this.#settings.redactor ?? null));
    this.#log.finish();
    const summary = summaryRecord(this.#dissection.totals, this.#log.lost);
    this.#output.end(summary);
    this.#output.writer.flush();
    this.#reporter.summary(summaryLines(summary));
  }

  #exitCode(): ExitCode {
    if (this.#log.hasErrors) return ExitCode.unreadable;
    return this.#settings.strict && this.#log.hasLosses ? ExitCode.lossy : ExitCode.ok;
  }

  /** An output that can't be written ends the run at once; after a bug, what was printed until then is still written. */
  #fail(error: unknown, signalled: ExitCode | null): ExitCode {
    if (error instanceof OutputError) {
      const code = reportFailure(error, null);
      return error.readerGone && signalled !== null ? signalled : code;
    }
    try {
      this.#output.writer.flush();
    } catch {
      // The bug is what must be told.
    }
    const at = this.#dissection.position;
    return reportFailure(error, at && `${this.#settings.captures[at.capture]} packet ${at.number}`);
  }

  #stop(): void {
    if (this.#settings.live) this.#settings.live.stop();
    else this.#dissection.stop();
  }

  #waits(): void {
    if (this.#output.isDone) this.#stop();
    this.#output.writer.flush();
    this.#progress?.update(this.#dissection.totals);
  }

  /** What was found before is shown before, on a terminal that shows both. */
  #say(text: string): void {
    this.#output.writer.flush();
    this.#progress?.clear();
    writeStderr(text);
  }
}

function redacting(sink: DiagnosticSink, redactor: Redactor | null): DiagnosticSink {
  return redactor === null ? sink : { report: (diagnostic) => sink.report(redactor.diagnostic(diagnostic)) };
}
