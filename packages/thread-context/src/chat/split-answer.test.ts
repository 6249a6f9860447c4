import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOpenFence, splitAnswer } from './split-answer.ts';

const split = (text: string): readonly string[] =>
  splitAnswer(text, { maxChars: 2_000, maxPartChars: 1_900 });

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

describe('splitAnswer', () => {
  it('leaves alone what the platform takes [D10]', () => {
    expect(split('a'.repeat(2_000))).toEqual(['a'.repeat(2_000)]);
    expect(split('')).toEqual([]);
  });

  it('splits at lines, else at spaces, else between characters [D10]', () => {
    const line = `${'word '.repeat(199)}end\n`;
    expect(split(line.repeat(3)).map(({ length }) => length)).toEqual([998, 998, 998]);
    expect(split('word '.repeat(500))[0]).toMatch(/word$/);
    expect(split('あ'.repeat(2_001)).map(({ length }) => length)).toEqual([1_896, 105]);
  });

  it('closes a block of code that goes on and opens it again, in its language [D10]', () => {
    const code = `Look:\n\`\`\`ts\n${'const answer = 42;\n'.repeat(150)}\`\`\`\nDone.`;
    const parts = split(code);

    expect(parts).toHaveLength(2);
    expect(parts[0]).toMatch(/^Look:\n```ts\nconst[\s\S]*;\n```$/);
    expect(parts[1]).toMatch(/^```ts\nconst[\s\S]*;\n```\nDone\.$/);
    const inCode = parts.join('\n').match(/const answer = 42;/g);
    expect(inCode).toHaveLength(150);
  });

  it('closes bold, italic and hidden text that goes on and opens it again', () => {
    const words = 'word '.repeat(300).trim();
    const [first, second] = split(`Before **${words} *${words}* ||${words}|| end** after`);
    expect(first).toMatch(/^Before \*\*word[\s\S]*word\*\*\*$/);
    expect(second).toMatch(/^\*\*\*word/);
    for (const part of split(`**${words} ${words}** and \`${words}\``)) {
      expect((part.match(/\*\*/g) ?? []).length % 2).toBe(0);
      expect((part.match(/`/g) ?? []).length % 2).toBe(0);
    }
    const lone = `2 * 3 and snake_case ${'word '.repeat(450)}**`;
    expect(split(lone)[1]).toMatch(/^word/);
  });

  it('keeps a quote a quote', () => {
    const words = 'word '.repeat(500).trim();
    for (const part of split(`> ${words}`)) expect(part).toMatch(/^> word/);
    for (const part of split(`>>> ${'a line\n'.repeat(500)}`)) expect(part).toMatch(/^>>> a line/);
    for (const part of split('> a quoted line\n'.repeat(200))) {
      for (const line of part.split('\n')) expect(line).toBe('> a quoted line');
    }
  });

  it('splits lists before an item of the first level', () => {
    const item = `- an item\n${'  - a part of it\n'.repeat(12)}`;
    const parts = split(item.repeat(20));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part).toMatch(/^- an item\n {2}- a part of it/);
    const numbered = Array.from({ length: 200 }, (_, index) => `${index + 1}. ${'word '.repeat(5)}`);
    expect(
      split(numbered.join('\n'))
        .flatMap((part) => part.split('\n'))
        .map((line) => line.trim()),
    ).toEqual(numbered.map((line) => line.trim()));
  });

  it('does not cut a link in two', () => {
    const link = '[the page with a long name](https://example.com/a)';
    const text = `${'w'.repeat(900)} ${`${link} `.repeat(60)}`;
    for (const part of split(text)) expect(part.replaceAll(link, '')).not.toMatch(/[[\]()]/);
  });

  it('does not open a block only to close it [D10]', () => {
    const parts = split(`${'a'.repeat(1_885)}\n\`\`\`ts\n${'const a = 1;\n'.repeat(20)}\`\`\``);
    expect(parts[0]).toBe('a'.repeat(1_885));
    expect(parts[1]).toMatch(/^```ts\nconst/);
  });

  it('keeps the indentation of code at the cuts [D10]', () => {
    const parts = split(`\`\`\`\n${'    indented\n'.repeat(300)}\`\`\``);
    for (const part of parts) expect(part).toMatch(/^```\n {4}indented\n/);
  });

  it('never exceeds the limit, loses a character or cuts one in two, and closes what it opens [D10]', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
      fc.constantFrom('```', '```ts\n', '\n', '\n\n', ' ', '👨‍👩‍👧‍👦', 'か\u3099', 'x'.repeat(1_900)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('').replaceAll(/[`*_~|>]/g, '');
        const parts = split(text);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(2_000);
          expect(part.trim()).not.toBe('');
        }
        expect(withoutSpace(parts.join(''))).toBe(withoutSpace(text));
        const segmenter = new Intl.Segmenter();
        const whole = new Set([...segmenter.segment(text.trim())].map(({ segment }) => segment.trim()));
        for (const part of parts) {
          for (const { segment } of segmenter.segment(part)) {
            if (segment.trim() !== '' && !/^\s/u.test(segment)) expect(whole).toContain(segment.trim());
          }
        }
      }),
      { numRuns: 60 },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const parts = split(pieces.join(''));
        for (const part of parts.slice(0, -1)) expect(findOpenFence(part)).toBeNull();
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(2_000);
      }),
      { numRuns: 60 },
    );
  });
});
