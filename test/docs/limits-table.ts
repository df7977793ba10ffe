import { readFileSync } from 'node:fs';
import * as limits from '../../src/limits.ts';

const DECLARATION = /^(?:\/\*\* (?<about>.+) \*\/\n)?export const (?<name>[A-Z_]+) =/gm;
const MARKED = /(?<=^<!-- limits: from src\/limits\.ts, by npm run golden -->\n)(.*?)(?=^<!-- end of limits -->$)/ms;

/** The constants of src/limits.ts as a Markdown table, with what their comments say. */
export function limitsTable(): string {
  const source = readFileSync('src/limits.ts', 'utf8');
  const rows = [...source.matchAll(DECLARATION)].map(({ groups = {} }) => {
    const { name = '', about = '' } = groups;
    const value = Object.entries(limits).find(([limit]) => limit === name)?.[1];
    if (value === undefined) throw new Error(`src/limits.ts doesn't export ${name}`);
    return `| \`${name}\` | ${inUnits(name, value)} | ${about.replaceAll(/\{@link (\w+)\}/g, '`$1`')} |`;
  });
  if (rows.length !== Object.keys(limits).length) throw new Error('a constant of src/limits.ts is declared in another way than the others');
  return ['', '| limit | value | what happens there |', '| --- | --- | --- |', ...rows, '', ''].join('\n');
}

/** A document with the table in its place put right. */
export function withLimitsTable(document: string): string {
  if (!MARKED.test(document)) throw new Error('the document has no place for the limits');
  return document.replace(MARKED, () => limitsTable());
}

function inUnits(name: string, value: number): string {
  if (name.includes('NANOS')) return `${value / 1e9} s`;
  if (name.includes('BYTES')) {
    if (value % 2 ** 20 === 0) return `${value / 2 ** 20} MiB`;
    if (value % 2 ** 10 === 0) return `${value / 2 ** 10} KiB`;
  }
  return value.toLocaleString('en-US');
}
