import { Parser } from 'commonmark';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtGrapheme, findFences, fitText, truncationMark } from './fit-text.ts';

const characters = (text: string) => text.length;
const fit = (text: string, maxSize: number) => fitText(text, { maxSize, measure: characters });

const emoji = ['👨‍👩‍👧‍👦', '🇯🇵', '👍🏽', 'e\u0301', '葛\u{E0100}', '\r\n', 'क्षि', '𝒳'];
const graphemeText = fc
  .array(fc.oneof(fc.constantFrom(...emoji), fc.string({ maxLength: 4, unit: 'grapheme' })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));
const markdown = fc
  .array(
    fc.constantFrom(
      ...['a line of words', '', 'b', '```', '```js', '~~~', '````', 'use ```x``` or ``y``', '> quoted'],
      ...['> ```', '- item', '  ```', '    ```', '👩‍💻 code', '```js `x` not a fence', '## 完了'],
    ),
    { maxLength: 25 },
  )
  .map((lines) => lines.join('\n'));

/** The fenced blocks as CommonMark's reference implementation reads them. */
function codeBlocksOf(text: string): (string | null)[] {
  const blocks: (string | null)[] = [];
  const walker = new Parser().parse(text).walker();
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { node } = event;
    if (node.type === 'code_block' && node.info !== null) blocks.push(`${node.info}\n${node.literal}`);
  }
  return blocks;
}

describe('fitText', () => {
  it('leaves a text alone that just fits, and marks one that was cut [A10]', () => {
    const text = 'x'.repeat(40);
    expect(fit(text, 40)).toBe(text);
    expect(fit(text, 39)).toBe(`${'x'.repeat(39 - truncationMark.length)}${truncationMark}`);
    expect(fit(text, 5)).toBe('xxxxx');
    expect(fit(text, 0)).toBe('');
  });

  it('leaves a fenced block out rather than splitting it, and puts its mark behind one on a line of its own [A10]', () => {
    const text = `Before\n\n\`\`\`\n${'code\n'.repeat(20)}\`\`\`\nAfter, with more words than there is room for`;
    expect(fit(text, 100)).toBe(`Before\n${truncationMark}`);
    const whole = text.slice(0, text.indexOf('\nAfter'));
    expect(fit(text, whole.length + 1 + truncationMark.length)).toBe(`${whole}\n${truncationMark}`);
  });

  it('leaves the blank lines of a fence that nothing closes', () => {
    const text = `- item\n  \`\`\`\n\n${'words '.repeat(20)}`;
    expect(fit(text, 26)).toBe(`- item\n  \`\`\`\n\n${truncationMark}`);
  });

  it('makes no fence of a line that is none', () => {
    const text = `words\n\`\`\`js \`x\` is no fence\n${'y'.repeat(80)}`;
    expect(fit(text, 30)).toBe(`words\n${truncationMark}`);
  });

  it('never exceeds the budget, whatever the text and the way of counting [A10]', () => {
    const counters = [characters, (text: string) => new TextEncoder().encode(text).length];
    fc.assert(
      fc.property(fc.oneof(graphemeText, markdown), fc.nat(200), (text, maxSize) => {
        for (const measure of counters)
          expect(measure(fitText(text, { maxSize, measure }))).toBeLessThanOrEqual(maxSize);
      }),
    );
  });

  it('never splits what people see as one character [A10]', () => {
    fc.assert(
      fc.property(graphemeText, fc.nat(120), (text, maxSize) => {
        const kept = fit(text, maxSize).replace(truncationMark, '').trimEnd();
        const borders = [...new Intl.Segmenter().segment(text)].map(({ index }) => index);
        expect(text.startsWith(kept)).toBe(true);
        expect([...borders, text.length]).toContain(kept.length);
      }),
      { numRuns: 500 },
    );
  });

  it('never splits a fenced block: each in the result stands in the text as it is [A10]', () => {
    fc.assert(
      fc.property(markdown, fc.nat(250), (text, maxSize) => {
        const blocks = codeBlocksOf(text);
        for (const [index, block] of codeBlocksOf(fit(text, maxSize)).entries()) {
          expect(block).toBe(blocks[index]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps as much as fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 300 }), fc.integer({ min: 14, max: 400 }), (length, maxSize) => {
        const shown = fit('x'.repeat(length), maxSize);
        expect(shown.length).toBe(Math.min(length, maxSize));
      }),
    );
  });

  it('measures little of a long text', () => {
    let measured = 0;
    const measure = (text: string) => {
      measured += text.length;
      return text.length;
    };
    fitText('words and more\n'.repeat(70_000), { maxSize: 2_000, measure });
    expect(measured).toBeLessThan(1_100_000);
  });
});

const fencesOf = (text: string) => findFences(text).map(({ start, end }) => text.slice(start, end));

describe('findFences', () => {
  it('finds fenced blocks whole, from the line that opens them to the one that closes them', () => {
    expect(fencesOf('a\n```js\none\n\ntwo\n```\nb\n~~~~\n```\n~~~~')).toEqual([
      '```js\none\n\ntwo\n```',
      '~~~~\n```\n~~~~',
    ]);
    expect(fencesOf('```\n```\nb')).toEqual(['```\n```']);
  });

  it('finds them with any line ending, in quotes and in lists', () => {
    expect(fencesOf('a\r\n```\r\none\r\n```\r\nb')).toEqual(['```\r\none\r\n```']);
    expect(fencesOf('> ```\n> one\n> ```\nb')).toEqual(['> ```\n> one\n> ```']);
    expect(fencesOf('- a\n  ```\n  one\n  ```\n- b')).toEqual(['  ```\n  one\n  ```']);
  });

  it('takes one that nothing closes as far as it goes, and none where there is no fence', () => {
    expect(fencesOf('a\n```\none\n\ntwo')).toEqual(['```\none\n\ntwo']);
    expect(fencesOf('- ```\n  one\n> ```\n> two')).toEqual(['- ```\n  one', '> ```\n> two']);
    expect(fencesOf('use `a` or ```b``` there\n    indented')).toEqual([]);
  });
});

describe('cutAtGrapheme', () => {
  it('never cuts inside a character as people see it', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(cutAtGrapheme('hello', 5)).toBe('hello');
    expect(cutAtGrapheme(`ab${family}cd`, 6)).toBe('ab');
    expect(cutAtGrapheme(`${family}cd`, 6)).toBe('');
    expect(cutAtGrapheme(`${'x'.repeat(300)}が`.normalize('NFD'), 301)).toBe('x'.repeat(300));
  });

  it('cuts a cluster that never ends, but no code point', () => {
    expect(cutAtGrapheme(`a${'\u0301'.repeat(5_000)}`, 2_000)).toHaveLength(2_000);
    expect(cutAtGrapheme('🏿'.repeat(500), 301)).toHaveLength(300);
  });

  it('gives the longest beginning that fits, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat({ max: 400 }), (text, max) => {
        const ends = [...new Intl.Segmenter().segment(text)].map(({ index }) => index).concat(text.length);
        const cut = cutAtGrapheme(text, max);
        expect(cut).toBe(text.slice(0, cut.length));
        expect(cut.length).toBe(ends.findLast((end) => end <= max));
      }),
    );
  });
});
