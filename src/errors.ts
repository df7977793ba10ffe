/** A filter that nothing can meet, or that can't be understood; the message says what would be right. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

/** A capture can't be opened or isn't one. `message` is fit for a user; path and reason may hold bytes of the file's name, which whoever prints them escapes. */
export class CaptureError extends Error {
  /** The capture as it was named: a path, or `-` for standard input. */
  readonly capture: string;
  /** What is wrong and what would be right, without the capture's name. */
  readonly reason: string;

  constructor(capture: string, reason: string, options?: ErrorOptions) {
    super(`${capture}: ${reason}`, options);
    this.name = 'CaptureError';
    this.capture = capture;
    this.reason = reason;
  }
}
