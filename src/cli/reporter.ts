import type { DiagnosticPrinter } from '../diagnostic-log.ts';
import { type Diagnostic, type DiagnosticCode, diagnosticCodes, type Severity } from '../diagnostics.ts';
import { safeText } from '../output/safe-text.ts';
import { captureName } from '../records/capture-name.ts';

/** Settings of a {@link Reporter}. */
export interface ReporterOptions {
  /** Names of the captures as given, by index. */
  readonly captures: readonly string[];
  /** Leave out all but errors. */
  readonly quiet: boolean;
  /** Takes whole lines, line feeds included. Nothing that a terminal could act on is in them. */
  readonly write: (text: string) => void;
}

/** Says on stderr what the user should know: a line per finding, with its position first, so that `grep` finds it. */
export class Reporter implements DiagnosticPrinter {
  readonly #captures: readonly string[];
  readonly #quiet: boolean;
  readonly #write: (text: string) => void;

  constructor(options: ReporterOptions) {
    this.#captures = options.captures;
    this.#quiet = options.quiet;
    this.#write = options.write;
  }

  report(diagnostic: Diagnostic): void {
    const { severity } = diagnosticCodes[diagnostic.code];
    const where = position(diagnostic, this.#captures);
    this.#line(
      severity,
      `${where === '' ? '' : `${where}: `}${diagnostic.code}: ${[diagnostic.message, ...details(diagnostic)].join(', ')}`,
    );
  }

  suppressed(code: DiagnosticCode, count: number): void {
    this.#line(diagnosticCodes[code].severity, `${code}: ${count} more like these, not shown`);
  }

  /** Says the lines of the closing summary, in one block. */
  summary(lines: readonly string[]): void {
    if (!this.#quiet) this.#write(`kafka-dissect: ${lines.map(safeText).join('\n')}\n`);
  }

  #line(severity: Severity, text: string): void {
    if (this.#quiet && severity !== 'error') return;
    this.#write(`kafka-dissect: ${severity}: ${safeText(text)}\n`);
  }
}

function position(diagnostic: Diagnostic, captures: readonly string[]): string {
  const parts: string[] = [];
  if (diagnostic.capture !== undefined) parts.push(captureName(captures, diagnostic.capture));
  if (diagnostic.packet !== undefined) parts.push(`packet ${diagnostic.packet}`);
  else if (diagnostic.fileOffset !== undefined) parts.push(`offset ${diagnostic.fileOffset}`);
  return parts.join(' ');
}

function details(diagnostic: Diagnostic): string[] {
  const { connection, stream, streamOffset, path, count = 1 } = diagnostic;
  const parts: string[] = [];
  if (count > 1) parts.push(`${count} times`);
  if (connection !== undefined) parts.push(connection);
  else if (stream !== undefined) parts.push(`stream ${stream}`);
  if (streamOffset !== undefined) parts.push(`stream offset ${streamOffset}`);
  if (path !== undefined && path !== '') parts.push(path);
  return parts;
}
