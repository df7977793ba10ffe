import type { TimeStyle } from '../output/time.ts';
import { UsageError } from './usage-error.ts';

/** The time options as yargs parses them. */
export interface TimeArguments {
  readonly local?: boolean | undefined;
  readonly relative?: boolean | undefined;
}

/** How times are to be shown in a format. Throws {@link UsageError} for NDJSON: its times are UTC, whoever reads it. */
export function timeStyle({ local, relative }: TimeArguments, format: 'tree' | 'line' | 'table' | 'ndjson'): TimeStyle {
  if (!local && !relative) return 'utc';
  const style = local ? 'local' : 'relative';
  if (format === 'ndjson') {
    throw new UsageError(`--${style} is for trees, lines and tables; times in NDJSON are UTC, whoever reads it: choose another --format`);
  }
  return style;
}
