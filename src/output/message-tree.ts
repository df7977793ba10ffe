import { redactedText } from '../decode/content.ts';
import { type Decoded, ENTRY_WORDS, Word } from '../decode/decoded.ts';
import { tagContent } from '../decode/unknown-tags.ts';
import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { numberText } from './number-text.ts';
import { codePiece, createLabels, type Label, type Piece, presenceLabel } from './tree-labels.ts';
import { type LineOptions, TreeLine } from './tree-line.ts';
import { counted } from './words.ts';

/** How a message's tree is printed. */
export interface MessageTreeOptions extends LineOptions {
  /** Levels below the message's own line; what lies deeper is folded into its first line. Null for all. */
  readonly depth: number | null;
  /** The message is made up, the smallest legal instance: the texts say "sample". */
  readonly sample: boolean;
}

/** What else there is to say about a message beside its tape. */
export interface MessageFacts {
  /** Where the message should end, counted from the size prefix. */
  readonly endOffset: number;
  /** Tape indexes of the fields whose contents must not be shown. */
  readonly redacted: ReadonlySet<number> | null;
  /** Tape indexes of the elements of arrays that aren't printed: the array says how many. */
  readonly leftOut: ReadonlySet<number> | null;
  /** Why bytes are missing, in words; null if none are. */
  readonly missing: string | null;
}

/** Columns of ` [0x0000, ` and `B]`, without the number of bytes. */
const SPAN_COLUMNS = 12;

/**
 * Prints decoded messages as trees: a line for the message, for each field, and for what the lengths of arrays are. Labels of a message's
 * fields are made once a version. The tape is read where it lies; nothing is kept of a message.
 */
export class MessageTree {
  private readonly options: MessageTreeOptions;
  private readonly line: TreeLine;
  private readonly depth: number;
  private readonly presenceLabel: Label;
  private readonly unknownCode: Piece;
  private readonly labels = new Map<MessagePlan, readonly Label[]>();
  // The message being printed.
  private decoded!: Decoded;
  private current: readonly Label[] = [];
  private redacted: ReadonlySet<number> | null = null;
  private leftOut: ReadonlySet<number> | null = null;

  constructor(out: ByteBuffer, options: MessageTreeOptions) {
    this.options = options;
    this.line = new TreeLine(out, options);
    this.presenceLabel = presenceLabel(options.theme);
    this.unknownCode = codePiece('unknown', options.theme.bad);
    this.depth = options.depth ?? Number.POSITIVE_INFINITY;
  }

  /** Prints one message. Its tree goes as far as the tape does and ends with what is missing, contradictory or left over. */
  print(decoded: Decoded, facts: MessageFacts): void {
    this.decoded = decoded;
    this.redacted = facts.redacted;
    this.leftOut = facts.leftOut;
    this.current = this.labelsOf(decoded.plan);
    const { line } = this;
    line.field(0, true, this.labelOf(0));
    const start = decoded.tape[Word.start] as number;
    line.span(start, decoded.length, facts.endOffset - start);
    line.close();
    const isWhole = decoded.error === null && decoded.trailingBytes === 0;
    if (this.depth > 0) this.children(0, 1, isWhole);
    if (!isWhole) this.remains(facts);
  }

  private labelsOf(plan: MessagePlan): readonly Label[] {
    let labels = this.labels.get(plan);
    if (labels === undefined) {
      labels = createLabels(plan, this.options.theme);
      this.labels.set(plan, labels);
    }
    return labels;
  }

  private nodeOf(index: number): PlanNode {
    return this.decoded.plan.nodes[this.decoded.tape[index] as number] as PlanNode;
  }

  private labelOf(index: number): Label {
    return this.current[this.decoded.tape[index] as number] as Label;
  }

  /** Prints the entries inside `index`; `ends` says that no other line of their depth follows. */
  private children(index: number, depth: number, ends: boolean): void {
    const { tape } = this.decoded;
    const { leftOut } = this;
    const until = leftOut === null ? (tape[index + Word.next] as number) : this.shownUntil(index, leftOut);
    let ordinal = 0;
    for (let child = index + ENTRY_WORDS; child < until; ) {
      const next = tape[child + Word.next] as number;
      if (!leftOut?.has(child)) this.entry(child, depth, ends && next >= until, ordinal);
      ordinal++;
      child = next;
    }
  }

  /** Where the last child ends that isn't left out. */
  private shownUntil(index: number, leftOut: ReadonlySet<number>): number {
    const { tape } = this.decoded;
    const until = tape[index + Word.next] as number;
    let shown = index;
    for (let child = index + ENTRY_WORDS; child < until; child = tape[child + Word.next] as number) {
      if (!leftOut.has(child)) shown = tape[child + Word.next] as number;
    }
    return shown;
  }

  private entry(index: number, depth: number, last: boolean, ordinal: number): void {
    const { line } = this;
    const { tape } = this.decoded;
    const node = this.nodeOf(index);
    const label = this.labelOf(index);
    const isFolded = depth >= this.depth;
    line.field(depth, last, label);
    if (label.leadEnd !== null) {
      line.integer(node.kind === Kind.tag ? (tape[index + Word.aux] as number) : ordinal);
      line.piece(label.leadEnd);
    }
    this.value(node, index, isFolded, label);
    const start = tape[index + Word.start] as number;
    const end = tape[index + Word.end] as number;
    const remark = this.remarkFor(node, index);
    if (remark === null) line.end(start, end, label);
    else this.endWith(start, end, remark);
    if (!isFolded && node.kind >= Kind.array) this.inside(node, index, depth + 1);
  }

  /** What is said in place of the field's own meaning, or null. */
  private remarkFor(node: PlanNode, index: number): string | null {
    if (node.kind === Kind.tag && this.hasChildren(index)) return 'known tagged field';
    if (this.options.sample && (this.decoded.tape[index + Word.start] as number) === 0 && node.kind === Kind.int32) {
      return `${node.about}, patched after encoding`;
    }
    return null;
  }

  private endWith(start: number, end: number, remark: string): void {
    this.line.span(start, end);
    this.line.remark(remark);
    this.line.close();
  }

  private hasChildren(index: number): boolean {
    return (this.decoded.tape[index + Word.next] as number) > index + ENTRY_WORDS;
  }

  /** The lines below an array, struct, tagged fields section or tag. */
  private inside(node: PlanNode, index: number, depth: number): void {
    const last = !this.hasChildren(index);
    if (node.kind === Kind.array) this.arrayLength(node, index, depth, last);
    else if (node.kind === Kind.struct && node.nullable) this.presence(index, depth, last);
    this.children(index, depth, true);
  }

  private arrayLength(node: PlanNode, index: number, depth: number, last: boolean): void {
    const { line } = this;
    const { tape, bytes, origin } = this.decoded;
    const start = tape[index + Word.start] as number;
    const count = tape[index + Word.aux] as number;
    let end = start + 4;
    if (node.compact) for (end = start + 1; (bytes[origin + end - 1] as number) > 0x7f; ) end++;
    line.field(depth, last, this.labelOf(index).length as Label);
    line.integer(node.compact ? count + 1 : count);
    line.valueEnd();
    if (node.compact) line.ascii(' (compact, n+1)');
    this.endWith(start, end, count < 0 ? '' : this.following(count));
  }

  private following(count: number): string {
    if (count !== 1) return `${count} elements follow`;
    return this.options.sample ? 'one sample element follows' : '1 element follows';
  }

  private presence(index: number, depth: number, last: boolean): void {
    const { line } = this;
    const { tape, bytes, origin } = this.decoded;
    const start = tape[index + Word.start] as number;
    line.field(depth, last, this.presenceLabel);
    line.integer(((bytes[origin + start] as number) << 24) >> 24);
    line.valueEnd();
    line.end(start, start + 1, this.presenceLabel);
  }

  private value(node: PlanNode, index: number, isFolded: boolean, label: Label): void {
    const { line } = this;
    const aux = this.decoded.tape[index + Word.aux] as number;
    switch (node.kind) {
      case Kind.struct:
        this.struct(node, index, isFolded, label);
        break;
      case Kind.array:
        if (aux < 0) line.ascii('null');
        else this.count(aux);
        line.valueEnd();
        if (this.leftOut !== null) this.countLeftOut(index, this.leftOut);
        break;
      case Kind.string:
      case Kind.bytes:
      case Kind.records:
        this.content(node, index, aux, label);
        break;
      case Kind.tag:
        this.tag(index, aux);
        break;
      default:
        this.number(node, index, aux, label);
    }
  }

  private count(elements: number): void {
    this.line.integer(elements);
    this.line.ascii(elements === 1 ? ' element' : ' elements');
  }

  private countLeftOut(index: number, leftOut: ReadonlySet<number>): void {
    const { tape } = this.decoded;
    const until = tape[index + Word.next] as number;
    let count = 0;
    for (let child = index + ENTRY_WORDS; child < until; child = tape[child + Word.next] as number) if (leftOut.has(child)) count++;
    if (count > 0) this.line.styled(this.options.theme.bad, `, ${count} left out by filters`);
  }

  private number(node: PlanNode, index: number, aux: number, label: Label): void {
    const { line, decoded } = this;
    if ((node.kind <= Kind.int32 && node.kind !== Kind.bool) || node.kind === Kind.tags) line.integer(aux);
    else line.ascii(numberText(decoded, index));
    line.valueEnd();
    if (label.codes !== null && aux !== 0) line.piece(label.codes.get(aux) ?? this.unknownCode);
  }

  /** Structs that an array or a field holds are `= struct`; header and body have their version for a type and no value. */
  private struct(node: PlanNode, index: number, isFolded: boolean, label: Label): void {
    const { line, decoded } = this;
    const isNull = node.nullable && (decoded.tape[index + Word.aux] as number) < 0;
    const isSection = label.leadEnd === null && decoded.plan.root.fields.includes(node);
    if (!isSection) {
      line.ascii(isNull ? 'null' : 'struct');
      line.valueEnd();
    }
    if (isFolded && !isNull) line.ascii(`, ${counted(this.fieldCount(index), 'field')}`);
  }

  private fieldCount(index: number): number {
    const { tape } = this.decoded;
    const until = tape[index + Word.next] as number;
    let count = 0;
    for (let child = index + ENTRY_WORDS; child < until; child = tape[child + Word.next] as number) {
      if (this.nodeOf(child).kind !== Kind.tags) count++;
    }
    return count;
  }

  private content(node: PlanNode, index: number, from: number, label: Label): void {
    const { line, decoded } = this;
    const { bytes, origin, tape } = decoded;
    const end = tape[index + Word.end] as number;
    const length = from < 0 ? -1 : end - from;
    const prefix = node.compact ? length + 1 : length;
    if (from < 0) line.ascii('null');
    else if (this.redacted?.has(index)) line.ascii(redactedText(length));
    else {
      const rest = label.lengthPrefix.bytes.length + digits(prefix) + 1 + SPAN_COLUMNS + digits(end);
      if (node.kind === Kind.string) line.quoted(bytes, origin + from, origin + end, rest);
      else if (length === 0) line.ascii('empty');
      else line.hex(bytes, origin + from, origin + end, rest);
    }
    line.valueEnd();
    line.piece(label.lengthPrefix);
    line.integer(prefix);
    line.ascii(')');
  }

  private tag(index: number, tag: number): void {
    const { line, decoded } = this;
    const { bytes, origin, tape } = decoded;
    const end = tape[index + Word.end] as number;
    const from = Math.min(end, tagContent(bytes, origin, tape[index + Word.start] as number));
    const encoding = ` (tag=${tag}, size=${end - from})`;
    if (this.hasChildren(index)) line.ascii(this.nodeOf(index + ENTRY_WORDS).name);
    else if (from === end) line.ascii('empty');
    else line.hex(bytes, origin + from, origin + end, encoding.length + SPAN_COLUMNS + digits(end));
    line.valueEnd();
    line.ascii(encoding);
  }

  /** The last line of a message that isn't whole: where decoding stopped and why, or the bytes that nothing is known of. */
  private remains({ endOffset, missing }: MessageFacts): void {
    const { line, decoded } = this;
    const { error, length, trailingBytes, bytes, origin } = decoded;
    const { bad } = this.options.theme;
    line.open(1, true);
    if (error === null) {
      const start = length - trailingBytes;
      line.styled(bad, 'trailing bytes');
      line.ascii(' = ');
      line.hex(bytes, origin + start, origin + length, SPAN_COLUMNS + 2 * digits(trailingBytes));
      line.span(start, length);
      line.remark('behind the end of the body');
    } else {
      line.styled(bad, 'not decoded');
      line.span(error.offset, Math.max(endOffset, error.offset));
      line.text(` ${error.path === '' ? '' : `${error.path}: `}${error.message}`);
      if (error.code === 'truncated' && missing !== null) line.text(` (${missing})`);
    }
    line.close();
  }
}

/** Decimal digits of a number that isn't negative. */
function digits(value: number): number {
  let count = 1;
  for (let rest = value; rest >= 10; rest /= 10) count++;
  return count;
}
