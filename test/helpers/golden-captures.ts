import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file of expected output, and what the command line must be for exactly that to come out. */
export interface GoldenRun {
  readonly path: string;
  readonly words: readonly string[];
}

const FOLDER = join('test', 'golden', 'captures');
/** Files of one capture that was rotated: read as one. */
const ROTATED = /^(.+)-[0-9]+\.pcap$/;
/** Captures whose trees would have tens of megabytes: looked over instead. */
const LOOKED_OVER = new Set(['incident-orders-retention.pcap.gz']);

/** All files of `captures/`, each named by the golden files that hold it; a rotated capture's files stand together. */
export function goldenCaptures(): Map<string, string[]> {
  const captures = new Map<string, string[]>();
  for (const file of readdirSync('captures').sort()) {
    if (!file.includes('.pcap')) continue;
    const name = ROTATED.exec(file)?.[1] ?? file;
    captures.set(name, [...(captures.get(name) ?? []), `captures/${file}`]);
  }
  return captures;
}

/** The golden files, and how each is made: NDJSON with diagnostics and summary, and whole trees; for a very large capture, its lines. */
export function goldenRuns(): GoldenRun[] {
  return [...goldenCaptures()].flatMap(([name, paths]): GoldenRun[] =>
    LOOKED_OVER.has(name)
      ? [{ path: join(FOLDER, `${name}.line.txt`), words: ['--format', 'line', ...paths] }]
      : [
          { path: join(FOLDER, `${name}.ndjson`), words: ['--format', 'ndjson', '--events', ...paths] },
          { path: join(FOLDER, `${name}.tree.txt`), words: ['--format', 'tree', '--full', ...paths] },
        ],
  );
}
