import type { ByteBuffer } from './byte-buffer.ts';
import { columnsOf, hexByte, isPlain, quoteUtf8Within } from './text.ts';
import type { Style, Theme } from './theme.ts';
import { cutMeaning, type Label, type Piece, piece } from './tree-labels.ts';

const GUIDE_COLUMNS = 4;
const MIN_OFFSET_DIGITS = 4;
/** A cut value keeps at least this much, however deep in the tree it stands. */
const MIN_VALUE_COLUMNS = 16;
/** A meaning that would have to be cut to less is left out: meanings are the first thing to go. */
const MIN_MEANING_COLUMNS = 12;
const SPACE = 0x20;
const QUOTE = 0x22;
const BAR = 0x7c;
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
  private guides = new Uint8Array(16 * GUIDE_COLUMNS);
  private start = 0;
  /** Bytes of the line so far that take no column. */
  private hidden = 0;
  private readonly guideOpen: Piece;
  private readonly branch: Piece;
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
    this.branch = piece(`+-- ${guide.close}`, GUIDE_COLUMNS);
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
    const at = (depth - 1) * GUIDE_COLUMNS;
    this.piece(this.guideOpen);
    this.out.bytes(this.guides, 0, at);
    this.piece(this.branch);
    if (at + GUIDE_COLUMNS > this.guides.length) this.guides = grown(this.guides);
    this.guides[at] = last ? SPACE : BAR;
    this.guides.fill(SPACE, at + 1, at + GUIDE_COLUMNS);
  }

  close(): void {
    this.out.byte(NEWLINE);
  }

  piece(part: Piece): void {
    this.out.bytes(part.bytes, 0, part.bytes.length);
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
    this.out.ascii(style.open + text + style.close);
    this.hidden += style.open.length + style.close.length;
  }

  integer(value: number): void {
    if (value >= 0 && value <= 9) this.out.byte(ZERO + value);
    else this.out.ascii(String(value));
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
    this.out.ascii(', ');
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

  private offset(offset: number): void {
    let digits = MIN_OFFSET_DIGITS;
    while (digits < 8 && offset >>> (4 * digits) !== 0) digits++;
    for (let shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      const digit = (offset >>> shift) & 0xf;
      this.out.byte(digit < 10 ? ZERO + digit : LETTER_A_LESS_10 + digit);
    }
  }
}

/** What stands behind a cut value. */
function cutMark(bytes: number): string {
  return `…+${bytes}B`;
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * bytes.length);
  larger.set(bytes);
  return larger;
}
