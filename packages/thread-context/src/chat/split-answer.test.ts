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
        const text = pieces.join('').replaceAll('`', '');
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
