/** What this project uses of pcap-parser 0.2.1, which brings no types. */
declare module 'pcap-parser' {
  import type { EventEmitter } from 'node:events';
  import type { Readable } from 'node:stream';

  export interface GlobalHeader {
    magicNumber: number;
    majorVersion: number;
    minorVersion: number;
    gmtOffset: number;
    timestampAccuracy: number;
    snapshotLength: number;
    linkLayerType: number;
  }

  export interface PacketHeader {
    timestampSeconds: number;
    timestampMicroseconds: number;
    capturedLength: number;
    originalLength: number;
  }

  export interface ParsedPacket {
    header: PacketHeader;
    data: Buffer;
  }

  export interface Parser extends EventEmitter {
    on(event: 'globalHeader', listener: (header: GlobalHeader) => void): this;
    on(event: 'packet', listener: (packet: ParsedPacket) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'end', listener: () => void): this;
  }

  export function parse(input: string | Readable): Parser;
}
