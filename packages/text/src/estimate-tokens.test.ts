import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

describe('the estimate of tokens', () => {
  it('counts Japanese by the character, and some on top, not four characters to a token [CI-40]', () => {
    // 1,000 ideographs are about 1,000 tokens; a quarter of their number would let four budgets through.
    expect(estimateTokens('漢'.repeat(1_000))).toBe(1_321);
    expect(estimateTokens('かな'.repeat(500))).toBe(397);
  });

  it('is near four characters a token for English, and never falls when a text grows', () => {
    const english = 'The list is sorted by name and the pages begin at one. ';
    const tokens = estimateTokens(english.repeat(100));
    expect(tokens).toBeGreaterThan((english.length * 100) / 5);
    expect(tokens).toBeLessThan((english.length * 100) / 3);
    expect(estimateTokens('')).toBe(0);
    for (let length = 1; length < 200; length += 1) {
      const text = 'aあ漢 9\n🙂한é'.repeat(30);
      expect(estimateTokens(text.slice(0, length))).toBeGreaterThanOrEqual(
        estimateTokens(text.slice(0, length - 1)),
      );
    }
  });
});
