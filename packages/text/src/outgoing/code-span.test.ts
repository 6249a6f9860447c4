import { expect, it } from 'vitest';
import { toCodeSpan } from './code-span.ts';

it.each([
  ['src/total.test.js', '`src/total.test.js`'],
  ['docs/設計 メモ.md', '`docs/設計 メモ.md`'],
  ['x`\n\n@octocat Closes #7', '``"x`\\n\\n@octocat Closes #7"``'],
  ['`', '``"`"``'],
  ['a\u202etxt.exe', '`"a\\u202etxt.exe"`'],
  ['a  b ', '`"a  b "`'],
  ['', '`""`'],
])('sets a name that somebody chose as code that it cannot leave: %j [NX-38]', (name, span) => {
  expect(toCodeSpan(name)).toBe(span);
});
