import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program and its arguments. What it prints is thrown away. */
export type Command = readonly [program: string, ...words: string[]];

/** What runs of a command took, in the middle: the medians. */
export interface Cost {
  readonly wallSeconds: number;
  /** In user and system mode. */
  readonly cpuSeconds: number;
  /** The largest of all runs. */
  readonly peakMegabytes: number;
}

/** Runs commands in turn, A B A B…, so that a machine whose speed drifts does so for all; one round more than asked for warms up. */
export async function measure<Name extends string>(commands: Readonly<Record<Name, Command>>, runs: number): Promise<Record<Name, Cost>> {
  const names = Object.keys(commands) as Name[];
  const costs = new Map<Name, Cost[]>(names.map((name) => [name, []]));
  for (let round = -1; round < runs; round++) {
    for (const name of names) {
      const cost = await runOnce(commands[name]);
      if (round >= 0) costs.get(name)?.push(cost);
    }
  }
  return Object.fromEntries(names.map((name) => [name, middle(costs.get(name) ?? [])])) as Record<Name, Cost>;
}

/** The middle one, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return ((sorted[half] ?? Number.NaN) + (sorted[sorted.length - 1 - half] ?? Number.NaN)) / 2;
}

function middle(costs: readonly Cost[]): Cost {
  return {
    wallSeconds: median(costs.map((cost) => cost.wallSeconds)),
    cpuSeconds: median(costs.map((cost) => cost.cpuSeconds)),
    peakMegabytes: Math.max(...costs.map((cost) => cost.peakMegabytes)),
  };
}

/** Runs under GNU time, which asks the system what the child itself took (getrusage). */
async function runOnce(command: Command): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'kafka-dissect-time-'));
  const report = join(folder, 'report');
  const nowhere = openSync('/dev/null', 'w');
  try {
    const begun = process.hrtime.bigint();
    const child = spawn('/usr/bin/time', ['-f', '%U %S %M', '-o', report, ...command], { stdio: ['ignore', nowhere, nowhere] });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const wallSeconds = Number(process.hrtime.bigint() - begun) / 1e9;
    if (code !== 0) throw new Error(`${command.join(' ')} failed with exit code ${code}`);
    const [user = 0, system = 0, peak = 0] = readFileSync(report, 'utf8').trim().split(' ').map(Number);
    return { wallSeconds, cpuSeconds: user + system, peakMegabytes: peak / 1000 };
  } finally {
    closeSync(nowhere);
    rmSync(folder, { recursive: true });
  }
}
