import { apiNames } from '../src/schema/api-keys.ts';
import type { CommandFacts, OptionFacts } from './command-facts.ts';

/** What a shell offers for the value of an option or operand: these words, or files. */
const FILES = null;
const apis = [...apiNames.values()];

function valuesOf({ name, choices }: OptionFacts): readonly string[] | typeof FILES {
  if (name === 'api') return ['all', ...apis];
  return choices?.map(String) ?? FILES;
}

function operandsOf({ name, operand }: CommandFacts): readonly string[] | typeof FILES {
  return name === 'explain' && operand !== null ? apis : FILES;
}

function flagsOf({ name, alias }: OptionFacts): string[] {
  return [...[alias ?? []].flat().map((short) => `-${short}`), `--${name}`];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const header = (shell: string) => `# ${shell} completion for kafka-dissect. Written by npm run golden.\n`;

/** The script for bash. */
export function bashCompletion(commands: readonly CommandFacts[]): string {
  const named = commands.filter(({ name }) => name !== '');
  const cases = commands.flatMap((command) => [
    ...command.options.flatMap((option) => {
      const values = valuesOf(option);
      if (!option.valued) return [];
      const patterns = flagsOf(option).map((flag) => `${command.name}:${flag}`);
      return [`    ${patterns.join(' | ')}) ${values === FILES ? 'files=yes' : `words=${quoted(values.join(' '))}`} ;;`];
    }),
    `    ${command.name}:*)`,
    `      if [[ $current == -* ]]; then words=${quoted(command.options.flatMap(flagsOf).join(' '))}`,
    ...(command.name === ''
      ? [`      else words=${quoted(named.map(({ name }) => name).join(' '))} files=yes`]
      : [`      else ${operandsOf(command) === FILES ? '' : `words=${quoted(operandsOf(command)?.join(' ') ?? '')} `}files=yes`]),
    '      fi',
    '      ;;',
  ]);
  return `${header('bash')}
_kafka_dissect() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' words='' files='' word
  if [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [[ $current == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD - 1]} current=''; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
    ${named.map(({ name }) => name).join(' | ')})
      command=$word
      break
      ;;
    esac
  done
  case $command:$previous in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$current"
    [[ -z $files ]] || compgen -f -- "$current"
  )
}
complete -o filenames -F _kafka_dissect kafka-dissect
`;
}

/** The script for zsh. */
export function zshCompletion(commands: readonly CommandFacts[]): string {
  const escaped = (text: string) => text.replaceAll(/[[\]\\:]/g, '\\$&');
  const value = (values: readonly string[] | typeof FILES) => (values === FILES ? '_files' : `(${values.join(' ')})`);
  const option = (facts: OptionFacts) => {
    const flags = flagsOf(facts);
    const about = `[${escaped(facts.describe ?? '')}]${facts.valued ? `:${facts.name}:${value(valuesOf(facts))}` : ''}`;
    return flags.map((flag) => quoted(`(${flags.join(' ')})${flag}${facts.valued && flag.startsWith('--') ? '=' : ''}${about}`)).join(' ');
  };
  const named = commands.filter(({ name }) => name !== '');
  const branch = (command: CommandFacts) => {
    const operands =
      command.name === ''
        ? ["'1: :_kafka_dissect_first'", "'*:capture:_files'"]
        : ["'1: :'", `'2:${command.operand ?? 'capture'}:${value(operandsOf(command))}'`, "'*:capture:_files'"];
    return [
      `    ${command.name || '*'})`,
      `      _arguments -S ${[...command.options.map(option), ...operands].join(' \\\n        ')}`,
      '      ;;',
    ];
  };
  return `#compdef kafka-dissect
${header('zsh')}
_kafka_dissect_first() {
  local -a commands=(${named.map(({ name, describe }) => quoted(`${name}:${escaped(describe)}`)).join('\n    ')})
  _describe -t commands command commands
  _files
}

_kafka_dissect() {
  case \${words[(r)(${named.map(({ name }) => name).join('|')})]} in
${[...named, ...commands.filter(({ name }) => name === '')].flatMap(branch).join('\n')}
  esac
}

_kafka_dissect "$@"
`;
}

/** The script for fish. */
export function fishCompletion(commands: readonly CommandFacts[]): string {
  const named = commands.filter(({ name }) => name !== '');
  const none = `not __fish_seen_subcommand_from ${named.map(({ name }) => name).join(' ')}`;
  const fishQuoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  const condition = ({ name }: CommandFacts) => `-n ${fishQuoted(name === '' ? none : `__fish_seen_subcommand_from ${name}`)}`;
  const lines = commands.flatMap((command) => [
    ...(command.name === '' ? [] : [`-n ${fishQuoted(none)} -a ${command.name} -d ${fishQuoted(command.describe)}`]),
    ...command.options.map((option) => {
      const shorts = [option.alias ?? []].flat().map((short) => `-s ${short} `);
      const values = valuesOf(option);
      const value = !option.valued ? '' : values === FILES ? '-r ' : `-x -a ${fishQuoted(values.join(' '))} `;
      return `${condition(command)} ${shorts.join('')}-l ${option.name} ${value}-d ${fishQuoted(option.describe ?? '')}`;
    }),
    ...(operandsOf(command) === FILES ? [] : [`${condition(command)} -x -a ${fishQuoted(operandsOf(command)?.join(' ') ?? '')}`]),
  ]);
  return `${header('fish')}\n${lines.map((line) => `complete -c kafka-dissect ${line}`).join('\n')}\n`;
}
