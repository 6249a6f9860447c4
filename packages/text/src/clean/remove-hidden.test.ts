import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeHidden } from './remove-hidden.ts';

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
