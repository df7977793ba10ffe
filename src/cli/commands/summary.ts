import { showSummary } from '../../output/summary-tables.ts';
import { answerOutput, RowPrinter } from '../answers.ts';
import { defineCommand } from '../command.ts';
import { filterOf, filterOptions } from '../filter-options.ts';
import { answerOptions, captureOptions } from '../options.ts';
import { redactOptions, redactorOf } from '../redact-option.ts';
import { runDissection } from '../run.ts';
import { runSettings } from '../run-settings.ts';

const ABOUT =
  'Says what is in captures, and who did what: connections, APIs, clients of DescribeConfigs (storms among them), refusals with the ACL that is ' +
  "missing, altered configs, created topics, version problems, what isn't Kafka, secrets in plain text, and what was lost.";

/** Says what is in captures, and who did what. */
export const summaryCommand = defineCommand({
  command: 'summary',
  describe: 'Say what is in captures, and who did what',
  builder: (yargs) =>
    yargs
      .usage(ABOUT)
      .example('$0 summary capture.pcap', 'all of it, as tables')
      .example('$0 summary --client-id kafka-ui capture.pcap', 'what one client did')
      .example(`$0 summary -f ndjson capture.pcap | jq 'select(.type == "client" and .storm)'`, 'who storms the brokers')
      .options(captureOptions)
      .options(filterOptions)
      .options(answerOptions)
      .options(redactOptions),
  async run(parsed) {
    const filter = await filterOf(parsed, parsed.local);
    const settings = await runSettings(parsed, parsed._.slice(1));
    const { Summary } = await import('../../analysis/summary.ts');
    const summary = new Summary({ captures: settings.captures, filter, showSecrets: parsed.showSecrets ?? false });
    const redactor = await redactorOf(parsed);
    const printer = await RowPrinter.create(parsed, showSummary, redactor);
    return runDissection(
      { ...settings, filter, redactor },
      answerOutput(
        {
          exchanges: { exchange() {} },
          observer: summary,
          report: (diagnostics) => summary.report(diagnostics),
          rows: (record) => summary.rows(record),
        },
        printer,
      ),
    );
  },
});
