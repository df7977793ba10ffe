/** A command and what it prints, as a document shows them. */
export interface Example {
  readonly command: string;
  /** What is shown: `…` alone on a line stands for any number of lines, at the end of a line for its rest. */
  readonly shown: readonly string[];
}

const BLOCK = /^```console\n(.*?)^```$/gms;
const ELISION = '…';

/** The examples in the `console` blocks of a Markdown text: `$ command`, `> more of it`, and the output. */
export function examplesOf(markdown: string): Example[] {
  return [...markdown.matchAll(BLOCK)].flatMap(([, block = '']) => {
    const examples: { command: string; shown: string[] }[] = [];
    for (const line of block.trimEnd().split('\n')) {
      const last = examples.at(-1);
      if (line.startsWith('$ ')) examples.push({ command: line.slice(2), shown: [] });
      else if (last === undefined) throw new Error(`a console block begins with output: ${line}`);
      else if (line.startsWith('> ') && last.shown.length === 0) last.command += `\n${line.slice(2)}`;
      else last.shown.push(line);
    }
    return examples;
  });
}

/** Whether the output is what an example shows. */
export function shows(shown: readonly string[], output: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return output.length === 0;
  if (first !== ELISION) return matches(first, output[0]) && shows(rest, output.slice(1));
  if (rest.length === 0) return true;
  return output.some((_, index) => shows(rest, output.slice(index)));
}

function matches(shown: string, line: string | undefined): boolean {
  if (line === undefined) return false;
  return shown.endsWith(ELISION) ? line.startsWith(shown.slice(0, -ELISION.length)) : line === shown;
}
