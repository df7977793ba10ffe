import test from 'ava';
import { testExamples } from './examples.ts';

testExamples(test, 'README.md', [{ name: 'jq' }]);
