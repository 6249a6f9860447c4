import { describe, expect, it } from 'vitest';
import { countMessageTokens, estimateTokens } from './estimate-tokens.ts';

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

describe('estimateTokens', () => {
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
    expect(estimateTokens('字'.repeat(1_000_000))).toBe(1_200_000);
  });
});

describe('countMessageTokens', () => {
  const countChars = (text: string) => text.length;

  it('counts texts, calls and results, and a picture by no more than it can cost', () => {
    expect(countMessageTokens({ role: 'user', content: 'hello' }, countChars)).toBe(9);
    const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'read', input: { path: 'a' } };
    const counted = countMessageTokens({ role: 'assistant', content: [call] }, countChars);
    expect(counted).toBe(4 + JSON.stringify(call).length);
    const image = { type: 'file' as const, mediaType: 'image/png', data: 'A'.repeat(100_000) };
    expect(countMessageTokens({ role: 'user', content: [image] }, countChars)).toBe(1_504);
  });
});
