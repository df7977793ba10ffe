import { MAX_TAPE_ENTRIES, MAX_UNKNOWN_TAGS } from '../limits.ts';
import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import { type Decoded, type DecodeError, ENTRY_WORDS, type Tape, Word } from './decoded.ts';
import { collectUnknownTags } from './unknown-tags.ts';

/** Kafka's own limit for strings, compact ones too. */
const MAX_STRING_BYTES = 32_767;
const MAX_INT32 = 0x7fffffff;
const MAX_TAPE_WORDS = MAX_TAPE_ENTRIES * ENTRY_WORDS;
/** First size of a tape, in words: four bytes of tape for each of the frame fit nearly all frames. It grows beyond. */
const LARGEST_FIRST_TAPE_WORDS = 1 << 16;

/**
 * Decodes one frame. `bytes[start]` is the first byte of its size prefix; `end` is where the bytes end that are there, and may lie before
 * the frame's end (bytes are missing) or behind it (what follows isn't looked at). Borrows `bytes`: the result refers to them.
 *
 * Never throws on what the wire holds: the first contradiction to the schema, or the end of the bytes, becomes `error`, and the tape
 * holds what was decoded before it. As strict as Kafka's own decoder and no stricter (over-long varints, booleans other than 0 and 1,
 * unknown tags and trailing bytes are fine), but for lengths below -1 and varints beyond 32 bits, which Kafka takes for null.
 */
export function decodeFrame(plan: MessagePlan, bytes: Uint8Array, start: number, end: number): Decoded {
  const interpreter = new Interpreter(bytes, start, end);
  const complete = interpreter.message(plan);
  const { tape, tapeLength, origin } = interpreter;
  const unknownTags = interpreter.unknownTagCount === 0 ? [] : collectUnknownTags(plan, bytes, origin, tape, tapeLength);
  const length = interpreter.end - origin;
  const trailingBytes = complete ? interpreter.frameEnd - interpreter.at : 0;
  return { plan, bytes, origin, length, tape, tapeLength, error: interpreter.error, unknownTags, trailingBytes };
}

/**
 * Walks plan and frame in step and writes the tape. Positions are absolute in `bytes`. Every method that decodes returns whether it could;
 * on the way out of a failure the open structs and arrays are closed and their names make up the path, so that the way in pays nothing.
 */
class Interpreter {
  readonly bytes: Uint8Array;
  readonly origin: number;
  /** Where the bytes end that may be read: the frame's, or those of the tagged field that is being decoded. */
  end: number;
  /** Where they would end if none were missing. */
  frameEnd: number;
  /** Next byte to decode; stays at the start of what can't be decoded. */
  at: number;
  tape: Tape;
  tapeLength = 0;
  unknownTagCount = 0;
  error: DecodeError | null = null;
  /** Behind the varint that {@link varint} read. */
  private next = 0;
  /** The tag that {@link taggedField} decoded. */
  private lastTag = -1;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.origin = start;
    this.at = start;
    this.end = end;
    this.frameEnd = start + 4;
    this.tape = new Int32Array(Math.max(64 * ENTRY_WORDS, Math.min(end - start, LARGEST_FIRST_TAPE_WORDS)));
  }

  message(plan: MessagePlan): boolean {
    const root = this.open(plan.root, 0);
    const complete = this.frame(plan) && this.section(plan.header, 'header') && this.section(plan.body, '');
    this.close(root);
    return complete;
  }

  private frame(plan: MessagePlan): boolean {
    const { bytes, origin } = this;
    const frame = plan.root.fields[0] as PlanNode;
    const index = this.open(frame, 0);
    const complete = this.field(frame.fields[0] as PlanNode);
    this.close(index);
    if (!complete) return this.failIn('size');
    const size = int32(bytes, origin);
    if (size < 0) {
      this.at = origin;
      this.fail('malformed', `frame size ${size} is not valid`);
      return this.failIn('size');
    }
    this.frameEnd = origin + 4 + size;
    this.end = Math.min(this.end, this.frameEnd);
    return true;
  }

  private section(node: PlanNode, path: string): boolean {
    return this.struct(node) || this.failIn(path);
  }

  private field(node: PlanNode): boolean {
    const { bytes, at } = this;
    switch (node.kind) {
      case Kind.bool:
        return at < this.end ? this.leaf(node, at + 1, bytes[at] as number) : this.short(1);
      case Kind.int8:
        return at < this.end ? this.leaf(node, at + 1, ((bytes[at] as number) << 24) >> 24) : this.short(1);
      case Kind.int16:
        return at + 2 <= this.end ? this.leaf(node, at + 2, int16(bytes, at)) : this.short(2);
      case Kind.uint16:
        return at + 2 <= this.end ? this.leaf(node, at + 2, int16(bytes, at) & 0xffff) : this.short(2);
      case Kind.int32:
      case Kind.uint32:
        return at + 4 <= this.end ? this.leaf(node, at + 4, int32(bytes, at)) : this.short(4);
      case Kind.int64:
      case Kind.float64:
        return at + 8 <= this.end ? this.leaf(node, at + 8, 0) : this.short(8);
      case Kind.uuid:
        return at + 16 <= this.end ? this.leaf(node, at + 16, 0) : this.short(16);
      case Kind.string:
      case Kind.bytes:
      case Kind.records:
        return this.content(node);
      case Kind.array:
        return this.array(node);
      case Kind.struct:
        return this.struct(node);
      default:
        return this.tags(node);
    }
  }

  private struct(node: PlanNode): boolean {
    let from = this.at;
    if (node.nullable) {
      if (from >= this.end) return this.short(1);
      if ((this.bytes[from] as number) > 0x7f) return this.leaf(node, from + 1, -1);
      from++;
    }
    const index = this.open(node, 0);
    if (index < 0) return false;
    this.at = from;
    let complete = true;
    for (const field of node.fields) {
      if (!this.field(field)) {
        complete = this.failIn(field.jsonName);
        break;
      }
    }
    this.close(index);
    return complete;
  }

  private array(node: PlanNode): boolean {
    const count = this.lengthOf(node, 4);
    if (count === -2) return false;
    if (count === -1) return this.leaf(node, this.next, -1);
    const element = node.element as PlanNode;
    if (count * Math.max(1, element.minimumBytes) > this.frameEnd - this.next) return this.exceeds(`array count ${count}`);
    const index = this.open(node, count);
    if (index < 0) return false;
    this.at = this.next;
    let complete = true;
    for (let i = 0; i < count; i++) {
      if (!this.field(element)) {
        complete = this.failIn(`[${i}]`);
        break;
      }
    }
    this.close(index);
    return complete;
  }

  private content(node: PlanNode): boolean {
    const length = this.lengthOf(node, node.kind === Kind.string ? 2 : 4);
    if (length < 0) return length === -1 && this.leaf(node, this.next, -1);
    const from = this.next;
    const until = from + length;
    if (until > this.end) {
      const what = `${node.kind === Kind.string ? 'string' : 'bytes'} length ${length}`;
      return until > this.frameEnd ? this.exceeds(what) : this.short(until - this.at);
    }
    if (length > MAX_STRING_BYTES && node.kind === Kind.string) {
      return this.fail('malformed', `string length ${length} exceeds Kafka's limit of ${MAX_STRING_BYTES}`);
    }
    return this.leaf(node, until, from - this.origin);
  }

  /** Reads the length prefix at `at`; `next` is behind it. -1 for null, -2 when it failed. */
  private lengthOf(node: PlanNode, prefixBytes: 2 | 4): number {
    const { at } = this;
    let length: number;
    if (node.compact) {
      const value = this.varint(at);
      if (value < 0) return -2;
      length = value - 1;
    } else {
      if (at + prefixBytes > this.end) {
        this.short(prefixBytes);
        return -2;
      }
      length = prefixBytes === 2 ? int16(this.bytes, at) : int32(this.bytes, at);
      this.next = at + prefixBytes;
    }
    if (length >= 0 || (length === -1 && node.nullable)) return length;
    if (length === -1) this.fail('malformed', `null, but ${node.name} is not nullable`);
    else this.fail('malformed', `${node.kind === Kind.array ? 'array count' : 'length'} ${length} is not valid`);
    return -2;
  }

  /** Reads an unsigned varint of up to 35 bits at `at`; `next` is behind it. -1 when it failed. */
  private varint(at: number): number {
    const { bytes, end } = this;
    if (at < end) {
      const first = bytes[at] as number;
      if (first < 0x80) {
        this.next = at + 1;
        return first;
      }
    }
    let value = 0;
    let scale = 1;
    for (let i = at; i < at + 5; i++) {
      if (i >= end) {
        this.short(i + 1 - this.at);
        return -1;
      }
      const byte = bytes[i] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.next = i + 1;
        return value;
      }
      scale *= 128;
    }
    this.fail('malformed', 'varint longer than 5 bytes');
    return -1;
  }

  private tags(node: PlanNode): boolean {
    const count = this.varint(this.at);
    if (count < 0) return false;
    if (count === 0) return this.leaf(node, this.next, 0);
    if (count * 2 > this.frameEnd - this.next) return this.exceeds(`tagged field count ${count}`);
    const index = this.open(node, count);
    if (index < 0) return false;
    this.at = this.next;
    let complete = true;
    for (let i = 0; i < count && complete; i++) complete = this.taggedField(node, i === 0 ? -1 : this.lastTag);
    this.close(index);
    return complete;
  }

  private taggedField(tags: PlanNode, previous: number): boolean {
    const tag = this.varint(this.at);
    if (tag < 0) return false;
    if (tag > MAX_INT32) return this.fail('malformed', `tag ${tag} is not valid`);
    if (tag <= previous) return this.fail('malformed', `tag ${tag} after tag ${previous}: not in ascending order`);
    const size = this.varint(this.next);
    if (size < 0) return false;
    const content = this.next;
    const until = content + size;
    if (until > this.frameEnd) return this.exceeds(`size ${size} of tag ${tag}`);
    const field = tags.known.get(tag);
    if (field === undefined && until > this.end) return this.short(until - this.at);
    if (field === undefined && this.unknownTagCount++ === MAX_UNKNOWN_TAGS) {
      return this.fail('too-large', `more than ${MAX_UNKNOWN_TAGS} unknown tagged fields`);
    }
    const index = this.open(tags.element as PlanNode, tag);
    if (index < 0) return false;
    this.at = content;
    const complete = field === undefined || this.knownTag(field, until);
    if (complete) this.at = until;
    this.close(index);
    this.lastTag = tag;
    return complete;
  }

  /** Decodes the field of a known tag, which must fill the tag's content `[at, until)`. */
  private knownTag(field: PlanNode, until: number): boolean {
    const { end, frameEnd } = this;
    this.end = Math.min(end, until);
    this.frameEnd = until;
    const decoded = this.field(field);
    this.end = end;
    this.frameEnd = frameEnd;
    if (!decoded) return this.failIn(field.jsonName);
    if (this.at === until) return true;
    this.fail('malformed', `${until - this.at} bytes left over in its tagged field`);
    return this.failIn(field.jsonName);
  }

  private leaf(node: PlanNode, end: number, aux: number): boolean {
    const index = this.tapeLength;
    const next = index + ENTRY_WORDS;
    if (next > this.tape.length && !this.grow()) return false;
    const { tape, origin } = this;
    tape[index] = node.id;
    tape[index + Word.start] = this.at - origin;
    tape[index + Word.end] = end - origin;
    tape[index + Word.aux] = aux;
    tape[index + Word.next] = next;
    this.tapeLength = next;
    this.at = end;
    return true;
  }

  /** Begins the entry of something with children at `at`. Its index, -1 when it failed. */
  private open(node: PlanNode, aux: number): number {
    const index = this.tapeLength;
    const next = index + ENTRY_WORDS;
    if (next > this.tape.length && !this.grow()) return -1;
    const { tape } = this;
    tape[index] = node.id;
    tape[index + Word.start] = this.at - this.origin;
    tape[index + Word.aux] = aux;
    this.tapeLength = next;
    return index;
  }

  private close(index: number): void {
    this.tape[index + Word.end] = this.at - this.origin;
    this.tape[index + Word.next] = this.tapeLength;
  }

  private grow(): boolean {
    if (this.tape.length >= MAX_TAPE_WORDS) return this.fail('too-large', `more than ${MAX_TAPE_ENTRIES} fields in one frame`);
    const grown = new Int32Array(Math.min(this.tape.length * 2, MAX_TAPE_WORDS));
    grown.set(this.tape);
    this.tape = grown;
    return true;
  }

  /** The `needed` bytes from `at` aren't there: missing from the capture, or not in the frame at all. */
  private short(needed: number): false {
    const left = this.end - this.at;
    if (this.at + needed > this.frameEnd)
      return this.fail('malformed', `the frame ends inside the field: ${needed} bytes needed, ${left} left`);
    return this.fail('truncated', `bytes are missing: ${needed} needed, ${left} there`);
  }

  private exceeds(what: string): false {
    return this.fail('malformed', `${what} exceeds the frame: ${this.frameEnd - this.next} bytes left`);
  }

  private fail(code: DecodeError['code'], message: string): false {
    this.error = { code, message, offset: this.at - this.origin, path: '' };
    return false;
  }

  /** Puts the name of what holds the failure before its path. */
  private failIn(name: string): false {
    const error = this.error as DecodeError;
    const { path } = error;
    const joined = path === '' || name === '' || path.startsWith('[') ? name + path : `${name}.${path}`;
    this.error = { ...error, path: joined };
    return false;
  }
}

function int16(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) << 24) >> 16) | (bytes[at + 1] as number);
}

function int32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
}
