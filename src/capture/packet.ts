/**
 * Where a packet stands and when it was captured. Reused objects carry it along the hot path: whoever keeps it copies it
 * (see {@link copyPosition}).
 */
export interface PacketPosition {
  /** Index of the capture among the captures given, from 0. */
  capture: number;
  /** Packet number in its capture from 1, as Wireshark counts `frame.number`. */
  number: number;
  /** Whole seconds since 1970-01-01T00:00:00Z; NaN where the capture has no time for the packet. */
  seconds: number;
  /** Nanoseconds into that second, 0 to 999,999,999. */
  nanos: number;
  /** The interface's resolution is finer than a microsecond. */
  fine: boolean;
}

/** One captured packet. A reader reuses one object; `bytes` is borrowed until the reader's next call. */
export interface Packet extends PacketPosition {
  /** The captured bytes are `bytes[start, end)`. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Length on the wire; may be more than was captured, and in broken files less. */
  originalLength: number;
  /** LINKTYPE_ number of the packet's interface, without FCS bits. */
  linkType: number;
  /** Bytes of frame check sequence at the end of the packet on the wire, 0 where not known. */
  fcsBytes: number;
  /** Offset of the packet's record or block in its file (in the decompressed bytes of a compressed one). */
  fileOffset: number;
}

/** A packet with nothing in it, for a reader to fill. */
export function emptyPacket(): Packet {
  return {
    capture: 0,
    number: 0,
    seconds: Number.NaN,
    nanos: 0,
    fine: false,
    bytes: new Uint8Array(),
    start: 0,
    end: 0,
    originalLength: 0,
    linkType: 0,
    fcsBytes: 0,
    fileOffset: 0,
  };
}

/** What {@link PacketReader.next} found. */
export const Step = {
  /** `packet` holds the next packet. */
  packet: 0,
  /** More bytes are needed: await `fill()`, then call `next()` again. */
  starved: 1,
  /** No more packets. */
  ended: 2,
} as const;
export type Step = (typeof Step)[keyof typeof Step];

/** Reads packets one by one. `next` is synchronous, so that the only await of the pipeline is one a read. */
export interface PacketReader {
  readonly packet: Packet;
  next(): Step;
  fill(): Promise<void>;
  close(): Promise<void>;
}

/** An owned copy of where and when. */
export function copyPosition(from: PacketPosition): PacketPosition {
  return { capture: from.capture, number: from.number, seconds: from.seconds, nanos: from.nanos, fine: from.fine };
}

/** Makes `to` say what `from` says, without allocation. */
export function assignPosition(to: PacketPosition, from: PacketPosition): void {
  to.capture = from.capture;
  to.number = from.number;
  to.seconds = from.seconds;
  to.nanos = from.nanos;
  to.fine = from.fine;
}

/** `later` minus `earlier` in nanoseconds, exact to the nanosecond for spans under 104 days; NaN where a time is missing. */
export function nanosBetween(earlier: PacketPosition, later: PacketPosition): number {
  return (later.seconds - earlier.seconds) * 1e9 + (later.nanos - earlier.nanos);
}
