import { FilterError } from '../errors.ts';
import { safeText } from '../output/safe-text.ts';
import { OutputError } from '../output/write-all.ts';
import { ExitCode } from './exit-code.ts';
import { InterfaceError } from './interface-capture.ts';
import { writeStderr } from './stderr.ts';
import { UsageError } from './usage-error.ts';
import { packageVersion } from './version.ts';

/** Says on stderr why the run ended, and gives the exit code for it. `position` tells where reading stood, if it had begun. */
export function reportFailure(error: unknown, position: string | null): ExitCode {
  if (error instanceof UsageError || error instanceof FilterError) return say(`${error.message}\nTry kafka-dissect --help`, ExitCode.usage);
  if (error instanceof InterfaceError) return say(`error: ${error.message}`, ExitCode.unreadable);
  if (error instanceof OutputError) {
    return error.readerGone ? ExitCode.ok : say(`error: stdout can't be written: ${error.message}`, ExitCode.outputFailed);
  }
  const where = position === null ? '' : ` at ${position}`;
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return say(
    `internal error${where}: ${what}\nThis is a bug in kafka-dissect ${packageVersion()}: please report it with these lines.`,
    ExitCode.internal,
  );
}

function say(text: string, code: ExitCode): ExitCode {
  writeStderr(`kafka-dissect: ${text.split('\n').map(safeText).join('\n')}\n`);
  return code;
}
