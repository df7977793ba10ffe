import { copyPosition, type PacketPosition } from '../capture/packet.ts';
import type { DiagnosticCode } from '../diagnostics.ts';
import type { Direction } from '../tcp/stream-sink.ts';

/** A finding about one direction of a connection. */
export interface StreamFinding {
  readonly direction: Direction;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly streamOffset: number;
  readonly bytes: number;
  readonly count: number;
  readonly position: PacketPosition;
}

/** Findings kept; further ones are counted with the last of their code. */
const KEPT = 16;

/** Findings of a connection that isn't known to be Kafka yet: of others nobody wants to hear them. */
export class EarlyFindings {
  readonly #findings: StreamFinding[] = [];

  add(finding: StreamFinding): void {
    const { position, code, bytes } = finding;
    const at =
      this.#findings.length < KEPT
        ? -1
        : this.#findings.findLastIndex((each) => each.code === code && each.direction === finding.direction);
    const last = this.#findings[at];
    if (last === undefined) this.#findings.push({ ...finding, position: copyPosition(position) });
    else {
      const all = last.bytes + bytes;
      this.#findings[at] = { ...last, bytes: all, count: last.count + 1, message: `${last.count + 1} findings, ${all} bytes in all` };
    }
  }

  /** Takes them out. */
  take(): StreamFinding[] {
    return this.#findings.splice(0);
  }
}
