import { type Diagnostic, type DiagnosticCode, type DiagnosticSink, diagnosticCodes } from './diagnostics.ts';
import { DIAGNOSTICS_SHOWN_PER_CODE } from './limits.ts';

/** What was lost under one diagnostic code. */
export interface Loss {
  readonly count: number;
  /** Bytes known to be concerned; 0 where none are, or how many isn't known. */
  readonly bytes: number;
}

/** Shows findings to somebody. */
export interface DiagnosticPrinter extends DiagnosticSink {
  /** Says at the end that `count` more findings of this code were counted and not shown. */
  suppressed(code: DiagnosticCode, count: number): void;
}

/**
 * Keeps the account of a dissection's findings: what was lost, whether an error or a loss occurred, and which findings are worth showing.
 * The first {@link DIAGNOSTICS_SHOWN_PER_CODE} of each code go to the printer, the rest are counted, so that a noisy capture can't bury
 * what matters.
 */
export class DiagnosticLog implements DiagnosticSink {
  readonly #printer: DiagnosticPrinter;
  readonly #record: DiagnosticSink | null;
  readonly #seen = new Map<DiagnosticCode, number>();
  readonly #lost = new Map<DiagnosticCode, { count: number; bytes: number }>();
  #errors = false;

  /** `record`, where given, gets every finding before the printer does. */
  constructor(printer: DiagnosticPrinter, record: DiagnosticSink | null = null) {
    this.#printer = printer;
    this.#record = record;
  }

  report(diagnostic: Diagnostic): void {
    const { code } = diagnostic;
    const { severity, lost } = diagnosticCodes[code];
    const seen = (this.#seen.get(code) ?? 0) + 1;
    this.#seen.set(code, seen);
    if (lost) this.#tally(diagnostic);
    if (severity === 'error') this.#errors = true;
    this.#record?.report(diagnostic);
    if (seen <= DIAGNOSTICS_SHOWN_PER_CODE) this.#printer.report(diagnostic);
  }

  /** Says what wasn't shown. To be called once, when no more findings come. */
  finish(): void {
    for (const [code, seen] of this.#seen) {
      const hidden = seen - DIAGNOSTICS_SHOWN_PER_CODE;
      if (hidden > 0) this.#printer.suppressed(code, hidden);
    }
  }

  /** Everything skipped, cut or missing, by code, in the order of first occurrence. */
  get lost(): ReadonlyMap<DiagnosticCode, Loss> {
    return this.#lost;
  }

  /** A capture could not be read, or not whole. */
  get hasErrors(): boolean {
    return this.#errors;
  }

  get hasLosses(): boolean {
    return this.#lost.size > 0;
  }

  #tally(diagnostic: Diagnostic): void {
    const loss = this.#lost.get(diagnostic.code) ?? { count: 0, bytes: 0 };
    loss.count += diagnostic.count ?? 1;
    loss.bytes += diagnostic.bytes ?? 0;
    this.#lost.set(diagnostic.code, loss);
  }
}
