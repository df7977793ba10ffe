import type { ByteBuffer } from './byte-buffer.ts';
import { columnsOf, hexByte, quoteUtf8Within } from './text.ts';
import type { Style, Theme } from './theme.ts';
import { cutMeaning, type Label, type Piece, piece } from './tree-labels.ts';

const MIN_OFFSET_DIGITS = 4;
const MAX_OFFSET_DIGITS = 8;
/** A cut value keeps at least this much, however deep in the tree it stands, even if the line wraps: names and most values of configs fit. */
const MIN_VALUE_COLUMNS = 40;
/** A meaning that would have to be cut to less is left out: meanings are the first thing to go. */
const MIN_MEANING_COLUMNS = 12;
/** Deepest line whose guides fit into a number, a bit a level. */
const MAX_NUMBERED_DEPTH = 50;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ZERO = 0x30;
const HEX_DIGITS = new TextEncoder().encode('0123456789abcdef');
const NEWLINE = 0x0a;

/** How wide the lines of a tree may be, what they leave out, and how they look. */
export interface LineOptions {
  /** Columns of the terminal. Null where there is none, and where all is to be printed: then meanings alone are cut, to their fixed length. */
  readonly width: number | null;
  /** Print what the fields mean. */
  readonly about: boolean;
  readonly theme: Theme;
}

/**
 * Writes the lines of a tree straight into the output's bytes: a tree is some thirty times the size of its frame, too much to be built of
 * strings first. Most of a line is what its field's line before had as well, guides included, and is copied in two pieces.
 *
 * A line is {@link field}, a value and {@link valueEnd}, {@link end}; or {@link open}, pieces of text, {@link close}.
 */
export class TreeLine {
  private readonly out: ByteBuffer;
  private readonly theme: Theme;
  private readonly width: number;
  private readonly about: boolean;
  /** Whether a line of a level follows below the same parent, from level 1 on. */
  private readonly bars: boolean[] = [];
  /** A number for the guides of the levels up to each, whose bits are the bars behind a leading 1; NaN where a number can't hold them. */
  private readonly guides: number[] = [1];
  private start = 0;
  /** Bytes of the line so far that take no column. */
  private hidden = 0;
  private readonly valueClose: Piece;
  private readonly spanOpen: Piece;
  private readonly spanClose: Piece;

  constructor(out: ByteBuffer, options: LineOptions) {
    const { value, span } = options.theme;
    this.out = out;
    this.theme = options.theme;
    this.width = options.width ?? Number.POSITIVE_INFINITY;
    this.about = options.about;
    this.valueClose = piece(value.close, 0);
    this.spanOpen = piece(` ${span.open}[0x`, 4);
    this.spanClose = piece(`B]${span.close}`, 2);
  }

  /** Begins a line at `depth`; 0 has no guide. `last` says that no line of this depth follows below the same parent. */
  open(depth: number, last: boolean): void {
    this.out.spill();
    this.start = this.out.length;
    this.hidden = 0;
    const guide = this.guideText(depth);
    this.out.ascii(guide);
    this.hidden = guide.length - 4 * depth;
    this.enter(depth, last);
  }

  /** Begins the line of a field with its label, up to the value or an element's index. */
  field(depth: number, last: boolean, label: Label): void {
    this.out.spill();
    this.start = this.out.length;
    this.hidden = 0;
    const guides = depth === 0 ? 1 : (this.guides[depth - 1] as number);
    if (label.guides !== guides) this.guide(label, guides, depth);
    this.piece(label.guided);
    this.enter(depth, last);
  }

  close(): void {
    this.out.byte(NEWLINE);
  }

  piece(part: Piece): void {
    this.out.all(part.bytes);
    this.hidden += part.hidden;
  }

  /** ASCII text. */
  ascii(text: string): void {
    this.out.ascii(text);
  }

  /** Text that is safe for a terminal, of any characters. */
  text(text: string): void {
    const before = this.out.length;
    this.out.utf8(text);
    if (this.width !== Number.POSITIVE_INFINITY) this.hidden += this.out.length - before - columnsOf(text);
  }

  /** ASCII text in a style. */
  styled(style: Style, text: string): void {
    const { open, close } = style;
    if (open !== '') this.out.ascii(open);
    this.out.ascii(text);
    if (close !== '') this.out.ascii(close);
    this.hidden += open.length + close.length;
  }

  integer(value: number): void {
    if (value < 0 || value > 9999) this.out.ascii(String(value));
    else if (value < 10) this.out.byte(ZERO + value);
    else this.smallInteger(value);
  }

  /** Ends the style of values, which a label begins. */
  valueEnd(): void {
    this.piece(this.valueClose);
  }

  /** A string's contents in quotes, cut with a mark where the line would not have `rest` columns left for what follows. */
  quoted(bytes: Uint8Array, start: number, end: number, rest: number): void {
    const room = this.room(rest);
    if (2 * (end - start) + 2 <= room && this.asciiQuoted(bytes, start, end)) return;
    const whole = quoteUtf8Within(bytes, start, end, room);
    const fitted = whole.cutBytes === 0 ? whole : quoteUtf8Within(bytes, start, end, room - cutMark(end - start).length);
    this.text(fitted.text);
    if (fitted.cutBytes > 0) this.text(cutMark(fitted.cutBytes));
  }

  /** Bytes in hexadecimal, cut like a string. */
  hex(bytes: Uint8Array, start: number, end: number, rest: number): void {
    const room = this.room(rest);
    const isWhole = (end - start) * 2 <= room;
    const kept = isWhole ? end : start + ((room - cutMark(end - start).length) >> 1);
    for (let i = start; i < kept; i++) this.out.ascii(hexByte(bytes[i] as number));
    if (!isWhole) this.text(cutMark(end - kept));
  }

  /** Where the field's bytes are: their offset from the size prefix, and how many there are of how many there should be. */
  span(start: number, end: number, whole = end - start): void {
    this.spanHead(start, end);
    if (whole !== end - start) this.out.ascii(` of ${whole}`);
    this.piece(this.spanClose);
  }

  /** Ends the line of a field: its span and its meaning, cut to what is left of the line. */
  end(start: number, end: number, label: Label): void {
    this.spanHead(start, end);
    const { tail } = label;
    if (this.about && tail.bytes.length - tail.hidden <= this.width - this.columns()) {
      this.piece(tail);
    } else {
      this.piece(this.spanClose);
      this.remark(label.about);
      this.close();
    }
  }

  /** What is to be known of a field, cut like a meaning, or nothing where there is no room. */
  remark(text: string): void {
    const room = this.width - this.columns() - 1;
    if (!this.about || text === '' || (room < text.length && room < MIN_MEANING_COLUMNS)) return;
    this.out.byte(SPACE);
    this.styled(this.theme.about, cutMeaning(text, room));
  }

  private columns(): number {
    return this.out.length - this.start - this.hidden;
  }

  /** Columns that a value may take when `rest` must be left. */
  private room(rest: number): number {
    return Math.max(MIN_VALUE_COLUMNS, this.width - this.columns() - rest);
  }

  /** Notes whether guides of the level go on below. */
  private enter(depth: number, last: boolean): void {
    if (depth === 0) return;
    this.bars[depth] = !last;
    this.guides[depth] = depth > MAX_NUMBERED_DEPTH ? Number.NaN : 2 * (this.guides[depth - 1] as number) + (last ? 0 : 1);
  }

  /** Puts a label's lead behind the guides, as it was made for these before if it was. */
  private guide(label: Label, guides: number, depth: number): void {
    const known = Number.isNaN(guides) ? undefined : label.variants.get(guides);
    label.guided = known ?? joined(this.guideText(depth), 4 * depth, label.lead);
    label.guides = guides;
    if (known === undefined && !Number.isNaN(guides)) label.variants.set(guides, label.guided);
  }

  /** What stands before a line: a bar or space for each level above, and the branch. */
  private guideText(depth: number): string {
    if (depth === 0) return '';
    let text = this.theme.guide.open;
    for (let level = 1; level < depth; level++) text += this.bars[level] ? '|   ' : '    ';
    return `${text}+-- ${this.theme.guide.close}`;
  }

  /** Contents of printable ASCII in quotes, those inside escaped; false, and nothing is written, where there is anything else. */
  private asciiQuoted(bytes: Uint8Array, start: number, end: number): boolean {
    const data = this.out.room(2 * (end - start) + 2);
    let at = this.out.length;
    data[at++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte < 0x20 || byte > 0x7e) return false;
      if (byte === QUOTE || byte === BACKSLASH) data[at++] = BACKSLASH;
      data[at++] = byte;
    }
    data[at++] = QUOTE;
    this.out.length = at;
    return true;
  }

  /** A span up to its unit, written in one go: every line has one. */
  private spanHead(start: number, end: number): void {
    const open = this.spanOpen.bytes;
    const data = this.out.room(open.length + MAX_OFFSET_DIGITS + 2);
    let at = this.out.length;
    for (let i = 0; i < open.length; i++) data[at++] = open[i] as number;
    let shift = 4 * (MIN_OFFSET_DIGITS - 1);
    while (shift < 4 * (MAX_OFFSET_DIGITS - 1) && start >>> (shift + 4) !== 0) shift += 4;
    for (; shift >= 0; shift -= 4) data[at++] = HEX_DIGITS[(start >>> shift) & 0xf] as number;
    data[at++] = COMMA;
    data[at++] = SPACE;
    this.out.length = at;
    this.hidden += this.spanOpen.hidden;
    this.integer(end - start);
  }

  /** 10 to 9999: nearly every number in a tree that has more than one digit. */
  private smallInteger(value: number): void {
    const data = this.out.room(4);
    let at = this.out.length;
    if (value > 999) data[at++] = ZERO + ((value / 1000) | 0);
    if (value > 99) data[at++] = ZERO + (((value / 100) | 0) % 10);
    data[at++] = ZERO + (((value / 10) | 0) % 10);
    data[at++] = ZERO + (value % 10);
    this.out.length = at;
  }
}

/** A piece with text of `columns` before it. */
function joined(text: string, columns: number, part: Piece): Piece {
  const bytes = new Uint8Array(text.length + part.bytes.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  bytes.set(part.bytes, text.length);
  return { bytes, hidden: text.length - columns + part.hidden };
}

/** What stands behind a cut value. */
function cutMark(bytes: number): string {
  return `…+${bytes}B`;
}
