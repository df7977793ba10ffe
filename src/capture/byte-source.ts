import type { DiagnosticCode } from '../diagnostics.ts';

/** Where a capture's bytes come from, in order: a file, a pipe, a decompressor over another source. */
export interface ByteSource {
  /**
   * Writes at least one byte to `target[start, end)` as soon as there is one, never waiting for more, and resolves to how many it wrote; 0 at
   * the end. Rejects with a {@link SourceError} where the bytes end before their time. One call at a time.
   */
  read(target: Uint8Array, start: number, end: number): Promise<number>;
  /** Frees what is held. A read that waits resolves to 0 or rejects. */
  close(): Promise<void>;
  /** Bytes taken so far from the file or stream itself, compressed where it is. */
  readonly inputBytesRead: number;
  /** Size of the file itself when it was opened; undefined where there is no telling. */
  readonly inputBytes: number | undefined;
}

/** Reading stopped before the end of a source; all bytes that it delivered before are good. */
export class SourceError extends Error {
  readonly code: DiagnosticCode;

  constructor(code: DiagnosticCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.code = code;
  }
}

/** Takes what a source finds but can live with. */
export type SourceWarning = (code: DiagnosticCode, message: string, bytes: number) => void;
