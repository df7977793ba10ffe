import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { ExitCode } from './exit-code.ts';

/** A command of kafka-dissect, in a file of its own under commands/. `program.ts` lists them. */
export interface Command<Arguments> {
  /** As yargs takes it: `explain <name>`, `$0` for what runs without a command's name. */
  readonly command: string;
  readonly describe: string;
  /** Declares the options. */
  builder(yargs: Argv): Argv<Arguments>;
  /** Does the work. Throws {@link UsageError} where the options can't be met. */
  run(parsed: ArgumentsCamelCase<Arguments>): Promise<ExitCode>;
}

/** The command as it is: lets the compiler find out what its options are. */
export function defineCommand<Arguments>(command: Command<Arguments>): Command<Arguments> {
  return command;
}
