import type { Theme } from '../output/theme.ts';
import { type ColorChoice, colorLevel } from './color.ts';

/** The colour options as yargs parses them. */
export interface ColorArguments {
  readonly color?: ColorChoice | undefined;
  readonly noColor?: boolean | undefined;
}

/** The theme that the colour options and the terminal ask for. */
export async function createTerminalTheme({ color, noColor }: ColorArguments): Promise<Theme> {
  const [{ Chalk }, { createTheme }] = await Promise.all([import('chalk'), import('../output/theme.ts')]);
  const choice = noColor ? 'never' : (color ?? 'auto');
  return createTheme(new Chalk({ level: colorLevel(choice, process.stdout.isTTY, process.env) }));
}

/** Columns of the terminal that stdout is; null where it isn't one, or doesn't know (a serial line says 0). */
export function terminalWidth(): number | null {
  return (process.stdout.isTTY && process.stdout.columns) || null;
}
