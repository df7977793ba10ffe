import type { DiagnosticSink } from '../diagnostics.ts';

/** Says that an answer lacks something because there was too much of it; nothing where `count` is 0. */
export function reportDropped(diagnostics: DiagnosticSink, what: string, count: number): void {
  if (count === 0) return;
  const message = `${count} ${what} more than can be kept aren't in the answer; filters make it smaller, --resource, --key or --since among them`;
  diagnostics.report({ code: 'answer-limited', message, count });
}
