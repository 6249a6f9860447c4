import { describe, expect, it } from 'vitest';
import { replanDecision, replanFact } from '../../test/plans.ts';
import { judgeReplan } from './judge-replan.ts';
import type { ReplanDecision } from './model.ts';
import { countReplanFact } from './replan-limits.ts';
import { planningSettingsSchema } from './settings.ts';

const { replanning: settings } = planningSettingsSchema.parse({});
const counts = {};
const judge = (decision: Partial<ReplanDecision>) =>
  judgeReplan(replanDecision({ replan_type: 'partial_replan', ...decision }), {
    counts,
    settings,
    isAnswered: false,
  });

describe('a decision to replan', () => {
  it.each([
    [1, { kind: 'execute', isUnsure: false }],
    [0.8, { kind: 'execute', isUnsure: false }],
    [0.79, { kind: 'execute', isUnsure: true }],
    [0.5, { kind: 'execute', isUnsure: true }],
    [0.49, { kind: 'ask', overrideReason: 'confidence 0.49 needs the word of people' }],
    [0.3, { kind: 'ask', overrideReason: 'confidence 0.3 needs the word of people' }],
    [0.29, { kind: 'ignore', overrideReason: 'confidence 0.29 is too low' }],
    [0, { kind: 'ignore', overrideReason: 'confidence 0 is too low' }],
  ])('of confidence %f is used as its band says [NX-120]', (confidence, verdict) => {
    expect(judge({ confidence })).toEqual(verdict);
  });

  it('that people were asked about is confirmed from the band in which they are asked', () => {
    const judgeAnswered = (confidence: number) =>
      judgeReplan(replanDecision({ confidence }), { counts, settings, isAnswered: true }).kind;
    expect(judgeAnswered(0.3)).toBe('execute');
    expect(judgeAnswered(0.29)).toBe('ignore');
  });

  it('is none when the model sees no need, whatever type it names, or replanning is off', () => {
    expect(judge({ replan_needed: false, confidence: 1 })).toEqual({ kind: 'none' });
    expect(judge({ replan_type: 'none', confidence: 1 })).toEqual({ kind: 'none' });
    const off = { ...settings, enabled: false };
    expect(
      judgeReplan(replanDecision({ confidence: 1 }), { counts, settings: off, isAnswered: false }),
    ).toEqual({
      kind: 'none',
    });
  });

  it('asks nobody when low confidence is not to be confirmed', () => {
    const alone = {
      ...settings,
      llm_decision: { ...settings.llm_decision, require_user_confirmation_on_low_confidence: false },
    };
    const decision = replanDecision({ replan_type: 'partial_replan', confidence: 0.4 });
    expect(judgeReplan(decision, { counts, settings: alone, isAnswered: false }).kind).toBe('ignore');
  });

  it('that wants a question asks it, sure or not', () => {
    expect(judge({ replan_type: 'clarification_request', confidence: 0.9 })).toEqual({
      kind: 'ask',
      overrideReason: null,
    });
  });

  it('that would exceed a limit names it', () => {
    const again = replanFact({ replan_type: 'partial_replan' }, { executed: true });
    const decision = replanDecision({ replan_type: 'partial_replan' });
    expect(
      judgeReplan(decision, {
        counts: [again, again].reduce(countReplanFact, {}),
        settings,
        isAnswered: false,
      }),
    ).toMatchObject({
      kind: 'limit',
      overrideReason: 'execution.max_partial_replans (2) is reached',
    });
  });
});
