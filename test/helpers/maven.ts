import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where fetched jars stay between runs: beside the other tools' caches, outside the repository. */
const CACHE = join('node_modules', '.cache', 'kafka-dissect', 'jars');
const FETCH_TIMEOUT_MS = 5 * 60_000;

/** Why jars can't be fetched or run here (`mvn isn't installed`), or null where `commands` (of `mvn`, `java`, `javac`) all start. */
export function missingTool(...commands: readonly string[]): string | null {
  const missing = commands.find((command) => spawnSync(command, ['-version'], { stdio: 'ignore' }).error !== undefined);
  return missing === undefined ? null : `${missing} isn't installed`;
}

/** Path of the jar of `coordinates` (`group:artifact:version`): the cached one, or fetched by Maven. Throws with Maven's words if it can't be had. */
export function mavenJar(coordinates: string): string {
  const [, artifact, version] = coordinates.split(':');
  const name = `${artifact}-${version}.jar`;
  const path = join(CACHE, name);
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
