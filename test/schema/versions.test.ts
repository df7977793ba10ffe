import test from 'ava';
import { hasVersion, parseVersions } from '../../src/schema/versions.ts';

const table: readonly (readonly [text: string, inside: readonly number[], outside: readonly number[]])[] = [
  ['0+', [0, 1, 32_767], [-1]],
  ['3+', [3, 4, 99], [0, 2]],
  ['1-4', [1, 2, 4], [0, 5]],
  ['2', [2], [1, 3]],
  ['10-12', [10, 12], [1, 9, 13]],
  ['none', [], [-1, 0, 1]],
];

for (const [text, inside, outside] of table) {
  test(`the range ${text} holds its versions and no others`, (t) => {
    for (const version of inside) t.true(hasVersion(text, version), `${version}`);
    for (const version of outside) t.false(hasVersion(text, version), `${version}`);
  });
}

test('no range holds no version', (t) => {
  t.false(hasVersion(undefined, 0));
});

for (const text of ['', '+', '1-', '-1', '1-2-3', '1+2', 'all', ' 1', '1.5']) {
  test(`"${text}" is refused as a version range`, (t) => {
    t.throws(() => parseVersions(text), { message: /not a version range/ });
  });
}
