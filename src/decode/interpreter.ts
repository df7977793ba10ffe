import { MAX_TAPE_ENTRIES, MAX_UNKNOWN_TAGS } from '../limits.ts';
import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import { int16, int32, uint16 } from '../wire/bytes.ts';
import { type DecodeError, ENTRY_WORDS, type Tape, Word } from './decoded.ts';

// Constants of this module, since an imported binding is looked up at each use: a sixth of the decoding time (Node 20).
const {
  string: STRING,
  int8: INT8,
  bool: BOOL,
  tags: TAGS,
  struct: STRUCT,
  array: ARRAY,
  int32: INT32,
  uint32: UINT32,
  int16: INT16,
  uint16: UINT16,
  int64: INT64,
  float64: FLOAT64,
  uuid: UUID,
} = Kind;
const { start: START, end: END, aux: AUX, next: NEXT } = Word;
const WORDS = ENTRY_WORDS;

/** Kafka's own limit for strings, compact ones too. */
const MAX_STRING_BYTES = 32_767;
const MAX_INT32 = 0x7fffffff;
const MAX_TAPE_WORDS = MAX_TAPE_ENTRIES * WORDS;
/** A power of two times the first tape's length. */
const LONG_TAPE_WORDS = (1 << 18) * WORDS;
/** What the methods return that decode, where they couldn't. */
const FAILED = -1;

/**
 * Walks plan and frame in step and writes the tape. One is made for each frame.
 *
 * Every method that decodes takes the index in `bytes` where its field starts and returns that behind it, or {@link FAILED}. On the way out
 * of a failure the open structs and arrays are closed and their names make up the path, so that the way in pays nothing.
 */
export class Interpreter {
  tape: Tape;
  tapeLength = 0;
  unknownTagCount = 0;
  error: DecodeError | null = null;
  /** Where the bytes end that may be read: the frame's, or those of the tagged field that is being decoded. */
  end: number;
  /** Where they would end if none were missing. */
  frameEnd: number;
  private readonly bytes: Uint8Array;
  private readonly origin: number;
  /** Behind the length that {@link lengthOf} or {@link varint} read. */
  private next = 0;
  /** Start of what couldn't be decoded. */
  private stopped = 0;
  private lastTag = -1;

  /**
   * Borrows `bytes`, and takes `tape` over: it is written from its start and replaced when it is too short. `origin` is the index that
   * offsets are counted from.
   */
  constructor(tape: Tape, bytes: Uint8Array, origin: number, end: number) {
    this.tape = tape;
    this.bytes = bytes;
    this.origin = origin;
    this.end = end;
    this.frameEnd = origin + 4;
  }

  /** Decodes the message whose first byte is at `start`; returns the index behind the body, -1 when it failed. */
  message(plan: MessagePlan, start: number): number {
    const root = this.open(plan.root, start, 0);
    let at = start;
    if (plan.frame === null) this.frameEnd = this.end;
    else at = this.frame(plan.frame, start);
    if (at !== FAILED) at = this.section(plan.header, at, 'header');
    if (at !== FAILED) at = this.section(plan.body, at, '');
    return this.close(root, at);
  }

  private frame(node: PlanNode, at: number): number {
    const index = this.open(node, at, 0);
    const behind = this.field(node.fields[0] as PlanNode, at);
    this.close(index, behind);
    if (behind === FAILED) return this.failIn('size');
    const size = int32(this.bytes, at);
    if (size < 0) {
      this.fail(at, 'malformed', `frame size ${size} is not valid`);
      return this.failIn('size');
    }
    this.frameEnd = behind + size;
    this.end = Math.min(this.end, this.frameEnd);
    return behind;
  }

  private section(node: PlanNode, at: number, path: string): number {
    const behind = this.struct(node, at);
    return behind === FAILED ? this.failIn(path) : behind;
  }

  // The kinds are in the order of how often they come.
  private field(node: PlanNode, at: number): number {
    switch (node.kind) {
      case STRING:
        return this.content(node, at);
      case INT8:
        return at < this.end ? this.leaf(node, at, at + 1, ((this.bytes[at] as number) << 24) >> 24) : this.short(at, 1);
      case BOOL:
        return at < this.end ? this.leaf(node, at, at + 1, this.bytes[at] as number) : this.short(at, 1);
      case TAGS:
        return this.tags(node, at);
      case STRUCT:
        return this.struct(node, at);
      case ARRAY:
        return this.array(node, at);
      case INT32:
      case UINT32:
        return at + 4 <= this.end ? this.leaf(node, at, at + 4, int32(this.bytes, at)) : this.short(at, 4);
      case INT16:
        return at + 2 <= this.end ? this.leaf(node, at, at + 2, int16(this.bytes, at)) : this.short(at, 2);
      case UINT16:
        return at + 2 <= this.end ? this.leaf(node, at, at + 2, uint16(this.bytes, at)) : this.short(at, 2);
      case INT64:
      case FLOAT64:
        return at + 8 <= this.end ? this.leaf(node, at, at + 8, 0) : this.short(at, 8);
      case UUID:
        return at + 16 <= this.end ? this.leaf(node, at, at + 16, 0) : this.short(at, 16);
      default:
        return this.content(node, at);
    }
  }

  private struct(node: PlanNode, start: number): number {
    let at = start;
    if (node.nullable) {
      if (start >= this.end) return this.short(start, 1);
      if ((this.bytes[start] as number) > 0x7f) return this.leaf(node, start, start + 1, -1);
      at++;
    }
    const index = this.open(node, start, 0);
    if (index === FAILED) return FAILED;
    const { fields } = node;
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as PlanNode;
      at = this.field(field, at);
      if (at === FAILED) {
        this.failIn(field.jsonName);
        break;
      }
    }
    return this.close(index, at);
  }

  private array(node: PlanNode, start: number): number {
    const count = this.lengthOf(node, start, 4);
    if (count < 0) return count === -1 ? this.leaf(node, start, this.next, -1) : FAILED;
    let at = this.next;
    const element = node.element as PlanNode;
    // Kafka's own bound: no element takes less than a byte.
    if (count > this.frameEnd - at) return this.exceeds(start, `array count ${count}`);
    const index = this.open(node, start, count);
    if (index === FAILED) return FAILED;
    for (let i = 0; i < count; i++) {
      at = this.field(element, at);
      if (at === FAILED) {
        this.failIn(`[${i}]`);
        break;
      }
    }
    return this.close(index, at);
  }

  private content(node: PlanNode, start: number): number {
    const length = this.lengthOf(node, start, node.kind === STRING ? 2 : 4);
    if (length < 0) return length === -1 ? this.leaf(node, start, this.next, -1) : FAILED;
    const from = this.next;
    const until = from + length;
    if (until > this.end || (length > MAX_STRING_BYTES && node.kind === STRING)) return this.contentRefused(node, start, length);
    return this.leaf(node, start, until, from - this.origin);
  }

  private contentRefused(node: PlanNode, start: number, length: number): number {
    const what = `${node.kind === STRING ? 'string' : 'bytes'} length ${length}`;
    const until = this.next + length;
    if (until > this.frameEnd) return this.exceeds(start, what);
    if (length > MAX_STRING_BYTES && node.kind === STRING) {
      return this.fail(start, 'malformed', `${what} exceeds Kafka's limit of ${MAX_STRING_BYTES}`);
    }
    return this.short(start, until - start);
  }

  /** Reads the length prefix at `at`; `next` is behind it. -1 for null, -2 when it failed. */
  private lengthOf(node: PlanNode, at: number, prefixBytes: 2 | 4): number {
    let length: number;
    if (node.compact) {
      const value = this.varint(at, at);
      if (value === FAILED) return -2;
      length = value - 1;
    } else {
      if (at + prefixBytes > this.end) {
        this.short(at, prefixBytes);
        return -2;
      }
      length = prefixBytes === 2 ? int16(this.bytes, at) : int32(this.bytes, at);
      this.next = at + prefixBytes;
    }
    if (length >= 0 || (length === -1 && node.nullable)) return length;
    const what = node.kind === ARRAY ? 'array count' : node.kind === STRING ? 'string length' : 'bytes length';
    this.fail(at, 'malformed', length === -1 ? `null, but ${node.name} is not nullable` : `${what} ${length} is not valid`);
    return -2;
  }

  /** Reads an unsigned varint of up to 35 bits at `at`, part of the field at `start`; `next` is behind it. */
  private varint(at: number, start: number): number {
    if (at < this.end) {
      const first = this.bytes[at] as number;
      if (first < 0x80) {
        this.next = at + 1;
        return first;
      }
    }
    return this.longVarint(at, start);
  }

  private longVarint(at: number, start: number): number {
    let value = 0;
    let scale = 1;
    for (let i = at; i < at + 5; i++) {
      if (i >= this.end) return this.short(start, i + 1 - start);
      const byte = this.bytes[i] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.next = i + 1;
        return value;
      }
      scale *= 128;
    }
    return this.fail(start, 'malformed', 'varint longer than 5 bytes');
  }

  private tags(node: PlanNode, start: number): number {
    const count = this.varint(start, start);
    if (count <= 0) return count === 0 ? this.leaf(node, start, this.next, 0) : FAILED;
    let at = this.next;
    if (count * 2 > this.frameEnd - at) return this.exceeds(start, `tagged field count ${count}`);
    const index = this.open(node, start, count);
    if (index === FAILED) return FAILED;
    for (let i = 0; i < count && at !== FAILED; i++) at = this.taggedField(node, at, i === 0 ? -1 : this.lastTag);
    return this.close(index, at);
  }

  private taggedField(tags: PlanNode, start: number, previous: number): number {
    const tag = this.varint(start, start);
    if (tag === FAILED) return FAILED;
    if (tag > MAX_INT32) return this.fail(start, 'malformed', `tag ${tag} is not valid`);
    if (tag <= previous) return this.fail(start, 'malformed', `tag ${tag} after tag ${previous}: not in ascending order`);
    const size = this.varint(this.next, start);
    if (size === FAILED) return FAILED;
    const content = this.next;
    const until = content + size;
    if (until > this.frameEnd) return this.exceeds(start, `size ${size} of tag ${tag}`);
    const field = tags.known.get(tag);
    if (field === undefined) {
      if (until > this.end) return this.short(start, until - start);
      if (this.unknownTagCount === MAX_UNKNOWN_TAGS) {
        return this.fail(start, 'too-large', `more than ${MAX_UNKNOWN_TAGS} unknown tagged fields`);
      }
      this.unknownTagCount++;
    }
    const index = this.open(tags.element as PlanNode, start, tag);
    if (index === FAILED) return FAILED;
    const behind = field === undefined ? until : this.knownTag(field, content, until);
    this.lastTag = tag;
    return this.close(index, behind);
  }

  /** Decodes the field of a known tag, which must fill the tag's content `[at, until)`. */
  private knownTag(field: PlanNode, at: number, until: number): number {
    const { end, frameEnd } = this;
    this.end = Math.min(end, until);
    this.frameEnd = until;
    let behind = this.field(field, at);
    this.end = end;
    this.frameEnd = frameEnd;
    if (behind !== FAILED && behind < until) {
      behind = this.fail(behind, 'malformed', `${bytesText(until - behind)} left over in the tagged field`);
    }
    return behind === FAILED ? this.failIn(field.jsonName) : behind;
  }

  /** Writes the entry of a field `[start, end)` without children. */
  private leaf(node: PlanNode, start: number, end: number, aux: number): number {
    const index = this.tapeLength;
    const next = index + WORDS;
    if (next > this.tape.length && !this.grow(start)) return FAILED;
    const { tape, origin } = this;
    tape[index] = node.id;
    tape[index + START] = start - origin;
    tape[index + END] = end - origin;
    tape[index + AUX] = aux;
    tape[index + NEXT] = next;
    this.tapeLength = next;
    return end;
  }

  /** Begins the entry of something with children. Returns its index on the tape, or {@link FAILED}. */
  private open(node: PlanNode, start: number, aux: number): number {
    const index = this.tapeLength;
    const next = index + WORDS;
    if (next > this.tape.length && !this.grow(start)) return FAILED;
    const { tape } = this;
    tape[index] = node.id;
    tape[index + START] = start - this.origin;
    tape[index + AUX] = aux;
    this.tapeLength = next;
    return index;
  }

  /** Ends the entry at `index`: at `end`, or where decoding stopped. */
  private close(index: number, end: number): number {
    const { tape } = this;
    tape[index + END] = (end === FAILED ? this.stopped : end) - this.origin;
    tape[index + NEXT] = this.tapeLength;
    return end;
  }

  private grow(at: number): boolean {
    if (this.tape.length >= MAX_TAPE_WORDS) {
      this.fail(at, 'too-large', `more than ${MAX_TAPE_ENTRIES} fields in one frame`);
      return false;
    }
    // Fresh memory takes no room before it is written to: a long tape gets all it may need, and is copied no more.
    const grown = new Int32Array(this.tape.length < LONG_TAPE_WORDS ? this.tape.length * 2 : MAX_TAPE_WORDS);
    grown.set(this.tape);
    this.tape = grown;
    return true;
  }

  /** The `needed` bytes from `start` aren't there: missing from the capture, or not in the frame at all. */
  private short(start: number, needed: number): number {
    if (start + needed <= this.frameEnd) {
      return this.fail(start, 'truncated', `bytes are missing: ${needed} needed, ${this.end - start} there`);
    }
    return this.fail(start, 'malformed', `the frame ends inside the field: ${bytesText(needed)} needed, ${this.frameEnd - start} left`);
  }

  private exceeds(start: number, what: string): number {
    return this.fail(start, 'malformed', `${what} exceeds the frame: ${bytesText(this.frameEnd - this.next)} left`);
  }

  private fail(start: number, code: DecodeError['code'], message: string): number {
    this.stopped = start;
    this.error = { code, message, offset: start - this.origin, path: '' };
    return FAILED;
  }

  /** Puts the name of what holds the failure before its path. */
  private failIn(name: string): number {
    const error = this.error as DecodeError;
    const { path } = error;
    this.error = { ...error, path: path === '' || name === '' || path.startsWith('[') ? name + path : `${name}.${path}` };
    return FAILED;
  }
}

function bytesText(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`;
}
