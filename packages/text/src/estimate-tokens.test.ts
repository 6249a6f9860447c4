import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

// What OpenAI's o200k vocabulary makes of these texts.
const samples = [
  { text: 'こんにちは、世界。これは日本語の文章です。', tokens: 11 },
  { text: '認証処理の不具合を修正し試験を追加', tokens: 16 },
  { text: 'カタカナコンピュータープログラミング', tokens: 13 },
  { text: '안녕하세요 세계', tokens: 3 },
  { text: '你好世界这是一个测试', tokens: 5 },
  { text: 'Привет мир как дела', tokens: 5 },
  { text: '😀😃🎉👨‍👩‍👧', tokens: 13 },
  { text: '0123456789'.repeat(20), tokens: 67 },
];

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

  it.each(samples)('does not fall below what $text costs [RL-13]', ({ text, tokens }) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
  });

  it('stays near for prose and code in English [RL-13]', () => {
    const prose = 'The lock needs a file system with hard links; a dead owner is replaced at once. '.repeat(
      20,
    );
    expect(estimateTokens(prose) / (19 * 20)).toBeGreaterThan(1);
    expect(estimateTokens(prose) / (19 * 20)).toBeLessThan(1.6);
    expect(estimateTokens('')).toBe(0);
  });

  it('takes no longer for a text without any place to split it', () => {
    // A tokenizer that merges pairs would need minutes for this.
    expect(estimateTokens('字'.repeat(1_000_000))).toBe(1_320_001);
  });
});
