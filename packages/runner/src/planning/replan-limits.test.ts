import { describe, expect, it } from 'vitest';
import { replanDecision, replanFact } from '../../test/plans.ts';
import type { PlanningFact, ReplanDecision } from './model.ts';
import { countReplanFact, findReplanLimit } from './replan-limits.ts';
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
