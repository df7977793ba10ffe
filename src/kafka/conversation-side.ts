import type { PacketPosition } from '../capture/packet.ts';
import type { Side } from '../diagnostics.ts';
import { MAX_FRAME_BYTES } from '../limits.ts';
import type { Conversation } from './conversation.ts';
import type { Reason } from './exchange.ts';
import type { FrameFacts, FrameUse } from './frame-splitter.ts';
import type { Lane, LaneConsumer } from './lane.ts';

/** Takes the frames of one direction of a conversation. */
export abstract class ConversationSide implements LaneConsumer {
  /** Where the frames come from; set right after construction, since a lane needs its consumer. */
  lane: Lane | null = null;
  protected readonly conversation: Conversation;
  readonly #side: Side;

  constructor(conversation: Conversation, side: Side) {
    this.conversation = conversation;
    this.#side = side;
  }

  abstract headBytes(bytes: Uint8Array, start: number, available: number, size: number): number;
  abstract head(bytes: Uint8Array, start: number, available: number, frame: FrameFacts): FrameUse;
  abstract whole(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, position: PacketPosition): void;
  abstract damaged(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, cause: Reason): void;
  abstract headDamaged(bytes: Uint8Array, start: number, end: number, frame: FrameFacts, cause: Reason): void;

  lost(bytes: Uint8Array, start: number, end: number, frame: FrameFacts): void {
    this.conversation.report(this.#side, frame.first, {
      code: 'frame-size-invalid',
      message: 'a frame size that no Kafka client or broker sends: looking for the next frame',
      streamOffset: frame.offset,
    });
    this.lane?.lose(bytes, start, end, frame.first);
  }

  skipped(length: number, from: number, position: PacketPosition): void {
    this.conversation.report(this.#side, position, {
      code: 'frames-skipped',
      message: `${length} bytes passed over to find the next frame`,
      streamOffset: from,
      bytes: length,
    });
  }

  /** Largest frame that is believed. One larger than what is asked to be kept is counted down. */
  protected get mostBytes(): number {
    return Math.max(MAX_FRAME_BYTES, this.conversation.options.maxFrameBytes);
  }

  /** A frame that was asked for is larger than what is to be kept of one. */
  protected isTooLarge(frame: FrameFacts): boolean {
    return frame.size > this.conversation.options.maxFrameBytes;
  }

  protected reportTooLarge(frame: FrameFacts): void {
    this.#report(
      'frame-size-invalid',
      frame,
      4 + frame.size,
      `a frame of ${frame.size} bytes, not decoded: at most ${this.conversation.options.maxFrameBytes} are kept`,
    );
  }

  /** A frame ends with its connection or the capture; one with a gap is told by the gap. */
  protected reportCut(frame: FrameFacts, cause: Reason): void {
    if (cause === 'gap' || cause === 'snaplen') return;
    const there = frame.passed - frame.offset;
    const what = frame.size < 0 ? 'a frame' : `a frame of ${4 + frame.size} bytes`;
    this.#report('frame-incomplete', frame, there, `${what} ends after ${there} (${cause})`);
  }

  protected reportFrame(code: 'request-header-malformed' | 'response-without-request', frame: FrameFacts, message: string): void {
    this.#report(code, frame, 4 + frame.size, message);
  }

  #report(
    code: 'frame-size-invalid' | 'frame-incomplete' | 'request-header-malformed' | 'response-without-request',
    frame: FrameFacts,
    bytes: number,
    message: string,
  ): void {
    this.conversation.report(this.#side, frame.first, { code, message, streamOffset: frame.offset, bytes });
  }
}
