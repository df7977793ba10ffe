import type { Packet } from '../capture/packet.ts';
import type { DiagnosticSink } from '../diagnostics.ts';

/** Packets of one link type in one capture, after the first. */
interface Skipped {
  readonly capture: number;
  readonly linkType: number;
  packets: number;
  bytes: number;
}

/** Names each link type that isn't supported at its first packet, and counts the packets after it. */
export class UnsupportedLinkTypes {
  readonly #diagnostics: DiagnosticSink;
  readonly #skipped = new Map<string, Skipped>();

  constructor(diagnostics: DiagnosticSink) {
    this.#diagnostics = diagnostics;
  }

  count(packet: Packet): void {
    const { capture, linkType } = packet;
    const bytes = packet.end - packet.start;
    const skipped = this.#skipped.get(`${capture} ${linkType}`);
    if (skipped !== undefined) {
      skipped.packets++;
      skipped.bytes += bytes;
      return;
    }
    this.#skipped.set(`${capture} ${linkType}`, { capture, linkType, packets: 0, bytes: 0 });
    this.#diagnostics.report({
      code: 'link-type-unsupported',
      message: `link type ${linkType} is not supported, its packets are skipped`,
      capture,
      packet: packet.number,
      fileOffset: packet.fileOffset,
      bytes,
    });
  }

  /** Reports how many packets came after those that were named. */
  end(): void {
    for (const { capture, linkType, packets, bytes } of this.#skipped.values()) {
      if (packets === 0) continue;
      this.#diagnostics.report({
        code: 'link-type-unsupported',
        message: `more packets of link type ${linkType}`,
        capture,
        bytes,
        count: packets,
      });
    }
  }
}
