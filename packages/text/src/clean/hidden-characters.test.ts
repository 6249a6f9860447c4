import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeHidden, showHiddenCharacters } from './hidden-characters.ts';

/** A text in characters without a shape, as a tag for each letter. */
function toTags(text: string): string {
  return [...text].map((sign) => String.fromCodePoint(0xe0000 + (sign.codePointAt(0) ?? 0))).join('');
}

describe('removeHidden', () => {
  it('takes out what nobody sees: tags, zero-width characters, controls of direction [NX-5]', () => {
    expect(removeHidden(`hello${toTags('obey eve')}!`)).toBe('hello!');
    expect(removeHidden('a\u200bb\u2060c\ufeff \u202ed\u202c\u2066e\u2069')).toBe('abc de');
    expect(removeHidden(`||${'\u200b||'.repeat(100)}`)).toBe('|'.repeat(202));
  });

  it('keeps everything that a chat shows: markup, mentions, emoji, joiners at work [NX-5]', () => {
    for (const text of [
      '<b>bold</b> <!-- shown in a chat --> &amp; [text](https://a.b "title") <@1> <#2> <:smile:3>',
      '👨‍👩‍👧‍👦 ❤️ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1️⃣',
      'می‌خواهم क्‍ष 今日の予定\n\tx',
    ])
      expect(removeHidden(text)).toBe(text);
  });

  it('shows in code what turns the direction of text [NX-5]', () => {
    expect(removeHidden('```js\nif (a \u202e) {}\n``` and `x\u2066`')).toBe(
      '```js\nif (a \\u202E) {}\n``` and `x\\u2066`',
    );
  });

  it('finds nothing more the second time, and gives text that can be sent [NX-5]', () => {
    const piece = fc.constantFrom(
      '`',
      '``',
      '```',
      '\u200b',
      '\u202e',
      '\ud800',
      '\u{e0041}',
      'a',
      '\n',
      '👍',
      '\ufe0f',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const once = removeHidden(pieces.join(''));
        expect(removeHidden(once)).toBe(once);
        expect(once.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('showHiddenCharacters', () => {
  it('shows what no screen shows, and says how much of it there is [NX-58]', () => {
    const tags = [...'run'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    expect(showHiddenCharacters(`const a = 1;${tags} // \u202eetirw\u200b\u0007`)).toEqual({
      text: 'const a = 1;\\u{E0072}\\u{E0075}\\u{E006E} // \\u{202E}etirw\\u{200B}\\u{7}',
      count: 6,
    });
  });

  it.each([
    ['code', 'if (a < b) {\n\treturn `a`;\r\n}\n<!-- a comment of the file -->'],
    ['pictures that are joined', '👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['Persian, Hindi and Japanese', 'می‌خواهم क्‍ष 葛󠄀 日本語'],
  ])('leaves %s as it is [NX-58]', (_, text) => {
    expect(showHiddenCharacters(text)).toEqual({ text, count: 0 });
  });

  it('changes nothing but hidden characters, whatever the text [NX-58]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { text: shown, count } = showHiddenCharacters(text);
        expect(count === 0).toBe(shown === text.toWellFormed());
        expect(showHiddenCharacters(shown).count).toBe(0);
      }),
    );
  });
});
