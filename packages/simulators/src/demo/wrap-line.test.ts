import { expect, it } from 'vitest';
import { wrapLine } from './wrap-line.ts';

it.each([
  ['', ['']],
  ['as it is', ['as it is']],
  ['one two three four', ['one two', 'three four']],
  ['- one two three', ['- one two', '  three']],
  ['  - one  two', ['  - one', '    two']],
  ['☐ one two three', ['☐ one two', '  three']],
  ['a http://127.0.0.1/longer b', ['a', 'http://127.0.0.1/longer', 'b']],
])('breaks “%s” at its spaces only', (text, lines) => {
  expect(wrapLine(text, 10)).toEqual(lines);
});
