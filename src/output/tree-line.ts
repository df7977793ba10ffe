import type { ByteBuffer } from './byte-buffer.ts';
import { columnsOf, hexByte, isPlain, quoteUtf8Within } from './text.ts';
import type { Style, Theme } from './theme.ts';
import { cutMeaning, type Label, type Piece, piece } from './tree-labels.ts';

const GUIDE_COLUMNS = 4;
const MIN_OFFSET_DIGITS = 4;
const MAX_OFFSET_DIGITS = 8;
/** A cut value keeps at least this much, however deep in the tree it stands, even if the line wraps: names and most values of configs fit. */
const MIN_VALUE_COLUMNS = 40;
/** A meaning that would have to be cut to less is left out: meanings are the first thing to go. */
const MIN_MEANING_COLUMNS = 12;
const SPACE = 0x20;
const QUOTE = 0x22;
const BAR = 0x7c;
const PLUS = 0x2b;
const MINUS = 0x2d;
const COMMA = 0x2c;
const ZERO = 0x30;
const LETTER_A_LESS_10 = 0x57;
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
 * Writes the lines of a tree straight into the output's bytes, piece by piece: a tree is some fifteen times the size of its frame, too much to
 * be built of strings first. A line is {@link open}, a label, perhaps a value, {@link span}, a meaning, {@link close}.
 */
export class TreeLine {
  private readonly out: ByteBuffer;
  private readonly theme: Theme;
  private readonly width: number;
  private readonly about: boolean;
  /** What stands before the branch at each level: `|   ` or spaces. */
  private guides = new Uint8Array(16 * GUIDE_COLUMNS).fill(SPACE);
  private start = 0;
  /** Bytes of the line so far that take no column. */
  private hidden = 0;
  private readonly guideOpen: Piece;
  private readonly guideClose: Piece;
  private readonly equals: Piece;
  private readonly valueClose: Piece;
  private readonly spanOpen: Piece;
  private readonly spanClose: Piece;

  constructor(out: ByteBuffer, options: LineOptions) {
    const { guide, value, span } = options.theme;
    this.out = out;
    this.theme = options.theme;
    this.width = options.width ?? Number.POSITIVE_INFINITY;
    this.about = options.about;
    this.guideOpen = piece(guide.open, 0);
    this.guideClose = piece(guide.close, 0);
    this.equals = piece(` = ${value.open}`, 3);
    this.valueClose = piece(value.close, 0);
    this.spanOpen = piece(` ${span.open}[0x`, 4);
    this.spanClose = piece(`B]${span.close}`, 2);
  }

  /** Begins a line at `depth`; 0 has no guide. `last` says that no line of this depth follows below the same parent. */
  open(depth: number, last: boolean): void {
    this.start = this.out.length;
    this.hidden = 0;
    if (depth === 0) return;
    if (depth * GUIDE_COLUMNS > this.guides.length) this.guides = grown(this.guides);
    const { guides } = this;
    const at = (depth - 1) * GUIDE_COLUMNS;
    guides[at] = PLUS;
    guides[at + 1] = MINUS;
    guides[at + 2] = MINUS;
    this.piece(this.guideOpen);
    this.out.bytes(guides, 0, at + GUIDE_COLUMNS);
    this.piece(this.guideClose);
    guides[at] = last ? SPACE : BAR;
    guides[at + 1] = SPACE;
    guides[at + 2] = SPACE;
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
    this.hidden += this.out.length - before - columnsOf(text);
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
    else this.smallInteger(value);
  }

  /** ` = `, and the style of values until {@link valueEnd}. */
  valueStart(): void {
    this.piece(this.equals);
  }

  valueEnd(): void {
    this.piece(this.valueClose);
  }

  /** A string's contents in quotes, cut with a mark where the line would not have `rest` columns left for what follows. */
  quoted(bytes: Uint8Array, start: number, end: number, rest: number): void {
    const room = this.room(rest);
    if (end - start + 2 <= room && isPlain(bytes, start, end)) {
      this.out.byte(QUOTE);
      this.out.bytes(bytes, start, end);
      this.out.byte(QUOTE);
      return;
    }
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
    this.piece(this.spanOpen);
    this.offset(start);
    this.integer(end - start);
    if (whole !== end - start) this.out.ascii(` of ${whole}`);
    this.piece(this.spanClose);
  }

  /** What the field means, cut to what is left of the line. */
  meaning(label: Label): void {
    if (!this.about) return;
    const { about, aboutText } = label;
    const room = this.room(0);
    if (about.bytes.length - about.hidden <= room) this.piece(about);
    else this.remark(aboutText);
  }

  /** A meaning that is no label's. */
  remark(text: string): void {
    const room = this.width - (this.out.length - this.start - this.hidden) - 1;
    if (!this.about || (room < text.length && room < MIN_MEANING_COLUMNS)) return;
    this.out.byte(SPACE);
    this.styled(this.theme.about, cutMeaning(text, room));
  }

  /** Columns that a value may take when `rest` must be left. */
  private room(rest: number): number {
    return Math.max(MIN_VALUE_COLUMNS, this.width - (this.out.length - this.start - this.hidden) - rest);
  }

  /** 0 to 9999: nearly every number in a tree. */
  private smallInteger(value: number): void {
    const data = this.out.room(4);
    let at = this.out.length;
    if (value > 999) data[at++] = ZERO + Math.floor(value / 1000);
    if (value > 99) data[at++] = ZERO + (Math.floor(value / 100) % 10);
    if (value > 9) data[at++] = ZERO + (Math.floor(value / 10) % 10);
    data[at++] = ZERO + (value % 10);
    this.out.length = at;
  }

  /** An offset in hexadecimal, and the comma behind it. */
  private offset(offset: number): void {
    let digits = MIN_OFFSET_DIGITS;
    while (digits < MAX_OFFSET_DIGITS && offset >>> (4 * digits) !== 0) digits++;
    const data = this.out.room(MAX_OFFSET_DIGITS + 2);
    let at = this.out.length;
    for (let shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      const digit = (offset >>> shift) & 0xf;
      data[at++] = digit < 10 ? ZERO + digit : LETTER_A_LESS_10 + digit;
    }
    data[at++] = COMMA;
    data[at++] = SPACE;
    this.out.length = at;
  }
}

/** What stands behind a cut value. */
function cutMark(bytes: number): string {
  return `…+${bytes}B`;
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * bytes.length).fill(SPACE);
  larger.set(bytes);
  return larger;
}
