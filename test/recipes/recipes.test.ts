import test from 'ava';
import { testExamples } from '../docs/examples.ts';
import { whyMissing } from '../helpers/maven.ts';
import { pythonWith } from '../helpers/tool-cache.ts';

testExamples(test, 'docs/recipes.md', [
  { name: 'jq' },
  { name: 'tshark' },
  // PyPI brings the command itself, for all platforms.
  {
    name: 'duckdb',
    whyMissing: () => whyMissing('python3'),
    script: () => `exec '${pythonWith('duckdb', 'duckdb-cli==1.5.6')}' -m duckdb_cli "$@"`,
  },
]);
