import { setFlagsFromString } from 'node:v8';
import { writeAll } from '../output/write-all.ts';
import { ExitCode } from './exit-code.ts';
import { plainArguments } from './plain-words.ts';
import { packageVersion } from './version.ts';

const STDOUT = 1;

// What is made for a packet or an exchange is soon garbage: a young generation of its first size serves it as well, and from Node 24 on it would
// grow to 128 MiB. Before, the most is 16 MiB, and to keep it small costs one part in twenty of the time.
if (Number.parseInt(process.versions.node, 10) >= 24) setFlagsFromString('--semi-space-growth-factor=1');

process.on('uncaughtException', (error) => void fail(error).then((code) => process.exit(code)));
process.exit(await run(process.argv.slice(2)).catch(fail));

/** Everything is loaded when it is used: saying the version needs none of it. */
async function run(words: readonly string[]): Promise<ExitCode> {
  if (words.length === 1 && words[0] === '--version') {
    const line = Buffer.from(`${packageVersion()}\n`);
    writeAll(STDOUT, line, 0, line.length);
    return ExitCode.ok;
  }
  const plain = plainArguments(words);
  if (plain !== null) {
    const { dissect } = await import('./commands/dissect.ts');
    return dissect(plain);
  }
  const { runProgram } = await import('./program.ts');
  return runProgram(words);
}

async function fail(error: unknown): Promise<ExitCode> {
  const { reportFailure } = await import('./failure.ts');
  return reportFailure(error, null);
}
