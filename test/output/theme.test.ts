import test from 'ava';
import { Chalk } from 'chalk';
import { createTheme, paint, palette } from '../../src/output/theme.ts';

/** WCAG 2.2, 1.4.11: what graphics need to be told from their background. */
const LEAST_CONTRAST = 3;
const CUBE_LEVELS = [0, 95, 135, 175, 215, 255];

/** Red, green and blue of one of xterm's 256 colours from 16 on. */
function rgb(code: number): number[] {
  if (code >= 232) return Array.from({ length: 3 }, () => 8 + 10 * (code - 232));
  const index = code - 16;
  return [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((level) => CUBE_LEVELS[level] as number);
}

/** Relative luminance as WCAG defines it. */
function luminance(code: number): number {
  const [red = 0, green = 0, blue = 0] = rgb(code).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

for (const [name, { cube }] of Object.entries(palette)) {
  test(`${name} reads on black and on white`, (t) => {
    t.true((luminance(cube) + 0.05) / 0.05 >= LEAST_CONTRAST);
    t.true(1.05 / (luminance(cube) + 0.05) >= LEAST_CONTRAST);
  });
}

test('without colour nothing is added', (t) => {
  const theme = createTheme(new Chalk({ level: 0 }));
  t.false(theme.coloured);
  const styles = [theme.guide, theme.name, theme.type, theme.value, theme.code, theme.span, theme.about, theme.heading, theme.bad];
  for (const style of [...styles, ...Object.values(theme.regions)]) t.is(paint(style, 'x'), 'x');
});

for (const level of [1, 2, 3] as const) {
  test(`at colour level ${level} each region of a DescribeConfigs frame looks different`, (t) => {
    const { frame, header, request, response, tags, undecoded } = createTheme(new Chalk({ level })).regions;
    const painted = [frame, header, request, response, tags, undecoded].map((style) => paint(style, 'x'));
    t.is(new Set(painted).size, painted.length);
  });
}

test('sixteen-colour terminals get their own colours', (t) => {
  t.is(paint(createTheme(new Chalk({ level: 1 })).value, 'x'), '\u001b[32mx\u001b[39m');
  t.is(paint(createTheme(new Chalk({ level: 2 })).value, 'x'), '\u001b[38;5;29mx\u001b[39m');
});
