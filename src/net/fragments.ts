import type { DiagnosticSink } from '../diagnostics.ts';
import { MAX_FRAGMENT_BYTES, MAX_FRAGMENT_SECONDS, MAX_FRAGMENTED_DATAGRAMS } from '../limits.ts';
import { uint16 } from '../wire/bytes.ts';
import { Datagram } from './datagram.ts';
import { Layer, layerOfIpProtocol, layerOfNextHeader } from './layer.ts';
import type { PeeledSegment } from './peeled-segment.ts';
import { layerOfUdpPort } from './tunnels.ts';

/** The largest datagram that fragments can make: offset and length are 16 bits (RFC 791, RFC 8200). */
const maxDatagramBytes = 65_535;
const udpProtocol = 17;

/**
 * Puts IPv4 and IPv6 datagrams together from their fragments, in whatever order they come. Where fragments overlap, the first copy counts. Complete
 * datagrams are remembered, so that a second copy of a fragment isn't taken for the beginning of another one; all is bounded by
 * MAX_FRAGMENTED_DATAGRAMS, MAX_FRAGMENT_BYTES and MAX_FRAGMENT_SECONDS, and incomplete datagrams that fall out are reported.
 */
export class Fragments {
  readonly #diagnostics: DiagnosticSink;
  /** By addresses, protocol and identification, the one begun first in front. */
  readonly #datagrams = new Map<string, Datagram>();
  #heldBytes = 0;

  constructor(diagnostics: DiagnosticSink) {
    this.#diagnostics = diagnostics;
  }

  /**
   * Takes the fragment that is left of the packet, copying its bytes. If it completes its datagram, the datagram takes its place in `segment`, its
   * bytes borrowed until the next call, and the answer is the layer it carries.
   */
  add(segment: PeeledSegment): Layer {
    const offset = segment.fragmentOffset;
    const end = offset + segment.payloadLength;
    if (segment.payloadLength === 0) return segment.malformed('IP fragment without content');
    if (segment.moreFragments && segment.payloadLength % 8 !== 0) {
      return segment.malformed(`IP fragment of ${segment.payloadLength} bytes, no multiple of 8, that isn't the last`);
    }
    if (end > maxDatagramBytes) return segment.malformed(`IP fragment that ends at byte ${end} of its datagram`);
    this.#expire(segment);
    const datagram = this.#datagramOf(segment, end);
    if (datagram.complete || datagram.ignored) return Layer.ignored;
    const heldBefore = datagram.heldBytes;
    datagram.add(segment);
    this.#heldBytes += datagram.heldBytes - heldBefore;
    this.#makeRoom(datagram);
    if (offset === 0 && carriesNoTcp(segment)) this.#ignore(datagram);
    if (!datagram.complete) return Layer.ignored;
    segment.replace(datagram.bytes, datagram.capturedEnd, datagram.length);
    return segment.ipVersion === 6 ? layerOfNextHeader(datagram.protocol) : layerOfIpProtocol(datagram.protocol);
  }

  /** Reports the datagrams that are still incomplete. */
  end(): void {
    for (const [key, datagram] of this.#datagrams) this.#drop(key, datagram);
  }

  /** The datagram the fragment belongs to. One that contradicts the fragment had the same identification by chance: it is given up. */
  #datagramOf(segment: PeeledSegment, end: number): Datagram {
    const key = keyOf(segment);
    const known = this.#datagrams.get(key);
    if (known !== undefined) {
      if (known.agreesWith(segment, end)) return known;
      this.#drop(key, known);
    }
    const datagram = new Datagram(segment);
    this.#datagrams.set(key, datagram);
    return datagram;
  }

  #expire(segment: PeeledSegment): void {
    for (const [key, datagram] of this.#datagrams) {
      if (!(Math.abs(segment.packet.seconds - datagram.position.seconds) > MAX_FRAGMENT_SECONDS)) return;
      this.#drop(key, datagram);
    }
  }

  #makeRoom(newest: Datagram): void {
    for (const [key, datagram] of this.#datagrams) {
      if (this.#datagrams.size <= MAX_FRAGMENTED_DATAGRAMS && this.#heldBytes <= MAX_FRAGMENT_BYTES) return;
      if (datagram !== newest) this.#drop(key, datagram);
    }
  }

  #ignore(datagram: Datagram): void {
    this.#heldBytes -= datagram.heldBytes;
    datagram.ignore();
  }

  #drop(key: string, datagram: Datagram): void {
    this.#datagrams.delete(key);
    this.#heldBytes -= datagram.heldBytes;
    if (datagram.complete || datagram.ignored) return;
    const missing = datagram.length < 0 ? 'its end never came' : `${datagram.length - datagram.receivedBytes} bytes never came`;
    this.#diagnostics.report({
      code: 'fragments-incomplete',
      message: `${datagram.name}: ${datagram.receivedBytes} bytes in fragments, ${missing}`,
      capture: datagram.position.capture,
      packet: datagram.position.number,
      fileOffset: datagram.fileOffset,
      bytes: datagram.receivedBytes,
    });
  }
}

/** The first fragment shows UDP that is no tunnel. */
function carriesNoTcp(segment: PeeledSegment): boolean {
  return (
    segment.fragmentProtocol === udpProtocol && segment.has(4) && layerOfUdpPort(uint16(segment.bytes, segment.start + 2)) === Layer.ignored
  );
}

/** RFC 791 tells IPv4 datagrams apart by protocol too; in IPv6 only the first fragment's next header counts (RFC 8200, section 4.5). */
function keyOf(segment: PeeledSegment): string {
  const protocol = segment.ipVersion === 4 ? segment.fragmentProtocol : 6;
  const source = `${segment.source0},${segment.source1},${segment.source2},${segment.source3}`;
  const destination = `${segment.destination0},${segment.destination1},${segment.destination2},${segment.destination3}`;
  return `${segment.ipVersion},${source},${destination},${protocol},${segment.fragmentId}`;
}
