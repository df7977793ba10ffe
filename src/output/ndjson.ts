import type { Decoded } from '../decode/decoded.ts';
import type { Forwarded } from '../decode/forwarded.ts';
import { secretEntries } from '../decode/secrets.ts';
import { type Diagnostic, type DiagnosticSink, diagnosticCodes } from '../diagnostics.ts';
import type { DecodedExchange } from '../kafka/decoded-exchange.ts';
import { captureName } from '../records/capture-name.ts';
import type { DiagnosticRecord, SummaryRecord } from '../records/records.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { forwardedHead, recordHead, recordTail } from './envelope.ts';
import type { RecordOptions } from './exchange-record.ts';
import { JsonBody } from './json-body.ts';
import { safeJson } from './safe-text.ts';

/** Members that a diagnostic's record has where they are known, in order. */
const POSITION_MEMBERS = ['packet', 'fileOffset', 'stream', 'side', 'streamOffset', 'path', 'bytes', 'count'] as const;

/**
 * Appends records as lines of JSON to a buffer. Every line is valid JSON and safe to look at, whatever was on the wire: control and bidi
 * characters are escaped.
 */
export class NdjsonPrinter implements DiagnosticSink {
  readonly #out: ByteBuffer;
  readonly #bodies: JsonBody;
  readonly #captures: readonly string[];
  readonly #showSecrets: boolean;

  constructor(out: ByteBuffer, options: RecordOptions) {
    this.#out = out;
    this.#bodies = new JsonBody(out);
    this.#captures = options.captures;
    this.#showSecrets = options.showSecrets;
  }

  exchange(exchange: DecodedExchange): void {
    const out = this.#out;
    out.utf8(members(recordHead(exchange, this.#captures)));
    out.ascii(',"request":');
    const { request, response, forwarded, leftOut } = exchange;
    this.#body(request, leftOut === null ? null : leftOut.request);
    out.ascii(',"response":');
    this.#body(response, leftOut === null ? null : leftOut.response);
    if (forwarded !== null) this.#forwarded(forwarded);
    const tail = recordTail(exchange);
    if (Object.keys(tail).length > 0) out.utf8(`,${members(tail).slice(1)}`);
    out.ascii('}\n');
  }

  report(diagnostic: Diagnostic): void {
    this.#line(diagnosticRecord(diagnostic, this.#captures));
  }

  summary(summary: SummaryRecord): void {
    this.#line(summary);
  }

  #forwarded(forwarded: Forwarded): void {
    const out = this.#out;
    out.utf8(`,"forwarded":${members(forwardedHead(forwarded))}`);
    out.ascii(',"request":');
    this.#body(forwarded.request, null);
    out.ascii(',"response":');
    this.#body(forwarded.response, null);
    out.ascii('}');
  }

  #body(decoded: Decoded | null, leftOut: ReadonlySet<number> | null): void {
    if (decoded === null) this.#out.ascii('null');
    else this.#bodies.write(decoded, secretEntries(decoded, this.#showSecrets), leftOut);
  }

  #line(record: DiagnosticRecord | SummaryRecord): void {
    this.#out.utf8(`${safeJson(record)}\n`);
  }
}

/** The record of a finding; `captures` are the names of the captures, by index. */
export function diagnosticRecord(diagnostic: Diagnostic, captures: readonly string[]): DiagnosticRecord {
  const { code, message, capture } = diagnostic;
  const record: Record<string, string | number> = { type: 'diagnostic', severity: diagnosticCodes[code].severity, code, message };
  if (capture !== undefined) record['capture'] = captureName(captures, capture);
  for (const member of POSITION_MEMBERS) {
    const value = diagnostic[member];
    if (value !== undefined) record[member] = value;
  }
  return record as unknown as DiagnosticRecord;
}

/** An object's JSON, still open. */
function members(value: object): string {
  return safeJson(value).slice(0, -1);
}
