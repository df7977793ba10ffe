import { StdoutWriter } from '../../output/stdout-writer.ts';
import { defineCommand } from '../command.ts';
import { completionScripts, type Shell, shells } from '../completion-scripts.ts';
import { ExitCode } from '../exit-code.ts';

const HELP = `Prints what makes a shell complete commands, options, formats and the names of APIs.

Examples:
  source <(kafka-dissect completion bash)                                            in ~/.bashrc
  source <(kafka-dissect completion zsh)                                             in ~/.zshrc
  kafka-dissect completion fish > ~/.config/fish/completions/kafka-dissect.fish`;

/** Prints a shell's completion script. */
export const completionCommand = defineCommand({
  command: 'completion <shell>',
  describe: 'Print the completion script of bash, zsh or fish',
  builder: (yargs) => yargs.usage(HELP).positional('shell', { choices: shells, demandOption: true, describe: 'Whose script' }),
  async run(parsed) {
    const writer = new StdoutWriter();
    writer.buffer.utf8(completionScripts[parsed.shell as Shell]);
    writer.flush();
    return ExitCode.ok;
  },
});
