import { describe, expect, it } from 'vitest';
import { textsEn } from '../texts/texts.en.ts';
import { textsJa } from '../texts/texts.ja.ts';
import { isNotice, markNotice, withoutMarker } from './begin-anew.ts';

describe('markNotice', () => {
  it('marks without changing what is seen, and survives trimming [D13, TC-44]', () => {
    const texts = [textsEn, textsJa].flatMap(({ fallback }) => Object.values(fallback));
    for (const text of [...texts, 'a', '👨‍👩‍👧‍👦', 'か\u3099']) {
      const marked = markNotice(text);
      expect(isNotice(marked.trim())).toBe(true);
      expect(marked.endsWith(text.slice(-1))).toBe(true);
      expect(withoutMarker(marked)).toBe(text);
      expect(isNotice(text)).toBe(false);
    }
  });

  it('keeps the last character whole [D13]', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(markNotice(`a${family}`).endsWith(family)).toBe(true);
  });
});
