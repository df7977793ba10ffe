import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The command as users run it. */
export const cliPath = join(process.cwd(), 'bin', 'kafka-dissect.js');

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Settings of {@link runCli}. */
export interface CliOptions {
  /** What is piped into standard input; nothing where left out. */
  readonly input?: Uint8Array;
  /** Added to an environment that asks for no colours. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Where stdout goes, a pipe where left out. */
  readonly stdout?: number;
}

/** Runs kafka-dissect to its end. */
export async function runCli(words: readonly string[], options: CliOptions = {}): Promise<Ended> {
  const child = startCli(words, options);
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.input);
  return ended(child);
}

/** Starts kafka-dissect; its standard input stays open. */
export function startCli(words: readonly string[], options: CliOptions = {}): ChildProcess {
  return spawn(process.execPath, [cliPath, ...words], {
    ...spawnOptions(options.environment),
    stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
  });
}

/** Runs a script of bash's, in the folder `cwd`, in which `kafka_dissect` is the command. */
export async function runScript(script: string, environment: NodeJS.ProcessEnv = {}, cwd = process.cwd()): Promise<Ended> {
  const definition = `kafka_dissect() { '${process.execPath}' '${cliPath}' "$@"; }\n`;
  return ended(spawn('bash', ['-c', definition + script], { ...spawnOptions(environment), cwd, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Waits for the end of a process. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const said = Promise.all([child.stdout ? text(child.stdout) : '', child.stderr ? text(child.stderr) : '']);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const [stdout, stderr] = await said;
  return { code, signal, stdout, stderr };
}

function spawnOptions(environment: NodeJS.ProcessEnv = {}): SpawnOptions {
  const { FORCE_COLOR: _, NO_COLOR: __, CI: ___, ...inherited } = process.env;
  return { env: { ...inherited, ...environment } };
}
