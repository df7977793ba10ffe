import { defineCommand } from '../command.ts';
import { answerOptions, captureOptions } from '../options.ts';

export const diffCommand = defineCommand({
  command: 'diff',
  describe: 'Say which configs differ between two captures, times, brokers or servers',
  builder: (yargs) => yargs.options(captureOptions).options(answerOptions),
  async run() {
    return 0;
  },
});
