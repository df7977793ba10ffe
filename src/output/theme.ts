import type { ChalkInstance } from 'chalk';

/** What a style puts before and after a text; both empty without colour. */
export interface Style {
  readonly open: string;
  readonly close: string;
}

/** What a byte of a frame belongs to. */
export type Region = 'frame' | 'header' | 'request' | 'response' | 'tags' | 'recordBatch' | 'record' | 'undecoded';

/** The styles of everything that is printed for the eye. */
export interface Theme {
  /** False where styles change nothing, so that colour's meaning must be said otherwise. */
  readonly coloured: boolean;
  readonly guide: Style;
  readonly name: Style;
  readonly type: Style;
  readonly value: Style;
  readonly code: Style;
  readonly span: Style;
  readonly about: Style;
  readonly heading: Style;
  readonly bad: Style;
  readonly regions: Readonly<Record<Region, Style>>;
}

/**
 * One palette for dark and light backgrounds: hues after Okabe and Ito's set, which colour-blind eyes tell apart, in tones of the 256
 * colours' fixed cube that have a contrast of at least 3:1 (WCAG 2.2, 1.4.11) on black and on white. Where a terminal has only its own
 * sixteen, their nearest.
 */
export const palette = {
  grey: { cube: 243, basic: 'gray' },
  blue: { cube: 62, basic: 'blue' },
  sky: { cube: 31, basic: 'cyan' },
  green: { cube: 29, basic: 'green' },
  orange: { cube: 136, basic: 'yellow' },
  vermilion: { cube: 166, basic: 'red' },
  purple: { cube: 169, basic: 'magenta' },
} as const;

/** The theme for a chalk instance; its level decides how many colours there are, and 0 means none. */
export function createTheme(chalk: ChalkInstance): Theme {
  const shade = (name: keyof typeof palette) => (chalk.level < 2 ? chalk[palette[name].basic] : chalk.ansi256(palette[name].cube));
  const colour = (name: keyof typeof palette) => styleOf(shade(name));
  return {
    coloured: chalk.level > 0,
    guide: colour('grey'),
    name: { open: '', close: '' },
    type: colour('sky'),
    value: colour('green'),
    code: colour('orange'),
    span: colour('grey'),
    about: colour('grey'),
    heading: styleOf(chalk.bold),
    bad: styleOf(shade('vermilion').bold),
    regions: {
      frame: colour('grey'),
      header: colour('sky'),
      request: colour('green'),
      response: colour('orange'),
      tags: colour('purple'),
      recordBatch: colour('vermilion'),
      record: colour('blue'),
      undecoded: styleOf(shade('vermilion').bold),
    },
  };
}

/** The text in a style. */
export function paint(style: Style, text: string): string {
  return style.open + text + style.close;
}

/** Asks chalk once what it wraps a text into, so that printing a line needs no call of it. */
function styleOf(chalk: ChalkInstance): Style {
  const [open = '', close = ''] = chalk('x').split('x');
  return { open, close };
}
