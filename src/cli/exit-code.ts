/** What the process says when it ends; scripts depend on these. The output contract names them too. */
export const ExitCode = {
  /** Every capture was read to its end; also where the reader of stdout went away. */
  ok: 0,
  /** A capture couldn't be read, or not to its end. What could be read was printed. */
  unreadable: 1,
  usage: 2,
  /** With `--strict`: something was lost or malformed. */
  lossy: 3,
  /** A bug (EX_SOFTWARE of sysexits.h). */
  internal: 70,
  /** The output can't be written (EX_IOERR of sysexits.h). */
  outputFailed: 74,
  /** Ended by SIGINT or SIGTERM, after what was open had been printed: 128 and the signal's number, as shells say it. */
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
