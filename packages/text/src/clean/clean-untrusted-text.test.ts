import { describe, expect, it } from 'vitest';
import { isSuspicious } from './character-classes.ts';
import { cleanUntrustedText } from './clean-untrusted-text.ts';

describe('cleanUntrustedText', () => {
  it('says what it took out, how often and how much [NX-5]', () => {
    const text = 'One<!-- a --> two<!-- b -->\u200b, <b title="c">three</b>.';
    expect(cleanUntrustedText(text)).toEqual({
      text: 'One two, <b>three</b>.',
      removed: [
        { kind: 'html-comment', count: 2, chars: 20 },
        { kind: 'zero-width', count: 1, chars: 1 },
        { kind: 'hidden-attribute', count: 1, chars: 10 },
      ],
    });
  });

  it('cuts a text over 256 KB before it looks at it, and says so [NX-5]', () => {
    const { text, removed } = cleanUntrustedText('a'.repeat(300_000));
    expect(text).toHaveLength(262_144);
    expect(removed).toEqual([{ kind: 'over-limit', count: 1, chars: 37_856 }]);
  });

  it.each([
    ['a comment', 'Hello <!-- secret'],
    ['a comment at the start of a line', 'Hello\n\n<!-- secret'],
    ['a processing instruction', 'Hello <? secret'],
    ['an attribute', 'Hello <i title="secret > '],
    ['a hidden element', 'Hello <b hidden>there\n\nsecret'],
    ['an element that shows nothing', 'Hello <template>there\n\nsecret'],
    ['the title of a link', 'Hello [there](https://a.example "secret (and'],
    ['the text of an image', 'Hello ![secret and'],
    ['a definition', 'Hello\n\n[secret]: https://a.example "secret'],
    ['the label of a definition', 'Hello\n\n[secret'],
    ['a comment in a table', 'Hello | `a`\n-|-\n<!-- secret | b'],
  ])('takes out what %s held that the cut has left open [NX-5]', (_, beginning) => {
    const { text } = cleanUntrustedText(`${beginning} words -->">)</b></template> the end`, {
      maxChars: beginning.length + 3,
    });
    expect(text).toContain('Hello');
    expect(text).not.toContain('secret');
  });

  it('keeps what a cut leaves open and a page shows [NX-5]', () => {
    const shown = 'Hello [there](https://a.example) a < b, `code and';
    expect(cleanUntrustedText(`${shown} more`, { maxChars: shown.length }).text).toBe(shown);
  });

  it.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a flag', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['a Han character and its form', '葛󠄀'],
    ['a letter and its accents', 'o\u0302\u0301'],
    ['a syllable', 'क्ष'],
    ['an end of line', '\r\n'],
  ])('never cuts %s in two [NX-5]', (_, grapheme) => {
    for (let inside = 1; inside < grapheme.length; inside += 1) {
      const { text } = cleanUntrustedText(`x${grapheme}y`, { maxChars: 1 + inside });
      expect(text).toBe('x');
    }
    expect(cleanUntrustedText(`x${grapheme}y`, { maxChars: 1 + grapheme.length }).text).toBe(`x${grapheme}`);
  });

  it('cuts between code points where one character has no end [NX-5]', () => {
    const { text } = cleanUntrustedText(`x${'😀\u200d'.repeat(10_000)}`, { maxChars: 9_000 });
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeGreaterThan(8_700);
  });

  it('keeps within the limit when code grows by what it shows [NX-5]', () => {
    const { text, removed } = cleanUntrustedText('`\u202e` '.repeat(100), { maxChars: 400 });
    expect(text).toHaveLength(400);
    expect(text).toContain('`\\u202E` ');
    expect(removed.map(({ kind }) => kind)).toEqual(['bidirectional-control', 'over-limit']);
  });

  it('puts a sign for halves of characters, which nobody could be sent [NX-5]', () => {
    expect(cleanUntrustedText('a\ud83db\udc00')).toEqual({
      text: 'a\ufffdb\ufffd',
      removed: [{ kind: 'broken-character', count: 2, chars: 2 }],
    });
  });

  it('takes its meaning from markup that would outlast its cleaning [NX-5]', () => {
    const knot = `${'<!'.repeat(20)}<!-- x -->${'-- secret -->'.repeat(20)}`;
    const { text, removed } = cleanUntrustedText(knot);
    expect(text).not.toContain('<');
    expect(removed.map(({ kind }) => kind)).toContain('knotted-markup');
    expect(cleanUntrustedText(`${'> '.repeat(40)}<!-- secret -->`).text).not.toContain('<!--');
  });

  it.each([
    ['backticks behind escaped ones', '\\``x'],
    ['beginnings of comments', 'a <!-- <? <!a <![CDATA[ '],
    ['beginnings of links', '[a]('],
    ['tags in the attributes of tags', '<a b="<a b=" '],
    ['definitions with titles', '[a]: b "\n'],
    ['images around images', '!['],
    ['tags without end', '<a b c="'],
    ['addresses in addresses', '[a](b'],
  ])(
    'reads 256 KB of %s and cuts off more, which in quadratic time would outlast a test [NX-5]',
    (_, pattern) => {
      const text = pattern.repeat(300_000 / pattern.length);
      const once = cleanUntrustedText(text).text;
      expect(cleanUntrustedText(once)).toEqual({ text: once, removed: [] });
    },
  );

  it('knows just the characters that Unicode calls ignorable, controls or no characters [NX-5]', () => {
    const unicode =
      /^[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFB}]--[\t\n\r]]$/v;
    const wrong: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      if (isSuspicious(code) !== unicode.test(String.fromCodePoint(code))) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});
