import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Where fetched jars stay between runs: beside the other tools' caches, outside the repository. */
const CACHE = join('node_modules', '.cache', 'kafka-dissect', 'jars');
const FETCH_TIMEOUT_MS = 5 * 60_000;

/** Why `command` (`mvn`, `java`) can't be used here, or null. */
export function whyMissing(command: string): string | null {
  return spawnSync(command, ['-version'], { stdio: 'ignore' }).error === undefined ? null : `${command} isn't installed`;
}

/** Why these jars can't be had here, or null where all are cached or Maven is there to fetch them. */
export function whyNoJar(...coordinates: readonly string[]): string | null {
  return coordinates.every((jar) => existsSync(pathOf(jar))) ? null : whyMissing('mvn');
}

function pathOf(coordinates: string): string {
  const [, artifact, version] = coordinates.split(':');
  return join(CACHE, `${artifact}-${version}.jar`);
}

/**
 * Path of the jar of `coordinates` (`group:artifact:version`): the cached one, or fetched by Maven. Throws with Maven's words if it can't
 * be had.
 */
export function mavenJar(coordinates: string): string {
  const path = pathOf(coordinates);
  const name = basename(path);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  // Test files run side by side: each fetches into a folder of its own and the whole jar is put in place at once.
  const partial = mkdtempSync(join(CACHE, 'partial-'));
  try {
    const result = spawnSync(
      'mvn',
      ['-q', '-B', 'dependency:copy', `-Dartifact=${coordinates}`, `-DoutputDirectory=${join(process.cwd(), partial)}`],
      { encoding: 'utf8', timeout: FETCH_TIMEOUT_MS },
    );
    if (!readdirSync(partial).includes(name)) throw new Error(`Maven didn't bring ${coordinates}: ${result.stdout}${result.stderr}`);
    renameSync(join(partial, name), path);
  } finally {
    rmSync(partial, { recursive: true });
  }
  return path;
}
