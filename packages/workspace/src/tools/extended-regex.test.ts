import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { toExtendedRegex } from './search-files-tool.ts';

it.each([
  ['\\d+', '[0-9]+'],
  ['[\\w.-]+@x', '[[:alnum:]_.-]+@x'],
  ['a+?b*?c??', 'a+b*c?'],
  ['(?:a|b)\\s\\S', '(a|b)[[:space:]][^[:space:]]'],
  ['[\\]\\[a]', '[][a]'],
  ['[^\\-\\^a]', '[^a^-]'],
  ['\\bfoo\\(', '\\bfoo\\('],
  ['a\\/b\\"', 'a/b"'],
  ['x{2,3}\\{', 'x{2,3}\\{'],
])('writes %j as %j', (pattern, extended) => {
  expect(toExtendedRegex(pattern)).toBe(extended);
});

it.each([
  '[\\w.-]+@x',
  '(?:a|b)\\s\\S',
  '[^\\-\\^a]b',
  'a\\/b',
  'f\\(\\d{2}\\)',
  '[\\]\\[]',
  '^x$',
  'q\\.\\*',
])('matches with %j the lines that JavaScript matches', (pattern) => {
  const lines = [
    'me.x-y@x',
    'a b',
    'b  ',
    '-b',
    '^b',
    'cb',
    'a/b',
    'f(12)',
    ']',
    '[',
    'x',
    'xx',
    'q.*',
    'qab',
  ];
  const found = lines.filter((line) => {
    try {
      execFileSync('grep', ['-E', '-e', toExtendedRegex(pattern)], { input: line });
      return true;
    } catch {
      return false;
    }
  });
  expect(found).toEqual(lines.filter((line) => new RegExp(pattern).test(line)));
});

it.each(['(?=x)', '(?<n>a)', '(a)\\1', '\\p{L}', 'a\\n', 'a\\', '((a{100}){100}){2}'])(
  'refuses %j',
  (pattern) => {
    expect(() => toExtendedRegex(pattern)).toThrow(/cannot be used|backslash|too large/);
  },
);
