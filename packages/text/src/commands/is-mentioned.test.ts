import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMentioned } from './parse-commands.ts';

describe('a mention of an account', () => {
  it.each([
    ['alone', '@robot'],
    ['in other letters than its own', 'Hi @Robot, please'],
    ['at the end of a sentence', 'ask @robot.'],
    ['before an ellipsis', '@robot... hm'],
    ['in brackets', '(cc @robot)'],
    ['in brackets that are no link', '[@robot] [@robot][a]\n\n[b]: /c'],
    ['behind a colon', 'cc:@robot'],
    ['among Japanese letters', 'お願いします@robot、修正して'],
    ['in bold text', '**@robot** look'],
    ['in text between underscores', '_@robot_ and __@robot__'],
    ['in text that is struck out', '~~@robot~~'],
    ['behind a slash', 'hi/@robot'],
    ['in a list', '- @robot fix it'],
    ['in a heading', '# @robot fix it'],
    ['in a cell', '| a |\n|---|\n| @robot |'],
    ['behind code', '`x` @robot'],
    ['behind a quote', '> one\n\n@robot two'],
    ['in the text of a part that folds', '<details>\n\n@robot\n\n</details>'],
    ['behind an address', 'https://example.org/x @robot'],
    ['with the ending of an app', '@robot[bot] fix it'],
    ['behind letters that are longer in lower case', 'İİİİİİ @robot'],
  ])('is one %s [NX-69]', (_, body) => {
    expect(isMentioned(body, 'robot')).toBe(true);
    expect(isMentioned(body, 'robot[bot]')).toBe(true);
  });

  it.each([
    ['without its sign', 'robot'],
    ['in a longer name', '@robot_ a_@robot_ @robot-2 @robots @robot_x @robot.x'],
    ['as a scope or a team', '@robot/text'],
    ['in an address of mail', 'me@robot you.@robot'],
    ['in an address', 'https://medium.com/@robot https://x.org/?a,@robot www.x.org/(@robot'],
    ['in a link', '[@robot](https://example.org) [a](/b "@robot")'],
    ['in an image', '![@robot](x.png)'],
    ['in a link by reference', '[@robot][a] [@robot][] [@robot]\n\n[a]: /b\n[@robot]: /c'],
    ['in an image by reference', '![@robot][a]\n\n[a]: x.png'],
    ['in a code span', '`@robot`'],
    ['in a fence', '```\n@robot\n```'],
    ['in indented code', 'a\n\n    @robot'],
    ['in a quote', '> @robot fix it\nplease'],
    ['in a comment of HTML', 'a <!-- @robot --> b'],
    ['in a block of HTML', '<div title="x">\n@robot\n</div>'],
    ['in an element of code', '<code>@robot</code> <pre class="x">@robot</pre> <CODE>\n@robot'],
    ['in an element of a link', '<a href="/x">@robot</a>'],
    ['in an attribute', 'a <b title="@robot">b</b>'],
    ['behind a backslash', String.raw`\@robot`],
    ['broken by a character that is not shown', '@ro\u200bbot'],
    ['as a definition', '[@robot]: https://example.org'],
    ['nowhere', ''],
  ])('is none %s [NX-69]', (_, body) => {
    expect(isMentioned(body, 'robot')).toBe(false);
  });

  it('of a name with dots is of that name alone', () => {
    expect(isMentioned('@a.b!', 'a.b')).toBe(true);
    expect(isMentioned('@aXb', 'a.b')).toBe(false);
  });

  it('is looked for in any text without an error', () => {
    const part = fc.constantFrom('@robot', ' ', '\n', '`', '>', '[', '](', ')', '<!--', '-->', 'あ', '\\');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        if (isMentioned(text, 'robot')) expect(text).toContain('@robot');
      }),
    );
  });
});
