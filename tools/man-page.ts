import type { CommandFacts, OptionFacts } from './command-facts.ts';

/**
 * The manual page in man(7) macros, from what the commands declare and from the help's text: its examples, what a capture is, and the exit
 * codes.
 */
export function manPage(commands: readonly CommandFacts[], help: string, version: string): string {
  const [main] = commands;
  const named = commands.filter(({ name }) => name !== '');
  if (main === undefined || main.name !== '') throw new Error('no command without a name');
  const known = new Set(main.options.map(optionLine));
  const own = (command: CommandFacts) => command.options.filter((option) => !known.has(optionLine(option)));
  return `${[
    `.TH KAFKA-DISSECT 1 "" "kafka-dissect ${version}" "User Commands"`,
    '.SH NAME',
    'kafka-dissect \\- decode the Kafka DescribeConfigs exchanges in packet captures',
    '.SH SYNOPSIS',
    ...synopsis('', '[\\fIoptions\\fR] \\fICAPTURE\\fR..'),
    ...named.flatMap((command) => synopsis(command.name, operands(command))),
    '.SH DESCRIPTION',
    'Reads packet captures, puts their TCP connections in order, finds Kafka in them, and prints the DescribeConfigs requests and responses,',
    'paired and decoded: as trees on a terminal, as NDJSON (one JSON object a line) elsewhere.',
    'Diagnostics and a closing summary, with all that was lost, go to standard error.',
    '.PP',
    escaped(paragraph(help, 'CAPTURE is')),
    '.SH COMMANDS',
    ...named.flatMap(({ name, describe }) => ['.TP', `\\fB${escaped(name)}\\fR`, `${escaped(describe)}.`]),
    '.SH OPTIONS',
    ...main.options.flatMap(optionItem),
    ...named.flatMap((command) => {
      const options = own(command);
      return options.length === 0 ? [] : [`.SS Of ${escaped(command.name)}`, ...options.flatMap(optionItem)];
    }),
    '.SH EXIT STATUS',
    escaped(paragraph(help, 'Exit codes: ').replace('Exit codes: ', '')),
    '.SH ENVIRONMENT',
    '.TP',
    '.BR NO_COLOR ", " FORCE_COLOR',
    'Without colour, or with it, where neither \\fB\\-\\-color\\fR nor \\fB\\-\\-no\\-color\\fR is given.',
    '.SH EXAMPLES',
    ...examples(help).flatMap(([command, about]) => ['.TP', `\\fB${escaped(command)}\\fR`, escaped(about)]),
    '.SH SEE ALSO',
    '.BR tcpdump (1),',
    '.BR tshark (1),',
    '.BR jq (1)',
  ].join('\n')}\n`;
}

function synopsis(name: string, rest: string): string[] {
  return ['.PP', '.nf', `\\fBkafka\\-dissect\\fR ${name === '' ? '' : `\\fB${escaped(name)}\\fR `}${rest}`, '.fi'];
}

function operands({ operand, options }: CommandFacts): string {
  const reads = options.some(({ name }) => name === 'interface');
  return [operand === null ? '' : `\\fI${operand}\\fR `, '[\\fIoptions\\fR]', reads ? ' \\fICAPTURE\\fR..' : ''].join('');
}

function optionLine({ name, alias, choices }: OptionFacts): string {
  return JSON.stringify([name, alias, choices]);
}

function optionItem({ name, alias, describe, choices, valued, default: preset }: OptionFacts): string[] {
  const shorts = [alias ?? []].flat().map((short) => `\\fB\\-${short}\\fR, `);
  const value = choices?.map((choice) => `\\fB${choice}\\fR`).join('|') ?? `\\fI${name.replaceAll('-', '_').toUpperCase()}\\fR`;
  const about = `${escaped(describe ?? '')}${preset === undefined ? '' : ` (${escaped(String(preset))} where not given)`}`;
  return ['.TP', `${shorts.join('')}\\fB\\-\\-${escaped(name)}\\fR${valued ? ` ${value}` : ''}`, about];
}

/** Text as roff takes it for text: no escapes, no requests, and hyphens that can be copied as such. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');
}

function paragraph(help: string, beginning: string): string {
  const found = help.split('\n\n').find((text) => text.startsWith(beginning));
  if (found === undefined) throw new Error(`the help has no paragraph that begins with ${beginning}`);
  return found.trim();
}

function examples(help: string): [string, string][] {
  const lines = paragraph(help, 'Examples:').split('\n').slice(1);
  return lines.map((line) => {
    const [command = '', about = ''] = line.trim().split(/ {2,}/);
    return [command, about];
  });
}
