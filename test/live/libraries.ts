import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedFolder, execute, pythonWith } from '../helpers/tool-cache.ts';

const CLIENTS = join('test', 'live', 'clients');

/** A class path of Maven artifacts (`group:artifact:version`) with all they need at run time, fetched once, kept under `name`. */
export function mavenLibraries(name: string, ...coordinates: readonly string[]): string {
  const folder = cachedFolder(join('libraries', name), (partial) => {
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
  const folder = cachedFolder('live-npm', (partial) => {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(CLIENTS, file), join(partial, file));
    execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], partial);
  });
  // Imports are looked up from where a script stands.
  cpSync(CLIENTS, folder, { recursive: true });
  return folder;
}

/** The Python that has librdkafka. */
export function pythonWithClients(): string {
  return pythonWith('live-python', 'confluent-kafka==2.16.1');
}
