import type { SidePicture } from '../../analysis/diff.ts';
import type { DiffSide } from '../../analysis/diff-side.ts';
import type { Comparison } from '../../analysis/differences.ts';
import type { Filter } from '../../analysis/filters/filter.ts';
import type { Room } from '../../analysis/room.ts';
import { showDiff } from '../../output/diff-tables.ts';
import { counted } from '../../output/words.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { RowPrinter } from '../answers.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exit-code.ts';
import { filterOf, filterOptions } from '../filter-options.ts';
import { answerOptions, captureOptions } from '../options.ts';
import { redactOptions, redactorOf } from '../redact-option.ts';
import { runDissection } from '../run.ts';
import { type CaptureArguments, runSettings } from '../run-settings.ts';
import { writeStderr } from '../stderr.ts';
import { UsageError } from '../usage-error.ts';

const ABOUT =
  "Says which configs differ, in value or source, between two captures, times, brokers or servers. Each side's last value counts; of servers and " +
  'captures, the resources that both told of are compared.';
const SIDES = '@TIME, broker:ID, server:ADDRESS:PORT or a capture';

/** Says which configs differ between two captures, times, brokers or servers. */
export const diffCommand = defineCommand({
  command: 'diff',
  describe: 'Say which configs differ between two captures, times, brokers or servers',
  builder: (yargs) =>
    yargs
      .usage(ABOUT)
      .example('$0 diff before.pcap after.pcap', 'two captures')
      .example('$0 diff --left @2026-11-29T18:14:00Z --right @2026-11-29T18:17:00Z capture.pcap', 'two times')
      .example('$0 diff --left broker:1 --right broker:2 capture.pcap', 'two brokers')
      .example('$0 diff --left server:10.0.0.1:9092 --right server:10.0.0.2:9092 capture.pcap', 'what two servers answered')
      .options(captureOptions)
      .options({
        left: { type: 'string', requiresArg: true, describe: `One side: ${SIDES}` },
        right: { type: 'string', requiresArg: true, describe: 'The other side, of the same kind' },
      })
      .options(filterOptions)
      .options(answerOptions)
      .options(redactOptions),
  async run(parsed) {
    const { nonDefault = false, resource, key, ...filters } = parsed;
    const [filter, choice] = [await filterOf(filters, parsed.local), await filterOf({ resource, key })];
    const words = parsed._.slice(1).map(String);
    const { left, right, captures } = await sidesOf(parsed, words);
    const redactor = await redactorOf(parsed);
    const printer = await RowPrinter.create(parsed, showDiff, redactor);
    const runs = captures === null ? [[left], [right]] : [[left, right]];
    const room = new (await import('../../analysis/room.ts')).Room();
    const taken: Taken = { pictures: [], room, firstTime: null };
    let exitCode: ExitCode = ExitCode.ok;
    for (const sides of runs) {
      const code = await takePictures(
        sides,
        captures ?? sides.map(({ text }) => text),
        parsed,
        { filter, choice, redactor },
        printer,
        taken,
      );
      if (exitCode === ExitCode.ok) exitCode = code;
      if (code !== ExitCode.ok && code !== ExitCode.unreadable && code !== ExitCode.lossy) return code;
    }
    const [one, two] = taken.pictures as [SidePicture, SidePicture];
    for (const { side, snapshot } of [one, two]) {
      if (snapshot.resources.size > 0) continue;
      // A capture that can't be read was reported already.
      if (exitCode !== ExitCode.ok) return exitCode;
      throw new UsageError(`nothing can be compared with ${side.text}: no answer about it that was asked for is in the capture`);
    }
    const { compare } = await import('../../analysis/differences.ts');
    const comparison = compare(one, two, { showSecrets: parsed.showSecrets ?? false, onlySet: nonDefault });
    printer.print(comparison.rows, taken.firstTime);
    printer.writer.flush();
    if (!parsed.quiet) writeStderr(`kafka-dissect: ${comparisonText(comparison)}\n`);
    return exitCode;
  },
});

/** What says which sides there are, as yargs parses it. */
interface SideArguments {
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly local: boolean | undefined;
}

/** The two sides, and the captures that hold both; null for those where each side is a capture. */
async function sidesOf(
  { left: leftText, right: rightText, local = false }: SideArguments,
  words: readonly string[],
): Promise<{ left: DiffSide; right: DiffSide; captures: readonly string[] | null }> {
  const { parseSide } = await import('../../analysis/diff-side.ts');
  if (leftText === undefined || rightText === undefined) {
    if (leftText !== rightText) throw new UsageError(`--left and --right are given together: each is ${SIDES}`);
    const [first, second, ...others] = words;
    if (first === undefined || second === undefined || others.length > 0) {
      throw new UsageError(`diff takes two captures, or --left and --right, each ${SIDES}`);
    }
    return {
      left: { kind: 'capture', text: first, capture: first },
      right: { kind: 'capture', text: second, capture: second },
      captures: null,
    };
  }
  const left = parseSide('--left', leftText, local);
  const right = parseSide('--right', rightText, local);
  if (left.kind !== right.kind) throw new UsageError(`--left is a ${left.kind}, but --right is a ${right.kind}: they must be of one kind`);
  if (left.kind !== 'capture') return { left, right, captures: words };
  if (words.length > 0) throw new UsageError(`--left and --right name the captures to compare: leave out ${words.join(' ')}`);
  return { left, right, captures: null };
}

/** What was compared and what could not be, in words. */
function comparisonText({ rows, compared, onlyLeft, onlyRight, neverAsked }: Comparison): string {
  const parts = [`${rows.length} of ${counted(compared, 'config')} differ${rows.length === 1 ? 's' : ''}`];
  if (onlyLeft > 0) parts.push(`${counted(onlyLeft, 'resource')} on the left alone`);
  if (onlyRight > 0) parts.push(`${counted(onlyRight, 'resource')} on the right alone`);
  if (neverAsked > 0) parts.push(`${counted(neverAsked, 'config')} that one side was never asked for`);
  return parts.join(', ');
}

/** What was seen in the captures so far. */
interface Taken {
  readonly pictures: SidePicture[];
  /** For both sides. */
  readonly room: Room;
  /** Of the first packet. */
  firstTime: string | null;
}

/** Reads captures and adds the pictures of these sides. */
async function takePictures(
  sides: readonly DiffSide[],
  captures: readonly string[],
  parsed: CaptureArguments,
  { filter, choice, redactor }: { readonly filter: Filter | null; readonly choice: Filter | null; readonly redactor: Redactor | null },
  printer: { readonly writer: RowPrinter<object>['writer'] },
  taken: Taken,
): Promise<ExitCode> {
  const settings = await runSettings(parsed, captures);
  const { DiffObserver } = await import('../../analysis/diff.ts');
  const observer = new DiffObserver(sides, choice, taken.room);
  taken.pictures.push(...observer.pictures);
  return runDissection(
    { ...settings, filter, redactor },
    {
      writer: printer.writer,
      diagnostics: null,
      observer,
      exchange: (exchange) => observer.described(exchange),
      report: (diagnostics) => observer.report(diagnostics),
      end({ firstTime }) {
        taken.firstTime ??= firstTime;
      },
    },
  );
}
