// Compares what `npm pack` would pack with what it should: the files listed beside this script, and of each source file its JavaScript
// and its types. Prints the differences; ends with 1 if there are any.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const listed = readFileSync(new URL('package-files.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const sources = readdirSync('src', { recursive: true }).filter((path) => /(?<!\.d)\.ts$/.test(path));
const compiled = sources.flatMap((path) => ['js', 'd.ts'].map((extension) => `dist/src/${path.replace(/ts$/, extension)}`));
const expected = new Set([...listed, ...compiled]);

const report = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }));
const [{ files, size, unpackedSize }] = Array.isArray(report) ? report : Object.values(report);
const packed = new Set(files.map(({ path }) => path));

const differences = [
  ...[...expected].filter((path) => !packed.has(path)).map((path) => `missing: ${path}`),
  ...[...packed].filter((path) => !expected.has(path)).map((path) => `not expected: ${path}`),
];
for (const difference of differences) console.log(difference);
console.log(`${packed.size} files, ${Math.round(size / 1024)} KiB packed, ${Math.round(unpackedSize / 1024)} KiB unpacked`);
process.exitCode = differences.length > 0 ? 1 : 0;
