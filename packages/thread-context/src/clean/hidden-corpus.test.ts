import { describe, expect, it } from 'vitest';
import { hiddenBits, hiddenWords } from '../../test/hidden-corpus.ts';
import { toShownText } from '../../test/shown-text.ts';

describe('texts with something in them that no page shows', () => {
  it('are judged by a renderer: no word that is hidden is on the page [NX-21]', () => {
    const seen = hiddenWords.filter(({ text, payload }) => toShownText(text).includes(payload));
    expect(seen.map(({ group, name }) => `${group}: ${name}`)).toEqual([]);
  });

  it('are judged by a renderer: what carries bits looks the same as its twin [NX-21]', () => {
    const different = hiddenBits.filter(({ text, twin }) => toShownText(text) !== toShownText(twin));
    expect(different.map(({ group, name }) => `${group}: ${name}`)).toEqual([]);
  });

  it('are many, of every kind [NX-21]', () => {
    const all = [...hiddenWords, ...hiddenBits];
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
    expect(new Set(all.map(({ group }) => group)).size).toBeGreaterThanOrEqual(12);
  });
});

describe('the renderer that judges', () => {
  it('sees what a page shows, folded details as well', () => {
    const text =
      '# A\n\n| b |\n|---|\n| c |\n\n<details><summary>d</summary>\n\n`e`\n\n</details>\n\n<sub>f</sub> $g$';
    expect(toShownText(text)).toBe('A b c d e f g');
  });
});
