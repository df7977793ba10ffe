import { type Decoded, Word } from '../decode/decoded.ts';
import { decodedRegions, regionNames, regionOrder, undecodedRegions } from './regions.ts';
import { hexByte } from './text.ts';
import { paint, type Region, type Theme } from './theme.ts';

const ROW_BYTES = 16;
const HALF_ROW = ROW_BYTES / 2;
const MIN_OFFSET_DIGITS = 4;

/** Which bytes to lay out, and what is known of them. */
export interface LayoutInput {
  /** The frame is `bytes[origin, origin + length)`, size prefix first. */
  readonly bytes: Uint8Array;
  readonly origin: number;
  readonly length: number;
  /** Null for a frame without a schema. */
  readonly decoded: Decoded | null;
  /** Tape indexes of the fields whose contents must not be shown; their bytes are printed as `**`. */
  readonly redacted: ReadonlySet<number> | null;
  /** Print all that weren't decoded so too. */
  readonly hideUndecoded?: boolean;
}

/**
 * The byte layout of a frame, line by line without line ends: a heading, a ruler, sixteen bytes a row with offset and ASCII, and a legend
 * of the regions that occur. Without colour each row is followed by one that names the region of each byte by a letter.
 */
export function* byteLayout(input: LayoutInput, theme: Theme): Generator<string, void> {
  const { length } = input;
  const seen = new Set<Region>();
  const digits = Math.max(MIN_OFFSET_DIGITS, length.toString(16).length);
  yield `byte layout (${length} ${length === 1 ? 'byte' : 'bytes'}, ${ROW_BYTES} bytes per row)`;
  yield paint(theme.span, ruler(digits));
  yield* rows(input, digits, theme, seen);
  yield legend(seen, !theme.coloured, theme);
}

/** The regions' names in the order of a message page, each in its colour, or behind its letter where `letters` are used. */
export function legend(regions: ReadonlySet<Region>, letters: boolean, theme: Theme): string {
  const texts: string[] = [];
  for (const region of regionOrder) {
    if (!regions.has(region)) continue;
    const { name, letter } = regionNames[region];
    texts.push(paint(theme.regions[region], letters ? `${letter} ${name}` : name));
  }
  return texts.join('  ');
}

/** Notes the regions of what it lays out in `seen`. */
function* rows(input: LayoutInput, digits: number, theme: Theme, seen: Set<Region>): Generator<string, void> {
  const { bytes, origin, length, decoded, redacted, hideUndecoded = false } = input;
  const runs = decoded === null ? undecodedRegions(length) : decodedRegions(decoded);
  const hidden = decoded === null || redacted === null ? null : new HiddenBytes(decoded, redacted);
  let region: Region = 'undecoded';
  let runEnd = 0;
  for (let row = 0; row < length; row += ROW_BYTES) {
    const line = new Row(theme);
    for (let offset = row; offset < Math.min(row + ROW_BYTES, length); offset++) {
      if (offset >= runEnd) {
        const { value } = runs.next();
        runEnd = value?.end ?? length;
        region = value?.region ?? 'undecoded';
        seen.add(region);
      }
      const isHidden = (hideUndecoded && region === 'undecoded') || hidden?.holds(offset) === true;
      line.add(isHidden ? null : (bytes[origin + offset] as number), region);
    }
    yield `${paint(theme.span, row.toString(16).padStart(digits, '0'))} ${line.text()}`;
    if (!theme.coloured) yield `${' '.repeat(digits)} ${line.letters()}`.trimEnd();
  }
}

/** Collects the bytes of one row, painted in runs rather than one by one. */
class Row {
  private readonly theme: Theme;
  private hex = '';
  private ascii = '';
  private marks = '';
  private count = 0;
  private region: Region | null = null;

  constructor(theme: Theme) {
    this.theme = theme;
  }

  /** Null is a byte that must not be shown. */
  add(byte: number | null, region: Region): void {
    const gap = this.count === HALF_ROW ? '  ' : ' ';
    if (region !== this.region) this.turn(region);
    this.hex += gap + (byte === null ? '**' : hexByte(byte));
    this.ascii += byte === null ? '*' : byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : '.';
    this.marks += `${gap} ${regionNames[region].letter}`;
    this.count += 1;
  }

  text(): string {
    const missing = ROW_BYTES - this.count;
    const padding = ' '.repeat(3 * missing + (this.count <= HALF_ROW ? 1 : 0));
    const close = this.closing();
    return `${this.hex}${close}${padding}  ${this.ascii}${close}`;
  }

  letters(): string {
    return this.marks;
  }

  private turn(region: Region): void {
    const change = this.closing() + this.theme.regions[region].open;
    this.hex += change;
    this.ascii += change;
    this.region = region;
  }

  private closing(): string {
    return this.region === null ? '' : this.theme.regions[this.region].close;
  }
}

function ruler(digits: number): string {
  let text = ' '.repeat(digits + 1);
  for (let i = 0; i < ROW_BYTES; i++) text += `${i === HALF_ROW ? '  ' : ' '} ${i.toString(16).toUpperCase()}`;
  return text;
}

/** The contents of redacted fields, asked for in the order of offsets. */
class HiddenBytes {
  readonly #tape: Decoded['tape'];
  readonly #entries: Int32Array;
  #next = 0;

  constructor({ tape }: Decoded, redacted: ReadonlySet<number>) {
    this.#tape = tape;
    this.#entries = Int32Array.from(redacted).sort();
  }

  holds(offset: number): boolean {
    while (this.#next < this.#entries.length && this.#word(Word.end) <= offset) this.#next++;
    if (this.#next === this.#entries.length) return false;
    const start = this.#word(Word.aux);
    return start >= 0 && offset >= start;
  }

  #word(word: number): number {
    return this.#tape[(this.#entries[this.#next] as number) + word] as number;
  }
}
