import { uint16, uint32 } from './integers.ts';

/** An interface of a pcapng section, as its Interface Description Block says (draft-ietf-opsawg-pcapng, section 4.2). */
export interface PcapngInterface {
  readonly linkType: number;
  /** 0 stands for no limit. */
  readonly snaplen: number;
  readonly unitsPerSecond: number;
  /** Seconds to add to each time. */
  readonly offsetSeconds: number;
  readonly fcsBytes: number;
}

/** Option codes of an Interface Description Block. */
const Option = { end: 0, tsresol: 9, fcslen: 13, tsoffset: 14 } as const;
const OPTIONS_OFFSET = 16;

/**
 * Parses the Interface Description Block `bytes[start, end)`, lengths included, of which there are at least 20 bytes. Options that don't fit
 * into the block, or have another length than they should, are passed over.
 */
export function parseInterface(bytes: Uint8Array, start: number, end: number, littleEndian: boolean): PcapngInterface {
  let unitsPerSecond = 1_000_000;
  let offsetSeconds = 0;
  let fcsBytes = 0;
  const optionsEnd = end - 4;
  let at = start + OPTIONS_OFFSET;
  while (at + 4 <= optionsEnd) {
    const code = uint16(bytes, at, littleEndian);
    const length = uint16(bytes, at + 2, littleEndian);
    const value = at + 4;
    if (code === Option.end || value + length > optionsEnd) break;
    if (code === Option.tsresol && length === 1) unitsPerSecond = resolution(bytes[value] as number);
    if (code === Option.fcslen && length === 1) fcsBytes = bytes[value] as number;
    if (code === Option.tsoffset && length === 8) offsetSeconds = signed64(bytes, value, littleEndian);
    at = value + ((length + 3) & ~3);
  }
  return {
    linkType: uint16(bytes, start + 8, littleEndian),
    snaplen: uint32(bytes, start + 12, littleEndian),
    unitsPerSecond,
    offsetSeconds,
    fcsBytes,
  };
}

/** Units a second of an `if_tsresol`: a power of 2 with the highest bit set, else of 10. */
function resolution(value: number): number {
  return (value & 0x80) === 0 ? 10 ** value : 2 ** (value & 0x7f);
}

/** Exact where it makes sense as a number of seconds. */
function signed64(bytes: Uint8Array, offset: number, littleEndian: boolean): number {
  const high = uint32(bytes, littleEndian ? offset + 4 : offset, littleEndian) | 0;
  const low = uint32(bytes, littleEndian ? offset : offset + 4, littleEndian);
  return high * 2 ** 32 + low;
}
