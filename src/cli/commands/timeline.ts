import { showTimeline } from '../../output/timeline-tables.ts';
import { answerOutput, RowPrinter } from '../answers.ts';
import { defineCommand } from '../command.ts';
import { filterOf, filterOptions } from '../filter-options.ts';
import { answerOptions, captureOptions } from '../options.ts';
import { redactOptions, redactorOf } from '../redact-option.ts';
import { runDissection } from '../run.ts';
import { runSettings } from '../run-settings.ts';

const ABOUT =
  'Follows the values of configs through captures, and says which requests changed them. Without --resource, --key and --non-default it shows ' +
  'the configs that changed.';

/** Follows the values of configs, and says who changed them. */
export const timelineCommand = defineCommand({
  command: 'timeline',
  describe: 'Follow the values of configs, and say who changed them, and when',
  builder: (yargs) =>
    yargs
      .usage(ABOUT)
      .example('$0 timeline capture.pcap', 'every change that was seen')
      .example('$0 timeline --resource topic:orders --key retention.ms capture.pcap', 'who changed it, and when')
      .example(`$0 timeline -f ndjson capture.pcap | jq 'select(.type == "change") | .by'`, 'the requests behind the changes')
      .options(captureOptions)
      .options(filterOptions)
      .options(answerOptions)
      .options(redactOptions),
  async run(parsed) {
    const { nonDefault = false, ...filters } = parsed;
    const filter = await filterOf(filters, parsed.local);
    const settings = await runSettings(parsed, parsed._.slice(1));
    const { Timeline } = await import('../../analysis/timeline.ts');
    const timeline = new Timeline({
      captures: settings.captures,
      filter,
      onlyChanges: parsed.resource === undefined && parsed.key === undefined && !nonDefault,
      onlySet: nonDefault,
      showSecrets: parsed.showSecrets ?? false,
    });
    const redactor = await redactorOf(parsed);
    const printer = await RowPrinter.create(parsed, showTimeline, redactor);
    return runDissection(
      { ...settings, filter, redactor },
      answerOutput(
        {
          exchanges: { exchange: (exchange) => timeline.described(exchange) },
          observer: timeline,
          report: (diagnostics) => timeline.report(diagnostics),
          rows: () => timeline.rows(),
        },
        printer,
      ),
    );
  },
});
