import { expect, it } from 'vitest';
import { z } from 'zod';
import { readJsonAnswer } from './read-json-answer.ts';
import { repairJson } from './repair-json.ts';
import { unescapeText } from './repair-string.ts';

it.each([
  [String.raw`\d\w\s\(\)\.\[\]\$\|\*\+\?`, String.raw`\d\w\s\(\)\.\[\]\$\|\*\+\?`],
  [String.raw`src\components`, String.raw`src\components`],
  [String.raw`src\utils\u00e4`, String.raw`src\utilsä`],
  [String.raw`a\\d\/\"\'\“b`, String.raw`a\d/"'“b`],
  [String.raw`a\n\tb`, 'a\n\tb'],
  ['a\\\nb', 'a\nb'],
  [String.raw`a\u30b`, 'a'],
  ['a\\', 'a'],
])('reads %j as %j: a backslash that escapes nothing of JSON stays', (raw, text) => {
  expect(unescapeText(raw)).toBe(text);
});

it('keeps the patterns and paths of a plan whose answer is repaired', () => {
  const written = String.raw`{"pattern":"function\s+total\(\w*\)","path":"src\components", "digits": '\d+\.\d',}`;
  const meant = {
    pattern: String.raw`function\s+total\(\w*\)`,
    path: String.raw`src\components`,
    digits: String.raw`\d+\.\d`,
  };
  expect(repairJson(written)).toEqual(meant);
  expect(readJsonAnswer(written, z.unknown())).toEqual({ status: 'read', answer: meant, way: 'repaired' });
});
