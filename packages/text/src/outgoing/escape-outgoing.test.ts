import { describe, expect, it } from 'vitest';
import {
  escapeOutgoingLine,
  escapeOutgoingMessage,
  escapeOutgoingText,
  toCodeSpan,
} from './escape-outgoing.ts';

const linkHosts = ['github.com'];
/** With what is not seen shown as a dot. */
const show = (text: string) => escapeOutgoingText(text, { linkHosts }).replaceAll('\u200b', '·');

describe('a text that goes to a platform', () => {
  it.each([
    ['@octocat, see', '@·octocat, see'],
    ['(@acme/security) and @everyone', '(@·acme/security) and @·everyone'],
    ['_@octocat_ **@octocat**', '_@·octocat_ **@·octocat**'],
    ['&#64;octocat &#x40;octocat &commat;octocat', '·&#64;·octocat ·&#x40;·octocat ·&commat;·octocat'],
    ['\\@octocat and @[octocat](x)', '\\@·octocat and @·[octocat] (`x`)'],
    ['担当は山田@octocat、é@acme/team', '担当は山田@·octocat、é@·acme/team'],
    ['&#64octocat &#x0000000040;octocat', '·&#·64·octocat ·&#x0000000040;·octocat'],
    ['mail robot@example.org', 'mail `robot@example.org`'],
  ])('notifies nobody: %s [NX-38]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    '`npm i @types/node`',
    '`` a ` @octocat ``',
    '```ts\nimport x from "@types/node";\n\n@Component()\n```',
    '~~~\n@octocat\n~~~\nafter',
    '```\n@octocat is not closed',
    '1. Run:\n\n   ```sh\n   npm i @octokit/rest\n   ```\n',
    '| module | why |\n|---|---|\n| `@octokit/rest` | api |',
    'In code:\n\n    npm i @octokit/rest #12\n',
    '    --- a/x\n    +++ b/x',
    '> ```\n> @octocat\n> ```',
    'a `b\n@octocat` c',
    '- `npm ci`: 2 s\n- `src/a.ts` ~ `b`',
    '[^1]: ```\n    @octocat\n    ```',
  ])('leaves code as it is: %s [NX-250]', (text) => {
    expect(show(text)).toBe(text);
  });

  it.each([
    ['a ` b @octocat', 'a \\` b @·octocat'],
    ['- `\n- @octocat `', '- \\`\n- @·octocat \\`'],
    ['\\`@octocat`', '\\`@·octocat\\`'],
    ['| a | b |\n|---|---|\n| ` | @octocat ` |', '| a | b |\n|---|---|\n| \\` | @·octocat \\` |'],
    ['> ```\n@octocat', '> ```\n@·octocat'],
    ['$$ ` $$ @octocat `x`', '\\$\\$ ` $$ @octocat `x\\`'],
    ['>>>\n```\n>>>\n@octocat\n```', '>>\\>\n```\n>>>\n@octocat\n```'],
    ['---\n```\n---\n@octocat\n```', '***\n```\n---\n@octocat\n```'],
    ['\n \n   ---\n```\n---\n@octocat\n```', '\n \n   ***\n```\n---\n@octocat\n```'],
    ['+++\n```\n+++\n@octocat\n```', '\\+++\n```\n+++\n@octocat\n```'],
    ['a--- coding: x\n---\n```\n---\n@octocat\n```', 'a--- coding: x\n***\n```\n---\n@octocat\n```'],
  ])('lets no reader find code elsewhere: %s [NX-250]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ['![s](https://a.example/i?d=1)', 's (`https://a.example/i?d=1`)'],
    ['![](https://github.com/i.png "a title")', '`https://github.com/i.png "a title"`'],
    ['[text](https://a.example/?d=1)', 'text (`https://a.example/?d=1`)'],
    ['[`code`](https://a.example)', '[`code`] (`https://a.example`)'],
    ['[#46](https://github.com/a/b/pull/46)', '[#46](https://github.com/a/b/pull/46)'],
    ['[a](https://github.com@a.example/)', 'a (`https://github.com@a.example/`)'],
    ['[a](//a.example) [b](javascript:alert)', 'a (`//a.example`) b (`javascript:alert`)'],
    ['see https://a.example/x?y=1, or www.a.example.', 'see `https://a.example/x?y=1`, or `www.a.example`.'],
    ['<https://a.example> <https://github.com/a>', '`https://a.example` <https://github.com/a>'],
    ['https://github.com/a/b/pull/5.', 'https://github.com/a/b/pull/5.'],
    ['https&#58;//a.example https\\://a.example', 'https·&#58;·//a.example `https\\://a.example`'],
    ['[t][r] ![i][r]\n\n[r]: https://a.example', '[t][r] !\\[i][r]\n\n\\[r]: `https://a.example`'],
    ['[t][r]\n\n[r]: https://github.com/a', '[t][r]\n\n[r]: https://github.com/a'],
    ['[![x](https://a.example/y)](https://b.example)', '[x (`https://a.example/y`)] (`https://b.example`)'],
  ])('links to hosts of our own only, and shows no picture: %s [NX-250]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ['<img src=x onerror=y> a < b', '&lt;img src=x onerror=y> a < b'],
    ['<div>\n```\n@octocat\n```', '&lt;div>\n```\n@octocat\n```'],
    ['<!-- a\n\n@octocat -->', '&lt;!-- a\n\n@·octocat -->'],
    [
      '<details>\n<summary>Older (2)</summary>\n\na\n\n</details>',
      '<details>\n<summary>Older (2)</summary>\n\na\n\n</details>',
    ],
    ...[
      ['Closes GH-12', 'C·loses GH-·12'],
      ['abc1234', '`abc1234`'],
      ['Closes PROJ-12', 'C·loses PROJ-12'],
      ['www.a.example', '`www.a.example`'],
    ].map(([words, shown]) => [
      `<details>\n<summary>${words}</summary>\n\nx\n\n</details>`,
      `&lt;details>\n&lt;summary>${shown}&lt;/summary>\n\nx\n\n&lt;/details>`,
    ]),
    ['<details>\n\nnever closed', '&lt;details>\n\nnever closed'],
    ['<details onclick="x">\n\n</details>', '&lt;details onclick="x">\n\n&lt;/details>'],
    ['```mermaid\na --> b\n```', '```mermaid\na --> b\n```'],
    ['```mermaid\nclick a "https://a.example"\n```', '```text\nclick a "https://a.example"\n```'],
    ['$a_1$ and $`\\frac{a}{b}`$', '$a_1$ and $`\\frac{a}{b}`$'],
    ['$`\\href{https://a.example}{x}`$', '\\$`\\href{https://a.example}{x}`\\$'],
    ['$\\href{//a.example}{x}$', '\\$\\href{//a.example}{x}\\$'],
    ['```math\n\\frac{a}{b} \\xi \\upsilon\n```', '```math\n\\frac{a}{b} \\xi \\upsilon\n```'],
    ['```json\n{"markdown": true}\n```', '```json\n{"markdown": true}\n```'],
  ])('shows HTML as text, and draws nothing that reaches elsewhere: %s [NX-250]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ...['json table', 'json:x table', 'json\\:table', 'json {table}', 'json:table x'].map((info) => [
      info,
      '{"markdown":true}',
    ]),
    ['json:table', '{"mar\\u006bdown":true}'],
    ...['&#109;ermaid', 'mermaid:x', 'MERMAID', '\u00a0mermaid', '\\mermaid &#x20;'].map((info) => [
      info,
      'click A "https://a.example"',
    ]),
    ['plantuml:x', '!include https://a.example'],
    ['mermaid', 'A@{ "\\x69mg": "https:\\x2f\\x2fa.example/x.png" }'],
    ['mermaid', 'A["#60;a hr#101;f=x"]'],
    ['vega', '{"data":{"\\u0075rl":"https:\\u002f\\u002fa.example"}}'],
    ['vega', '{"data":{"\\u0075rl":"x"}}'],
    ['math', '\\href{x}{y}'],
  ])('draws nothing that reaches elsewhere in another spelling: %s %s [NX-250]', (info, line) => {
    expect(show(`\`\`\`${info}\n${line}\n\`\`\``)).toBe(`\`\`\`text\n${line}\n\`\`\``);
  });

  it.each([
    ['/merge\n- /approve', '\\/merge\n- \\/approve'],
    ['```\n/merge\n```', ' ```\n /merge\n```'],
    ['`a\n/merge`', '`a /merge`'],
    [`${'> '.repeat(33)}x\n\n/merge`, ` \`\`\`text\n ${'> '.repeat(33)}x\n \n /merge\n\`\`\``],
    ['bors r+\nretest this please', 'b·ors r+\nr·etest this please'],
    ['atlantis apply -d .\n- digger apply', 'a·tlantis apply -d .\n- d·igger apply'],
    ['> terrateam apply\n\npre-commit.ci autofix', '> t·errateam apply\n\np·re-commit.ci autofix'],
    ['see pre-commit.ci, which runs digger', 'see pre-commit.ci, which runs digger'],
    ['::include{file=x}', '\\::include{file=x}'],
    ['and/or, see /srv/agent', 'and/or, see /srv/agent'],
  ])('commands no bot and no forge: %j [NX-250]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ['see #9, a/b#4, !5, &6, GH-7', 'see #·9, a/b#·4, !·5, &·6, GH-·7'],
    ['~bug %"next" ^alert#1 [[page]] group/project>', '~·bug %·"next" ^·alert#·1 [·[page]] group/project·>'],
    ['in abc1234, octo@16c999e8', 'in `abc1234`, octo@`16c999e8`'],
    ['id 27d11689-ad0e-44c9-b6e8-526dbd28dd37', 'id `27d11689-ad0e-44c9-b6e8-526dbd28dd37`'],
    ['_see acme/secret#12_ __#12__ `x`_#12_', '_see acme/secret#·12_ __#·12__ `x`_#·12_'],
    ['GL-12 closes GL-13', 'GL-·12 c·loses GL-·13'],
    [
      'group/project&gt; group/project\\> a\\/b\\-c> x&sol;y> a > b',
      'group/project·&gt; group/project·\\> a\\/b\\-c·> x·&sol;·y> a > b',
    ],
    [
      '%&quot;v&quot; %\\"v" ~&quot;a b&quot; ~\\"a b"',
      '%·&quot;v&quot; %·\\"v" ~·&quot;a b&quot; ~·\\"a b"',
    ],
    [
      '&ast;iteration:1 &midast;iteration:1 &Hat;alert#1',
      '&ast;·iteration:1 &midast;·iteration:1 &Hat;·alert#·1',
    ],
    ['~~old~~ 50 % C# R&D 1/2', '~~old~~ 50 % C# R&D 1/2'],
  ])('names no other thread: %s [NX-250]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ['Closes #99, fixes #98', 'C·loses #·99, f·ixes #·98'],
    ['fixes owner/repo#1 and RESOLVED: #2', 'f·ixes owner/repo#·1 and R·ESOLVED: #·2'],
    ['closing issue #3; implements !4', 'c·losing issue #·3; i·mplements !·4'],
    ['Fix **#5**, resolves GH-7', 'F·ix **#·5**, r·esolves GH-·7'],
    ['fixes https://github.com/a/b/issues/8', 'f·ixes https://github.com/a/b/issues/8'],
    ['Closes PROJ-12 and `fixes #13`', 'C·loses PROJ-12 and `fixes #13`'],
    ['修正fixes #14 und é: closes #15', '修正f·ixes #·14 und é: c·loses #·15'],
    [
      `Closes${' '.repeat(40)}#16, fixes issue${' '.repeat(9)}#17`,
      `C·loses${' '.repeat(40)}#·16, f·ixes issue${' '.repeat(9)}#·17`,
    ],
    ['&#67;loses #18, Closes&#32;#19', '·&#67;·loses #·18, Closes·&#32;·#·19'],
    [
      'Closes &num;20, closes &#35;21, fixes #&#x32;2',
      'Closes ·&num;·20, closes ·&#35;·21, fixes #·&#x32;·2',
    ],
    ['`&#64;` &#128512; R&D &amp; &lt;a&gt;', '`&#64;` &#128512; R&D ·&amp;· &lt;a&gt;'],
    ['It fixes the total; the fix is small', 'It fixes the total; the fix is small'],
  ])('closes nothing: %s [NX-38]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it.each([
    ['Typo [skip ci] [CI SKIP] [no ci]', 'Typo [·skip ci] [·CI SKIP] [·no ci]'],
    ['Typo [skip travis ci] [ skip ci ]', 'Typo [·skip travis ci] [· skip ci ]'],
    ['[skip-netlify] [vercel skip] ***NO_CI***', '[·skip-netlify] [·vercel skip] ***·NO_CI***'],
    ['done\nskip-checks: true', 'done\nskip-·checks: true'],
    ['[ ] todo', '[ ] todo'],
  ])('skips no pipeline: %s [NX-38]', (text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it('shows its letters in their order, and nothing that acts on a terminal [NX-38]', () => {
    expect(show('a\u202eb\u2066c\u2069\u0007\u001b[2Jd\u{e0041}\r\ne\u2028f\u200f')).toBe('abcd\ne\nf\u200f');
    expect(show('\u001b]8;;https://a.example\u0007x\u001b[31;1my\u009b0m')).toBe('xy');
  });

  it.each([
    [' Typo\n\n@octocat\tfixes #1 ', 'Typo @·octocat f·ixes #1'],
    [
      'Fix acme/secret#4 !5 #6 ~bug GL-6 a/b> [[x]] (#7)',
      'F·ix acme/secret#·4 !·5 #·6 ~·bug GL-·6 a/b·> [·[x]] (#7)',
    ],
    ['See acme/secret#4', 'See acme/secret#·4'],
    ['Pin actions/x@abcdef1 and `@a`', 'Pin actions/x@·abcdef1 and `@·a`'],
  ])('names no other thread in a title: %j [NX-38]', (title, shown) => {
    expect(escapeOutgoingLine(title).replaceAll('\u200b', '·')).toBe(shown);
  });

  it('is no longer than GitHub takes a title [NX-38]', () => {
    expect(escapeOutgoingLine('#1 '.repeat(80))).toHaveLength(256);
  });

  it('is no Markdown in the message of a commit, where numbers of threads stay [NX-38]', () => {
    expect(escapeOutgoingMessage('Change `@a` [skip ci]\n\nRefs #7\n')).toBe(
      'Change `@\u200ba` [\u200bskip ci]\n\nRefs #7\n',
    );
  });

  it("tells nobody the code of a run's envelopes, which a model may repeat [NX-38]", () => {
    const code = '5f0c2f6e-9a1b-4c3d-8e7f-001122334455';
    const repeated = `It said:\n===== BEGIN TEXT ${code} | output of: read_file | authority: untrusted =====\n42\n===== END TEXT ${code} =====\nSo it is.`;
    expect(escapeOutgoingText(repeated)).toBe('It said:\n42\nSo it is.');
  });

  it('takes its megabytes in linear time', { tags: ['release'] }, () => {
    for (const text of [
      '`'.repeat(3e5),
      '`a'.repeat(1e5),
      '\\``'.repeat(1e5),
      'fixes '.repeat(1e5),
      '&#0'.repeat(1e5),
      'a/'.repeat(2e5),
      'https://a '.repeat(3e4),
      '[a'.repeat(1e5) + '](b)'.repeat(1e5),
      '<!--\n\n'.repeat(3e4),
      '<details>\n\n'.repeat(3e4),
      'a|b\n-|-\n`x`|y\n'.repeat(2e4),
      '$a'.repeat(2e5),
      `[a](x "${'\\` '.repeat(2e5)}")`,
      `closes${'. '.repeat(2e5)}`,
      `closes${'-'.repeat(4e5)}`,
      `closes issue${' '.repeat(4e5)}`,
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
