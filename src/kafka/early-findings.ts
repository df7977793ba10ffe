import type { Diagnostic, DiagnosticSink } from '../diagnostics.ts';

/** Findings kept; further ones are counted with the last of their code. */
const KEPT = 16;

/** Keeps the findings of a connection that isn't known to be Kafka yet: of others nobody wants to hear them. */
export class EarlyFindings implements DiagnosticSink {
  readonly #diagnostics: DiagnosticSink;
  readonly #kept: Diagnostic[] = [];
  #isOpen = false;

  constructor(diagnostics: DiagnosticSink) {
    this.#diagnostics = diagnostics;
  }

  report(diagnostic: Diagnostic): void {
    if (this.#isOpen) this.#diagnostics.report(diagnostic);
    else if (this.#kept.length < KEPT || !this.#count(diagnostic)) this.#kept.push(diagnostic);
  }

  /** Adds to the last one of its kind. */
  #count({ code, connection, bytes = 0, count = 1 }: Diagnostic): boolean {
    const last = this.#kept.findLast((each) => each.code === code && each.connection === connection);
    if (last === undefined) return false;
    last.count = (last.count ?? 1) + count;
    last.bytes = (last.bytes ?? 0) + bytes;
    last.message = `${last.count} times, ${last.bytes} bytes in all`;
    return true;
  }

  /** It is Kafka: tells what there is, and from now on all at once. */
  open(): void {
    this.#isOpen = true;
    for (const diagnostic of this.#kept.splice(0)) this.#diagnostics.report(diagnostic);
  }

  /** It isn't Kafka. */
  drop(): void {
    this.#kept.length = 0;
  }
}
