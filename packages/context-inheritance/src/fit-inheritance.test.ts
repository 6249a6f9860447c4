import { estimateTokens } from '@agent/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inheritDecision, makeContext, makePlan, makePrevious } from '../test/inheritance-setup.ts';
import { type FitOptions, fitInheritance } from './fit-inheritance.ts';
import type { InheritanceContext } from './model.ts';

const options: FitOptions = {
  maxTokens: 8_000,
  countTokens: estimateTokens,
  summaryPriority: 'merged',
  mode: 'planning',
  locale: 'ja',
  timeZone: 'UTC',
  rules: {
    inheritPlans: true,
    inheritVerifications: true,
    inheritReflections: true,
    reuseSuccessfulPatterns: true,
  },
};

const full = makeContext({
  previousContexts: [
    makePrevious('a1', `新しい要約。${'新'.repeat(400)}`),
    makePrevious('b2', `中の要約。${'中'.repeat(400)}`),
    makePrevious('c3', `古い要約。${'古'.repeat(400)}`),
  ],
  plans: [makePlan()],
});
const fit = (maxTokens: number, changes: Partial<FitOptions> = {}, context = full) =>
  fitInheritance(context, { ...options, ...changes, maxTokens });

const anyText = fc.string({
  unit: fc.constantFrom('a', 'B', '9', ' ', '\n', '`', '漢', 'か', '🙂', '한', '=', '```\n'),
  maxLength: 400,
});
const anyContext: fc.Arbitrary<InheritanceContext> = fc
  .record({
    summaries: fc.array(anyText, { minLength: 1, maxLength: 5 }),
    decisions: fc.array(anyText, { maxLength: 20 }),
    tools: fc.array(anyText, { maxLength: 1 }),
    goals: fc.array(anyText, { maxLength: 3 }),
  })
  .map(({ summaries, decisions, tools, goals }) => {
    const plan = makePlan();
    return makeContext({
      previousContexts: summaries.map((summary, index) => makePrevious(`a${index}`, summary)),
      keyDecisions: decisions.map((text) => inheritDecision({ text })),
      lastActionResults: tools.map((tool) => ({ tool, status: 'success' as const, failure: null })),
      toolUses: tools.map((tool) => ({ tool, calls: 3, failures: [['timeout', 2]] as const })),
      plans: goals.map((goal) => ({ ...plan, plan: plan.plan && { ...plan.plan, goal } })),
    });
  });

describe('a context fitted to a budget', () => {
  it('never exceeds it, headings included, whatever is inherited and whoever counts [CI-40] [CI-50] [CI-T4] [C10]', () => {
    const anyOptions = fc.record({
      maxTokens: fc.integer({ min: 0, max: 2_000 }),
      mode: fc.constantFrom('normal' as const, 'planning' as const),
      locale: fc.constantFrom('ja' as const, 'en' as const),
      summaryPriority: fc.constantFrom('latest' as const, 'merged' as const),
      countTokens: fc.constantFrom(
        estimateTokens,
        (text: string) => text.length,
        (text: string) => new Set(text).size * 9,
      ),
    });
    fc.assert(
      fc.property(anyContext, anyOptions, (context, chosen) => {
        const { system, goal, planning, tokens } = fitInheritance(context, { ...options, ...chosen });
        const blocks = [system, goal, planning].filter((block) => block !== null);
        const counted = blocks.reduce((sum, block) => sum + chosen.countTokens(block), 0);
        expect(counted).toBe(tokens);
        expect(counted).toBeLessThanOrEqual(chosen.maxTokens);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['en', 'ja'] as const)('counts the decisions that it has no room for, in %s', (locale) => {
    const keyDecisions = Array.from({ length: 1_000 }, (_, index) =>
      inheritDecision({ id: `a-${index}`, text: `${index}: ${'round once '.repeat(20)}`, isTrusted: true }),
    );
    const { system, tokens } = fit(2_000, { locale }, { ...full, keyDecisions });
    const shown = (system ?? '').split('\n').filter((line) => /^- \d+: round/.test(line)).length;
    expect(tokens).toBeLessThanOrEqual(2_000);
    expect(shown).toBeGreaterThan(0);
    const leftOut = 1_000 - shown;
    const count = locale === 'en' ? `(${leftOut} more left out` : `(ほか${leftOut}件は`;
    expect(system).toContain(count);
  });

  it('is whole when there is room [CI-32, C2, C13]', () => {
    const { system, kinds } = fit(8_000);
    expect(system).toContain('#### #a1a1a1a1 (2026-11-01 10:00:00 UTC)\n新しい要約。');
    expect(system?.indexOf('新しい要約')).toBeLessThan(system?.indexOf('中の要約') ?? 0);
    expect(system?.indexOf('中の要約')).toBeLessThan(system?.indexOf('古い要約') ?? 0);
    expect(kinds).toEqual(['summary', 'plans', 'tools']);
  });

  it('has the newest summary alone unless all are asked for [CI-42, C2]', () => {
    const { system } = fit(8_000, { summaryPriority: 'latest' });
    expect(system).toContain('新しい要約');
    expect(system).not.toContain('中の要約');
    expect(system).not.toContain('####');
  });

  it("shrinks in the seed's order: older summaries, plan details, tools, the newest summary's end [CI-33] [CI-50] [C2, C10]", () => {
    const states = new Set<string>();
    for (let maxTokens = fit(8_000).tokens; maxTokens >= 0; maxTokens -= 5) {
      const { system, goal } = fit(maxTokens);
      const has = (text: string, block = system) => (block?.includes(text) ? 1 : 0);
      const left = ['新しい要約', '中の要約', '古い要約'].filter((text) => has(text));
      const cut = has('... (要約が長いため一部省略されました)');
      states.add(
        [
          `summaries ${left.map((text) => text[0]).join('')}`,
          `details ${has('task_1', goal)}`,
          `tools ${has('edit_file: 成功')}`,
          ...(cut ? ['cut'] : []),
          ...(goal === null ? ['no plans'] : []),
        ].join(', '),
      );
    }
    expect([...states]).toMatchInlineSnapshot(`
      [
        "summaries 新中古, details 1, tools 1",
        "summaries 新中, details 1, tools 1",
        "summaries 新, details 1, tools 1",
        "summaries 新, details 0, tools 1",
        "summaries 新, details 0, tools 0",
        "summaries 新, details 0, tools 0, cut",
        "summaries , details 0, tools 0, cut",
        "summaries 新, details 0, tools 0, cut, no plans",
        "summaries , details 0, tools 0, cut, no plans",
        "summaries , details 0, tools 0, no plans",
      ]
    `);
  });

  it('says that the tools were left out, and does not announce them [CI-33] [CI-46] [C13]', () => {
    const simple = { ...full, plans: [] };
    const modes = { summaryPriority: 'latest', mode: 'normal' } as const;
    const { tokens } = fit(8_000, modes, simple);
    const { system, kinds, tokens: fewer } = fit(tokens - 1, modes, simple);
    expect(system).toContain('ツール実行履歴: (省略されました)');
    expect(system).toContain('- edit_file: 成功');
    expect(kinds).toEqual(['summary']);
    expect(fit(fewer - 1, modes, simple).system).toContain('### 前回の処理結果\n(省略されました)');
  });

  it('is nothing rather than too much', () => {
    expect(fit(20)).toEqual({ system: null, goal: null, planning: null, kinds: [], tokens: 0 });
  });
});
