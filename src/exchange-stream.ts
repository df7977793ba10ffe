import { Filter } from './analysis/filters/filter.ts';
import type { FilterOptions } from './analysis/filters/filter-options.ts';
import { inputName } from './capture/open-source.ts';
import { DiagnosticLog, type DiagnosticPrinter } from './diagnostic-log.ts';
import type { Diagnostic } from './diagnostics.ts';
import { Dissection } from './dissect.ts';
import type { CaptureInput } from './dissection.ts';
import { CaptureError } from './errors.ts';
import { Handoff } from './handoff.ts';
import { MAX_FRAME_BYTES } from './limits.ts';
import { exchangeRecord } from './output/exchange-record.ts';
import { diagnosticRecord } from './output/ndjson.ts';
import { summaryRecord } from './output/summary.ts';
import type { DiagnosticRecord, ExchangeRecord, SummaryRecord } from './records/records.ts';
import { apiKeyNamed } from './schema/api-keys.ts';

/** What {@link dissect} may be told. */
export interface DissectSettings {
  /** APIs by name or key, or all: DescribeConfigs alone where not given. Other APIs' schemas are loaded when they are asked for. */
  readonly apis?: readonly (string | number)[] | 'all';
  /** Which exchanges, in the words of the command line's options. */
  readonly filter?: FilterOptions;
  /** Give sensitive values. SASL tokens are never given. */
  readonly showSecrets?: boolean;
  /** Frames that claim more bytes are given up; 100 MiB where not given, Kafka's own limit. */
  readonly maxFrameBytes?: number;
  /** Called with each finding: what was lost, skipped, cut or suspicious. What it throws ends the reading. */
  readonly onDiagnostic?: (diagnostic: DiagnosticRecord) => void;
  /** Called once, when all was read, with what was read, found and lost. Not called where reading ended early. */
  readonly onSummary?: (summary: SummaryRecord) => void;
}

const quiet: DiagnosticPrinter = { report() {}, suppressed() {} };

/**
 * Reads captures (paths, `-` for standard input, or streams with names) and gives their exchanges as they become complete, each an object
 * of its own, the same that a line of NDJSON holds (but int64 values beyond ±2^53, which are bigints).
 *
 * Reading begins with the first exchange asked for, and waits while nobody asks: at most what one read of about 1 MiB gave is held. Leaving
 * the loop early ends the reading and closes the files.
 *
 * Damage to captures doesn't reject: it goes to `onDiagnostic` and the summary, and what can be read is given. Rejects with a
 * {@link CaptureError} where none of the captures can be read at all, with a `FilterError` where a filter turns out to be impossible, and with what
 * a callback throws. Throws a `FilterError` for a filter that can't be understood, and a `RangeError` for an API that there isn't.
 */
export function dissect(
  captures: CaptureInput | readonly CaptureInput[],
  settings: DissectSettings = {},
): AsyncGenerator<ExchangeRecord, void, void> {
  const inputs = Array.isArray(captures) ? (captures as readonly CaptureInput[]) : [captures as CaptureInput];
  if (inputs.length === 0) throw new RangeError('no captures given');
  const filter = settings.filter === undefined ? null : new Filter(settings.filter);
  return exchanges(inputs, settings, apisOf(settings.apis), filter);
}

async function* exchanges(
  captures: readonly CaptureInput[],
  settings: DissectSettings,
  apis: ReadonlySet<number> | 'all' | null,
  filter: Filter | null,
): AsyncGenerator<ExchangeRecord, void, void> {
  const { showSecrets = false, maxFrameBytes = MAX_FRAME_BYTES, onSummary } = settings;
  const names = captures.map(inputName);
  const handoff = new Handoff<ExchangeRecord>();
  const failures = new Failures(names, settings.onDiagnostic);
  const log = new DiagnosticLog(quiet, failures);
  const options = {
    captures,
    maxFrameBytes,
    onWait: () => handoff.drained(),
    ...(apis === null ? {} : { apis }),
    ...(filter === null ? {} : { filter }),
  };
  const sink = {
    exchange: (exchange: Parameters<typeof exchangeRecord>[0]) => handoff.give(exchangeRecord(exchange, { captures: names, showSecrets })),
  };
  const dissection = new Dissection(options, sink, log);
  const run = dissection.run().finally(() => handoff.end());
  try {
    yield* handoff.items();
    await run;
    const { totals } = dissection;
    failures.throwIfNothingRead(totals.packets);
    onSummary?.(summaryRecord(totals, log.lost));
  } finally {
    dissection.stop();
    handoff.end();
    await run.catch(() => {});
  }
}

/** Remembers which captures couldn't be read. */
class Failures {
  readonly #names: readonly string[];
  readonly #onDiagnostic: DissectSettings['onDiagnostic'];
  readonly #unreadable = new Map<number, string>();

  constructor(names: readonly string[], onDiagnostic: DissectSettings['onDiagnostic']) {
    this.#names = names;
    this.#onDiagnostic = onDiagnostic;
  }

  report(diagnostic: Diagnostic): void {
    if (diagnostic.code === 'capture-unreadable') this.#unreadable.set(diagnostic.capture ?? 0, diagnostic.message);
    this.#onDiagnostic?.(diagnosticRecord(diagnostic, this.#names));
  }

  throwIfNothingRead(packets: number): void {
    const [first] = this.#unreadable;
    if (packets > 0 || first === undefined || this.#unreadable.size < this.#names.length) return;
    throw new CaptureError(this.#names[first[0]] ?? '', first[1]);
  }
}

function apisOf(apis: DissectSettings['apis']): ReadonlySet<number> | 'all' | null {
  if (apis === undefined || apis === 'all') return apis ?? null;
  return new Set(
    apis.map((api) => {
      const key = apiKeyNamed(String(api));
      if (key === null) throw new RangeError(`there is no API ${api} in Kafka`);
      return key;
    }),
  );
}
