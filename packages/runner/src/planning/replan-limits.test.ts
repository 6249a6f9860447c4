import { describe, expect, it } from 'vitest';
import { replanDecision, replanFact } from '../../test/plans.ts';
import type { PlanningFact, ReplanDecision } from './model.ts';
import { countReplanFact, findReplanLimit, judgeReplan } from './replan-limits.ts';
import { planningSettingsSchema } from './settings.ts';

const settings = planningSettingsSchema.parse({}).replanning;
const countReplans = (facts: readonly PlanningFact[]) => facts.reduce(countReplanFact, {});
const executed = (decision: Partial<ReplanDecision>) => replanFact(decision, { executed: true });
const findLimit = (decision: Partial<ReplanDecision>, facts: readonly PlanningFact[]) =>
  findReplanLimit(replanDecision(decision), { counts: countReplans(facts), settings });

describe('limits of replanning', () => {
  it.each([
    ['retry', 3, 'execution.max_action_retries'],
    ['partial_replan', 2, 'execution.max_partial_replans'],
    ['action_regeneration', 3, 'action_sequence.max_regeneration_attempts'],
    ['task_redecomposition', 3, 'task_decomposition.max_redecomposition_attempts'],
    ['plan_revision', 2, 'reflection.max_plan_revisions'],
  ] as const)('hold %s to %i, whatever asked for it', (replan_type, value, name) => {
    const phases = ['execution', 'reflection', 'action_sequence'] as const;
    const facts = Array.from({ length: value }, (_, index) =>
      executed({ replan_type, target_phase: phases[index] ?? 'execution' }),
    );
    const last = { replan_type, target_phase: 'goal_understanding' } as const;
    expect(findLimit(last, facts.slice(1))).toBeNull();
    expect(findLimit(last, facts)).toEqual({ name, value });
  });

  it('let the same trigger replan twice, and a third time when loops are not looked for', () => {
    const retry = { replan_type: 'retry', target_phase: 'execution' } as const;
    const facts = [executed(retry), executed(retry)];
    expect(findLimit(retry, facts.slice(1))).toBeNull();
    expect(findLimit(retry, facts)).toEqual({ name: 'global.same_trigger_max_count', value: 2 });
    const lenient = { ...settings, global: { ...settings.global, infinite_loop_detection: false } };
    const counts = countReplans(facts);
    expect(findReplanLimit(replanDecision(retry), { counts, settings: lenient })).toBeNull();
  });

  it('are not given back by a new goal where they bound the whole run', () => {
    const phases = ['execution', 'reflection', 'action_sequence', 'task_decomposition'] as const;
    const types = ['goal_revision', 'partial_replan', 'full_replan'] as const;
    const facts = phases.flatMap((target_phase) =>
      types.map((replan_type) => executed({ replan_type, target_phase })),
    );
    const counts = countReplans(facts.slice(0, 10));
    expect(counts.total).toBe(10);
    expect(
      findLimit({ replan_type: 'goal_revision', target_phase: 'execution' }, facts.slice(0, 10)),
    ).toEqual({ name: 'global.max_total_replans', value: 10 });
    expect(counts).not.toHaveProperty('partial_replan');
  });

  it('count what was carried out, and no decision that was overridden', () => {
    const facts = [replanFact({ replan_type: 'retry' }, { executed: false })];
    expect(countReplans(facts)).toEqual({});
  });

  it('hold questions to two, those before a plan included', () => {
    const question: PlanningFact = {
      type: 'question',
      id: 'q1',
      questions: ['Which one?'],
      assumptions: [],
      asked_at: '2026-01-01T00:00:00.000Z',
      until: null,
    };
    expect(findLimit({ replan_type: 'clarification_request' }, [question])).toBeNull();
    expect(findLimit({ replan_type: 'clarification_request' }, [question, question])).toEqual({
      name: 'goal_understanding.max_clarification_requests',
      value: 2,
    });
  });
});

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
    [0.49, { kind: 'ask', overrideReason: 'confidence 0.49 needs confirmation by a person' }],
    [0.3, { kind: 'ask', overrideReason: 'confidence 0.3 needs confirmation by a person' }],
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
