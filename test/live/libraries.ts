import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where brokers and clients stay between runs. */
const CACHE = resolve('node_modules', '.cache', 'kafka-dissect');
const CLIENTS = join('test', 'live', 'clients');
const FETCH_TIMEOUT_MS = 5 * 60_000;

/** A class path of Maven artifacts (`group:artifact:version`) with all they need at run time, fetched once, kept under `name`. */
export function mavenLibraries(name: string, ...coordinates: readonly string[]): string {
  const folder = cached(join('libraries', name), (partial) => {
    const pom = join(partial, 'pom.xml');
    writeFileSync(pom, pomOf(coordinates));
    const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${partial}`];
    execute('mvn', ['-q', '-B', '-f', pom, ...copy]);
  });
  return join(folder, '*');
}

/** A class path with the broker of a release, its tools, and what logs for it. */
export function kafkaLibraries(release: string): string {
  const logging = release.startsWith('2.') ? 'org.slf4j:slf4j-reload4j:1.7.36' : 'org.apache.logging.log4j:log4j-slf4j-impl:2.25.4';
  return mavenLibraries(`kafka-${release}`, `org.apache.kafka:kafka_2.13:${release}`, logging);
}

function pomOf(coordinates: readonly string[]): string {
  const dependencies = coordinates.map((coordinate) => {
    const [group, artifact, version] = coordinate.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>live</groupId><artifactId>live</artifactId><version>1</version>
<dependencies>${dependencies.join('\n')}</dependencies></project>\n`;
}

/** Folder with the JavaScript clients and what they import. */
export function javaScriptClients(): string {
  const folder = cached('live-npm', (partial) => {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(CLIENTS, file), join(partial, file));
    execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], partial);
  });
  // Imports are looked up from where a script stands.
  cpSync(CLIENTS, folder, { recursive: true });
  return folder;
}

/** The Python that has the clients of Python. */
export function pythonWithClients(): string {
  const folder = cached('live-python', (partial) => {
    execute('python3', ['-m', 'venv', partial]);
    execute(join(partial, 'bin', 'python'), ['-m', 'pip', 'install', '-q', '-r', resolve(CLIENTS, 'requirements.txt')]);
  });
  return join(folder, 'bin', 'python');
}

/** The folder of this name in the cache, filled by `fill` the first time; a fill that fails leaves nothing behind. */
function cached(name: string, fill: (partial: string) => void): string {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  mkdirSync(join(folder, '..'), { recursive: true });
  const partial = mkdtempSync(`${folder}-partial-`);
  try {
    fill(partial);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

function execute(command: string, words: readonly string[], cwd?: string): void {
  const result = spawnSync(command, words, { cwd, encoding: 'utf8', timeout: FETCH_TIMEOUT_MS });
  if (result.status !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${result.error ?? ''}${result.stdout}${result.stderr}`);
}
