import { WriteStream } from 'node:tty';
import type { ColorSupportLevel } from 'chalk';

export type ColorChoice = 'always' | 'auto' | 'never';

/**
 * How many colours to use. `auto` is none unless stdout is a terminal, and heeds NO_COLOR (no-color.org), FORCE_COLOR and TERM as Node itself
 * does: FORCE_COLOR wins, and `0` there means none.
 */
export function colorLevel(choice: ColorChoice, stdoutIsTerminal: boolean, environment: NodeJS.ProcessEnv): ColorSupportLevel {
  const { NO_COLOR, FORCE_COLOR, ...others } = environment;
  if (choice === 'never') return 0;
  if (choice === 'always') return Math.max(1, levelOf(others)) as ColorSupportLevel;
  if (FORCE_COLOR !== undefined) return levelOf({ ...others, FORCE_COLOR });
  return stdoutIsTerminal && !NO_COLOR ? levelOf(others) : 0;
}

/** Node warns on stderr where FORCE_COLOR meets NO_COLOR, so it is told only the one that wins. */
function levelOf(environment: NodeJS.ProcessEnv): ColorSupportLevel {
  switch (WriteStream.prototype.getColorDepth(environment)) {
    case 24:
      return 3;
    case 8:
      return 2;
    case 4:
      return 1;
    default:
      return 0;
  }
}
