import { describe, expect, it } from 'vitest';
import { isNotice, markNotice, withoutNoticeMark } from './hidden-marks.ts';

describe('markNotice', () => {
  it('marks without changing what is seen, and survives trimming [D13, TC-44]', () => {
    const texts = ['⚠️ I cannot reach the model right now.', '⚠️ いまモデルに接続できません。'];
    for (const text of [...texts, 'a', '👨‍👩‍👧‍👦', 'か\u3099']) {
      const marked = markNotice(text);
      expect(isNotice(marked.trim())).toBe(true);
      expect(marked.endsWith(text.slice(-1))).toBe(true);
      expect(withoutNoticeMark(marked)).toBe(text);
      expect(isNotice(text)).toBe(false);
    }
  });

  it('keeps the last character whole [D13]', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(markNotice(`a${family}`).endsWith(family)).toBe(true);
  });
});
