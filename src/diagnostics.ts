/** How much a diagnostic matters: `error` costs exit code 1, `warning` means something was lost or is suspicious, `info` is a hint. */
export type Severity = 'error' | 'warning' | 'info';

interface CodeFacts {
  readonly severity: Severity;
  /** Something was skipped, cut or missing: it is tallied in the summary's `lost` and fails `--strict`. */
  readonly lost: boolean;
}

const lostError: CodeFacts = { severity: 'error', lost: true };
const lostWarning: CodeFacts = { severity: 'warning', lost: true };
const warning: CodeFacts = { severity: 'warning', lost: false };
const info: CodeFacts = { severity: 'info', lost: false };

/** The closed list of diagnostic codes. */
export const diagnosticCodes = {
  /** A capture can't be opened or isn't one. */
  'capture-unreadable': lostError,
  /** The capture ends inside a record, block, header or compressed stream. */
  'capture-truncated': lostError,
  /** A record or block whose lengths can't be right; `bytes` were skipped to the next plausible one. */
  'capture-corrupt': lostError,
  /** Packets that the capturing program or the kernel says it had to drop. */
  'packets-dropped': lostWarning,
  /** A pcapng packet of an interface that no block describes. */
  'interface-unknown': lostWarning,
  /** A captured length or time in a record that can't be right, but could be read all the same. */
  'record-suspicious': warning,
  /** Packets of a link type that isn't supported. */
  'link-type-unsupported': lostWarning,
  /** A packet whose link, IP or TCP header is cut or contradicts itself. */
  'packet-malformed': lostWarning,
  /** An IP datagram whose fragments never became complete, or were too many to keep. */
  'fragments-incomplete': lostWarning,
  /** Stream bytes that were never captured. */
  'tcp-gap': lostWarning,
  /** Stream bytes cut away by the capture's snapshot length. */
  'tcp-snaplen': lostWarning,
  /** Two copies of the same stream bytes differ. */
  'tcp-conflict': warning,
  /** A segment with a wrong checksum where the direction's others are right. */
  'tcp-checksum': warning,
  /** Out-of-order data dropped because a buffer was full, or a copy that came after its gap was given up. */
  'tcp-dropped': lostWarning,
  /** A connection given up because there were too many. */
  'connection-evicted': lostWarning,
  /** A connection that doesn't speak Kafka in plain text. */
  'not-kafka': warning,
  /** A frame size no broker or client would send. */
  'frame-size-invalid': lostWarning,
  /** A frame that never ended. */
  'frame-incomplete': lostWarning,
  /** Bytes passed over to find the next frame after a loss or a beginning in mid-connection. */
  'frames-skipped': lostWarning,
  /** A frame from a client that is no Kafka request. */
  'request-header-malformed': lostWarning,
  /** A response whose request isn't in the capture. */
  'response-without-request': lostWarning,
  /** Responses that came in another order than their requests. */
  'responses-reordered': warning,
  /** A response recorded before its request. */
  'response-before-request': info,
  /** Pending requests or early responses dropped because there were too many. */
  'pending-dropped': lostWarning,
  /** A body that doesn't decode. */
  'body-malformed': lostWarning,
  /** Bytes after the end of a body. */
  'trailing-bytes': warning,
  /** A version of a message that has no schema. */
  'version-unsupported': warning,
  /** The broker refused the version of an ApiVersions request and answered in version 0 (KIP-511). */
  'api-versions-fallback': info,
  /** More than `summary`, `timeline` or `diff` keep: the rest isn't in their rows. */
  'answer-limited': lostWarning,
  /** A secret crossed the wire in plain text. */
  'sensitive-value-exposed': warning,
} as const satisfies Record<string, CodeFacts>;

/** What a diagnostic is about. */
export type DiagnosticCode = keyof typeof diagnosticCodes;

/** Which half of a connection a diagnostic is about. */
export type Side = 'client' | 'server';

/** One finding, as stages report it. Texts may hold bytes from the wire: whoever prints them escapes them. */
export interface Diagnostic {
  code: DiagnosticCode;
  /** What happened, without position: that stands in the members below. */
  message: string;
  /** Index of the capture, from 0. */
  capture?: number;
  packet?: number;
  fileOffset?: number;
  stream?: number;
  /** The connection as text, where a stream is named: `sender → receiver` of the bytes concerned, `client → server` where no side is. */
  connection?: string;
  side?: Side;
  streamOffset?: number;
  path?: string;
  /** Bytes lost or concerned. */
  bytes?: number;
  /** How many things this stands for, 1 where absent. */
  count?: number;
}

/** Takes findings from the stages. */
export interface DiagnosticSink {
  report(diagnostic: Diagnostic): void;
}
