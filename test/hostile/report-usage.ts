import { writeSync } from 'node:fs';

/** Loaded into a child by `--import`: says on descriptor 3, at its end, how many KiB it had resident at most. */
process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));
