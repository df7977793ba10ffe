import { goldenFrames } from './golden-frames.ts';
import { type Conversation, type PcapOptions, pcapFile, tcpConversation } from './packets.ts';

/** Offset of the correlation id in a request's frame and in a response's. */
const CORRELATION_OFFSETS = { request: 8, response: 4 } as const;

type Message = Conversation['messages'][number];

/** A DescribeConfigs frame of version 4 with this correlation id: topic "t", client id "adm", config "k" = "v". */
export function sampleFrame(side: 'request' | 'response', correlationId: number): Uint8Array {
  const golden = goldenFrames.find((frame) => frame.side === side && frame.version === 4);
  if (golden === undefined) throw new Error(`no golden ${side}`);
  const bytes = Uint8Array.from(golden.bytes);
  new DataView(bytes.buffer).setInt32(CORRELATION_OFFSETS[side], correlationId);
  return bytes;
}

/** Requests and their responses, in turn, with ids from 1. */
export function sampleMessages(exchanges: number): Message[] {
  return Array.from({ length: exchanges }, (_, index): Message[] => [
    { from: 'client', bytes: sampleFrame('request', index + 1) },
    { from: 'server', bytes: sampleFrame('response', index + 1) },
  ]).flat();
}

/** A capture of one whole connection with so many exchanges of DescribeConfigs, from 192.0.2.1:51234 to 192.0.2.2:9092. */
export function sampleCapture(exchanges: number, options: PcapOptions = {}): Uint8Array {
  return pcapFile(tcpConversation({ messages: sampleMessages(exchanges) }), options);
}

/** A capture that ends before the last request was answered, with its connection still open. */
export function openCapture(exchanges: number): Uint8Array {
  return pcapFile(tcpConversation({ messages: sampleMessages(exchanges).slice(0, -1), close: false }));
}
