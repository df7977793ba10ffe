import { contentBuffer, contentBytes, float64At, int64At, redactedText, uuidAt } from '../decode/content.ts';
import { type Decoded, ENTRY_WORDS, type Tape, Word } from '../decode/decoded.ts';
import { bodyEntry, NO_ENTRY } from '../decode/walk.ts';
import { codeName } from '../schema/enums.ts';
import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { ElementMemo, Recall } from './element-memo.ts';
import { jsonStringRoom, writeJsonString } from './json-string.ts';

const COMMA = 0x2c;
const ZERO = 0x30;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const MINUS = 0x2d;

const NO_NAMES: ReadonlyMap<number, string> = new Map();

/** What a node's member looks like in JSON. All begin with a comma, in whose place the first member of an object gets the brace. */
interface Literals {
  /** `,"name":` */
  readonly member: Uint8Array;
  readonly memberNull: Uint8Array;
  readonly memberTrue: Uint8Array;
  readonly memberFalse: Uint8Array;
  /** `,"resourceType":2,"resourceTypeName":"TOPIC"` by code; null where the values have no names. Filled as codes are met. */
  readonly codes: Map<number, Uint8Array> | null;
}

/**
 * Writes bodies as Kafka's own JSON straight from the tape, the wire's bytes copied where they are what JSON would have. The same as the
 * JSON of `bodyValue`, which is its slow twin in the tests.
 */
export class JsonBody {
  private readonly out: ByteBuffer;
  private readonly memo = new ElementMemo();
  private readonly literals = new Map<MessagePlan, readonly Literals[]>();
  // The message being written.
  private decoded!: Decoded;
  private tape!: Tape;
  private hidden: ReadonlySet<number> | null = null;
  /** Where the struct at work begins, while a comma stands in the place of its brace; -1 when none does. */
  private unopened = -1;
  private leftOut: ReadonlySet<number> | null = null;
  private current: readonly Literals[] = [];

  /** Appends to `out`. */
  constructor(out: ByteBuffer) {
    this.out = out;
  }

  /**
   * Writes the body; `null` if nothing of it was decoded. Members that weren't decoded are absent. The entries in `hidden` (of
   * `secretEntries`) are redacted, the elements of arrays in `leftOut` aren't written.
   */
  write(decoded: Decoded, hidden: ReadonlySet<number> | null, leftOut: ReadonlySet<number> | null = null): void {
    const index = bodyEntry(decoded);
    if (index === NO_ENTRY) {
      this.out.ascii('null');
      return;
    }
    this.decoded = decoded;
    this.tape = decoded.tape;
    this.hidden = hidden;
    this.leftOut = leftOut;
    this.current = this.literalsOf(decoded.plan);
    this.struct(index);
  }

  private literalsOf(plan: MessagePlan): readonly Literals[] {
    let literals = this.literals.get(plan);
    if (literals === undefined) {
      literals = plan.nodes.map(createLiterals);
      this.literals.set(plan, literals);
    }
    return literals;
  }

  private nodeOf(index: number): PlanNode {
    return this.decoded.plan.nodes[this.tape[index] as number] as PlanNode;
  }

  private struct(index: number): void {
    const { out } = this;
    if (this.unopened >= 0) this.open();
    this.unopened = out.length;
    this.members(index);
    if (this.unopened === out.length) out.byte(BRACE_OPEN);
    else if (this.unopened >= 0) this.open();
    this.unopened = -1;
    out.byte(BRACE_CLOSE);
  }

  /** Puts the brace of the struct at work in the place of its first member's comma. */
  private open(): void {
    this.out.room(0)[this.unopened] = BRACE_OPEN;
    this.unopened = -1;
  }

  private members(index: number): void {
    const { tape } = this;
    const until = tape[index + Word.next] as number;
    for (let child = index + ENTRY_WORDS; child < until; child = tape[child + Word.next] as number) {
      const node = this.nodeOf(child);
      // Known tagged fields are members like the others; unknown ones have no children.
      if (node.kind >= Kind.tags) this.members(child);
      else this.member(node, child);
    }
  }

  private member(node: PlanNode, index: number): void {
    const { out } = this;
    const literals = this.current[node.id] as Literals;
    const aux = this.tape[index + Word.aux] as number;
    if (this.hidden?.has(index)) {
      this.redacted(node, literals, index);
    } else if (node.kind === Kind.bool) {
      out.all(aux === 0 ? literals.memberFalse : literals.memberTrue);
    } else if (aux < 0 && node.kind >= Kind.string) {
      out.all(literals.memberNull);
    } else if (literals.codes !== null) {
      out.all(literals.codes.get(aux) ?? this.code(node, literals.codes, aux));
    } else if (node.kind === Kind.records) {
      // Kafka's converters don't print records, only how large they are.
      out.ascii(`,"${node.jsonName}SizeInBytes":${contentBytes(this.decoded, index)}`);
    } else {
      out.all(literals.member);
      this.value(node, index, aux);
    }
  }

  private value(node: PlanNode, index: number, aux: number): void {
    const { out, decoded } = this;
    switch (node.kind) {
      case Kind.string:
        this.string(index, aux);
        break;
      case Kind.int8:
      case Kind.int16:
      case Kind.uint16:
      case Kind.int32:
        this.integer(aux);
        break;
      case Kind.array:
        this.array(node, index);
        break;
      case Kind.struct:
        this.struct(index);
        break;
      case Kind.bool:
        out.ascii(aux === 0 ? 'false' : 'true');
        break;
      case Kind.uint32:
        out.ascii(String(aux >>> 0));
        break;
      case Kind.int64:
        out.ascii(String(int64At(decoded, index)));
        break;
      case Kind.float64:
        out.ascii(floatText(float64At(decoded, index)));
        break;
      case Kind.uuid:
        out.ascii(`"${uuidAt(decoded, index)}"`);
        break;
      default:
        out.ascii(`"${contentBuffer(decoded, index).toString('base64')}"`);
        break;
    }
  }

  private string(index: number, start: number): void {
    const { out, decoded } = this;
    const { bytes, origin } = decoded;
    const end = this.tape[index + Word.end] as number;
    const data = out.room(jsonStringRoom(end - start));
    out.length = writeJsonString(data, out.length, bytes, origin + start, origin + end);
  }

  private array(node: PlanNode, index: number): void {
    const { out, tape } = this;
    const element = node.element as PlanNode;
    const until = tape[index + Word.next] as number;
    // Elements may be written out before the struct around them ends.
    if (this.unopened >= 0) this.open();
    out.byte(BRACKET_OPEN);
    let isFirst = true;
    // What is hidden or left out isn't told by the bytes.
    const isMemorable = element.kind === Kind.struct && this.hidden === null && this.leftOut === null;
    for (let child = index + ENTRY_WORDS; child < until; child = tape[child + Word.next] as number) {
      if (this.leftOut?.has(child)) continue;
      if (!isFirst) out.byte(COMMA);
      isFirst = false;
      if (isMemorable) this.memorable(element, child);
      else this.value(element, child, tape[child + Word.aux] as number);
      out.spill();
    }
    out.byte(BRACKET_CLOSE);
  }

  /** An element of an array, which may have been met before. */
  private memorable(element: PlanNode, index: number): void {
    const { out, tape, decoded, memo } = this;
    const start = decoded.origin + (tape[index + Word.start] as number);
    const end = decoded.origin + (tape[index + Word.end] as number);
    const recall = memo.write(out, element, decoded.bytes, start, end);
    if (recall === Recall.written) return;
    const from = out.length;
    this.value(element, index, tape[index + Word.aux] as number);
    // Where it was spilled, less is there than before.
    if (recall === Recall.metBefore && decoded.error === null && out.length > from)
      memo.keep(out, from, element, decoded.bytes, start, end);
  }

  private integer(value: number): void {
    const { out } = this;
    if (value >= 0 && value < 10) {
      out.byte(ZERO + value);
      return;
    }
    let rest = Math.abs(value);
    if (value < 0) out.byte(MINUS);
    let scale = 1;
    while (scale * 10 <= rest) scale *= 10;
    for (; scale >= 1; scale /= 10) {
      const digit = Math.floor(rest / scale);
      out.byte(ZERO + digit);
      rest -= digit * scale;
    }
  }

  private code(node: PlanNode, codes: Map<number, Uint8Array>, code: number): Uint8Array {
    const literal = ascii(`,"${node.jsonName}":${code},"${node.nameMember}":"${codeName(node.names ?? NO_NAMES, code)}"`);
    codes.set(code, literal);
    return literal;
  }

  private redacted(node: PlanNode, literals: Literals, index: number): void {
    this.out.all(literals.member);
    this.out.ascii(`"${redactedText(contentBytes(this.decoded, index))}","${node.jsonName}Redacted":true`);
  }
}

function createLiterals(node: PlanNode): Literals {
  const member = `,"${node.jsonName}":`;
  return {
    member: ascii(member),
    memberNull: ascii(`${member}null`),
    memberTrue: ascii(`${member}true`),
    memberFalse: ascii(`${member}false`),
    codes: node.nameMember === null ? null : new Map<number, Uint8Array>(),
  };
}

function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}
