import { describe, expect, it } from 'vitest';
import { escapeOutgoingLine, escapeOutgoingText, toCodeSpan } from './escape-outgoing.ts';

/** With what is not seen shown as a dot. */
const show = (text: string) => escapeOutgoingText(text).replaceAll('\u200b', '·');

describe('a text that goes to a platform', () => {
  it.each([
    ['@octocat, see', '@·octocat, see'],
    ['(@acme/security) and @everyone', '(@·acme/security) and @·everyone'],
    ['_@octocat_ **@octocat**', '_@·octocat_ **@·octocat**'],
    ['&#64;octocat &#x40;octocat &commat;octocat', '·&#64;·octocat ·&#x40;·octocat ·&commat;·octocat'],
    ['\\@octocat and [@octocat](x)', '\\@·octocat and [@·octocat](x)'],
    ['担当は山田@octocat、é@acme/team', '担当は山田@·octocat、é@·acme/team'],
    ['<div>&#64octocat &#x0000000040;octocat</div>', '<div>·&#64·octocat ·&#x0000000040;·octocat</div>'],
    ['mail robot@example.org', 'mail robot@example.org'],
    ['see https://www.npmjs.com/package/@types/node', 'see https://www.npmjs.com/package/@types/node'],
    ['[ https://a.example/x](y)@octocat', '[ https://a.example/x](y)@·octocat'],
  ])('notifies nobody: %s [NX-38]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ['`npm i @types/node`', true],
    ['`` a ` @octocat ``', true],
    ['```ts\nimport x from "@types/node";\n\n@Component()\n```', true],
    ['~~~\n@octocat\n~~~\nafter', true],
    ['```\n@octocat is not closed', true],
    ['a ` b\n`@octocat`', false],
    ['- `\n- @octocat `', false],
    ['| ` | @octocat ` |', false],
    ['\\`@octocat`', false],
    ['<a title="`">@octocat `x`', false],
    ['<div>\n```\n@octocat\n```', false],
    ['<!-- a\n\n```\n-->\n@octocat\n```', false],
    ['- a\n\n   ```\n@octocat\n```', false],
    ['a ` b\n```js\n\ncode\n```\n@octocat\n```', false],
    ['> ```\n@octocat\n```', false],
    ['- ```\n@octocat\n```', false],
  ])('leaves code as it is, where every reader takes it for code: %s [NX-38]', (text, isCode) => {
    expect(show(text)).toBe(isCode ? text : text.replaceAll('@', '@·'));
  });

  it.each([
    ['Closes #99, fixes #98', 'C·loses #99, f·ixes #98'],
    ['fixes owner/repo#1 and RESOLVED: #2', 'f·ixes owner/repo#1 and R·ESOLVED: #2'],
    ['closing issue #3; implements !4', 'c·losing issue #3; i·mplements !4'],
    ['Fix **#5**, close [#6](x), resolves GH-7', 'F·ix **#5**, c·lose [#6](x), r·esolves GH-7'],
    ['fixes https://github.com/a/b/issues/8', 'f·ixes https://github.com/a/b/issues/8'],
    ['Closes PROJ-12 and `fixes #13`', 'C·loses PROJ-12 and `f·ixes #13`'],
    ['修正fixes #14 und é: closes #15', '修正f·ixes #14 und é: c·loses #15'],
    [
      `Closes${' '.repeat(40)}#16, fixes issue${' '.repeat(9)}#17`,
      `C·loses${' '.repeat(40)}#16, f·ixes issue${' '.repeat(9)}#17`,
    ],
    ['&#67;loses #18, Closes&#32;#19', '·&#67;·loses #18, Closes·&#32;·#19'],
    [
      'Closes &num;20, closes &#35;21, fixes #&#x32;2',
      'Closes ·&num;·20, closes ·&#35;·21, fixes #·&#x32;·2',
    ],
    ['`&#64;` &#128512; R&D &amp; &lt;a&gt;', '`&#64;` &#128512; R&D ·&amp;· &lt;a&gt;'],
    [
      'It fixes the total, see #9; the fix is small; prefixes #10',
      'It fixes the total, see #9; the fix is small; prefixes #10',
    ],
  ])('closes nothing: %s [NX-38]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ['Typo [skip ci] [CI SKIP] [no ci]', 'Typo [·skip ci] [·CI SKIP] [·no ci]'],
    ['[skip-netlify] [vercel skip] ***NO_CI***', '[·skip-netlify] [·vercel skip] ***·NO_CI***'],
    ['done\nskip-checks: true', 'done\nskip-·checks: true'],
    ['[a link](x) [ ] todo [skip](y)', '[a link](x) [ ] todo [skip](y)'],
  ])('skips no pipeline: %s [NX-38]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it('shows its letters in their order, and nothing that acts on a terminal [NX-38]', () => {
    expect(show('a\u202eb\u2066c\u2069\u0007\u001b[2Jd\u{e0041}\r\ne\u2028f\u200f')).toBe(
      'abc[2Jd\ne\nf\u200f',
    );
    expect(escapeOutgoingLine(' Typo\n\n@octocat\tfixes #1 ')).toBe('Typo @\u200boctocat f\u200bixes #1');
  });

  it("tells nobody the code of a run's envelopes, which a model may repeat [NX-38]", () => {
    const code = '5f0c2f6e-9a1b-4c3d-8e7f-001122334455';
    const repeated = `It said:\n===== BEGIN TEXT ${code} | output of: read_file | authority: untrusted =====\n42\n===== END TEXT ${code} =====\nSo it is.`;
    expect(escapeOutgoingText(repeated)).toBe('It said:\n42\nSo it is.');
  });

  it('takes its megabytes in linear time', () => {
    for (const text of [
      '`'.repeat(1e6),
      '`a'.repeat(5e5),
      'fixes '.repeat(2e5),
      '&#0'.repeat(3e5),
      'a/'.repeat(5e5),
      '&#'.repeat(5e5),
      `closes${'. '.repeat(5e5)}`,
      `closes${'-'.repeat(1e6)}`,
      `closes issue${' '.repeat(1e6)}`,
    ])
      expect(escapeOutgoingText(text).length).toBeGreaterThan(0);
  });
});

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
