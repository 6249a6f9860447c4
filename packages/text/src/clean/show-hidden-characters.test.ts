import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showHiddenCharacters } from './show-hidden-characters.ts';

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
