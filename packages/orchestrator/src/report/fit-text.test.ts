import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLabelTexts } from '../triggers/label-texts.ts';
import { type FinalReport, formatFinalComment } from './final-comment.ts';

const report: FinalReport = {
  status: 'completed',
  reason: null,
  finalText: 'I fixed the total.',
  statistics: { modelCalls: 4, toolCalls: 7, inputTokens: 1200, outputTokens: 80, durationMs: 65_400 },
  requests: { made: 12, unchanged: 3 },
  delivery: {
    branch: 'agent/issue-7-fix',
    commit: 'abcdef0123456789',
    changeRequest: { number: 8, url: 'https://example.org/acme/shop/pull/8', isDescribed: true },
    changedFiles: ['a.ts', 'b.ts'],
  },
  plan: null,
  tried: [],
  detection: null,
  stopCause: null,
  askedBy: null,
  finishedAt: new Date(2026, 2, 4, 5, 6, 7),
};
const english = {
  locale: 'en',
  trigger: createLabelTexts('coding agent'),
  platform: 'github',
  changeRequest: 'pull request',
  timeZone: 'UTC',
} as const;
const japanese = { ...english, locale: 'ja' } as const;

describe('the length of the final comment', () => {
  it('cuts what a model said rather than what the run left and cost, in the language of the thread [RL-14]', () => {
    const long = { ...report, finalText: '合計を直しました。🎉'.repeat(12_000) };
    const comment = formatFinalComment(long, japanese);
    expect(comment.length).toBeLessThanOrEqual(60_000);
    expect(comment.length).toBeGreaterThan(59_000);
    expect(comment.isWellFormed()).toBe(true);
    expect(comment).toMatch(/省略しました/);
    for (const part of ['[#8](https://example.org/acme/shop/pull/8)', '*終了時刻: 2026', '### 📊 実行統計']) {
      expect(comment).toContain(part);
    }
    expect(formatFinalComment({ ...long, finalText: 'x'.repeat(120_000) }, english)).toMatch(
      /the rest was left out\)\*\n\n\*\*Draft pull request:/,
    );
  });

  it('stays within what platforms take, whatever reason, answer and tools were like [RL-14]', () => {
    const text = fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 0, max: 30_000 }));
    const tools = fc.array(fc.tuple(text, fc.nat()), { maxLength: 300 });
    const failed = (reason: string, finalText: string, tried: FinalReport['tried']): FinalReport => ({
      ...report,
      status: 'failed',
      reason,
      finalText,
      tried,
    });
    const repeat = ([unit, count]: [string, number]): string => unit.repeat(count);
    fc.assert(
      fc.property(text, text, tools, (reason, finalText, tried) => {
        const calls = tried.map(([tool, count]) => ({ tool: repeat(tool).slice(0, 3_000), calls: count }));
        const comment = formatFinalComment(failed(repeat(reason), repeat(finalText), calls), english);
        expect(comment.length).toBeLessThanOrEqual(60_000);
        expect(comment).toContain('add the label `coding agent` again');
        expect(comment).toContain('*Finished at: 2026-03-04 05:06:07 UTC*');
        expect(comment).toContain('- Requests to GitHub: 12 (3 answered from the cache)');
      }),
      { numRuns: 50 },
    );
  });

  it('closes a code block that the cut leaves open, so that what follows is still read as text', () => {
    const finalText = `\`\`\`\n${'line\n'.repeat(30_000)}`;
    expect(formatFinalComment({ ...report, finalText }, english)).toMatch(/\n```\n\n\*… /);
  });

  it('closes a code block that the model left open in a short answer [RL-14]', () => {
    const finalText = 'I ran:\n```sh\nnpm test';
    expect(formatFinalComment({ ...report, finalText }, english)).toContain('npm test\n```\n\n**Draft pull');
  });
});
