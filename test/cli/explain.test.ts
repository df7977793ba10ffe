import test from 'ava';
import { runCli } from '../helpers/run-cli.ts';

test('an API is named as one likes, and its newest version is explained', async (t) => {
  const outputs = await Promise.all(
    [['DescribeConfigs'], ['describeconfigs'], ['32'], ['DescribeConfigs', '--api-version', '4']].map(explain),
  );
  for (const { code, stdout, stderr } of outputs) {
    t.is(code, 0, stderr);
    t.is(stdout, outputs[0]?.stdout ?? '');
  }
  const [page = ''] = outputs.map(({ stdout }) => stdout);
  t.true(page.startsWith('DescribeConfigs\n'));
  for (const headline of ['Request v4, request header v2, 24 bytes', 'Response v4, response header v1, 35 bytes'])
    t.true(page.includes(headline));
});

test('one side alone', async (t) => {
  const [request, response] = await Promise.all([explain(['DescribeConfigs', '--request']), explain(['DescribeConfigs', '--response'])]);
  t.deepEqual([request.stdout.includes('DescribeConfigsRequest v4'), request.stdout.includes('DescribeConfigsResponse v4')], [true, false]);
  t.deepEqual(
    [response.stdout.includes('DescribeConfigsRequest v4'), response.stdout.includes('DescribeConfigsResponse v4')],
    [false, true],
  );
});

test('every message that has a schema', async (t) => {
  const { code, stdout } = await explain(['Fetch', '--api-version', '12']);
  t.is(code, 0);
  t.regex(stdout, /FetchRequest v12/);
});

const errors: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no name', [], /not enough non-option arguments/i],
  ['an unknown name', ['DescribeNothing'], /there is no API DescribeNothing; .* as in explain DescribeConfigs or explain 32/],
  [
    'an unknown version',
    ['DescribeConfigs', '--api-version', '5'],
    /there is no schema of DescribeConfigs version 5: versions 0 to 4 are known/,
  ],
  ['a version that is none', ['DescribeConfigs', '--api-version', 'new'], /--api-version takes a whole number from 0, not new/],
  ['two sides', ['DescribeConfigs', '--request', '--response'], /request.*response/],
  ['two names', ['Fetch', 'Produce'], /explain takes one name, and Produce beside it means nothing/],
];

for (const [title, words, message] of errors) {
  test(`${title} is a usage error`, async (t) => {
    const { code, stdout, stderr } = await explain(words);
    t.is(code, 2, stderr);
    t.is(stdout, '');
    t.regex(stderr, message);
  });
}

function explain(words: readonly string[]) {
  return runCli(['explain', ...words]);
}
