import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtGrapheme } from './cut-at-grapheme.ts';

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
