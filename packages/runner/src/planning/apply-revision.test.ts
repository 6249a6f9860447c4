import { describe, expect, it } from 'vitest';
import { actionOf, planOf } from '../../test/plans.ts';
import { appendActions, applyRevision } from './apply-revision.ts';
import type { PlanRevision } from './model.ts';

type WantedRevision = Pick<PlanRevision, 'updated_action_plan' | 'updated_subtasks'>;

const plan = planOf([
  { id: 'task_1' },
  { id: 'task_2', dependencies: ['task_1'], rests_on: ['A1'] },
  { id: 'task_3', dependencies: ['task_2'] },
]);
const done = new Set(['task_1']);
const nothing = new Set<string>();
const wanted = (...ids: readonly string[]): WantedRevision => ({
  updated_action_plan: { execution_order: [...ids], actions: ids.map((id) => actionOf(id)) },
  updated_subtasks: [],
});

function revise(revision: WantedRevision, rejected = nothing) {
  const revised = applyRevision(plan, revision, { done, rejected });
  if (revised.kind === 'bad') throw new Error(revised.reasons.join('\n'));
  return revised.plan;
}

describe('a revised plan', () => {
  it('keeps what is done, first and as it was, also where the model leaves it out or repeats it', () => {
    for (const ids of [['task_4'], ['task_4', 'task_1']]) {
      const revised = revise(wanted(...ids));
      expect(revised.action_plan.execution_order).toEqual(['task_1', 'task_4']);
      expect(revised.task_decomposition.subtasks.map(({ id }) => id)).toEqual(['task_1', 'task_4']);
      expect(revised.task_decomposition.subtasks[0]).toEqual(plan.task_decomposition.subtasks[0]);
    }
  });

  it('does not let a done step be changed under its id, and says so', () => {
    const revision = wanted('task_1', 'task_2');
    const actions = [actionOf('task_1', { parameters: { text: 'x' } }), actionOf('task_2')];
    const changed = { ...revision, updated_action_plan: { ...revision.updated_action_plan, actions } };
    expect(applyRevision(plan, changed, { done, rejected: nothing })).toEqual({
      kind: 'bad',
      reasons: [
        '"task_1" is done and cannot be changed. Leave it as it is, and give work that has to be repeated its own id.',
      ],
    });
  });

  it('describes a new step by its purpose, and forgets dependencies on steps that are gone', () => {
    const revised = revise(wanted('task_3', 'task_4'));
    expect(revised.task_decomposition.subtasks.slice(1)).toEqual([
      { ...plan.task_decomposition.subtasks[2], dependencies: [] },
      {
        id: 'task_4',
        description: 'purpose of task_4',
        dependencies: [],
        estimated_complexity: 'medium',
        required_tools: ['echo'],
        rests_on: [],
      },
    ]);
  });

  it('leaves a dependency that nobody knows, for the check of plans to find', () => {
    const { subtasks } = planOf([{ id: 'task_4', dependencies: ['task_9'] }]).task_decomposition;
    const revised = revise({ ...wanted('task_4'), updated_subtasks: subtasks });
    expect(revised.task_decomposition.subtasks[1]?.dependencies).toEqual(['task_9']);
  });

  it('rests on nothing that was rejected, and has no step that did as it was', () => {
    const revision = wanted('task_2');
    expect(revise(revision).task_decomposition.subtasks[1]?.rests_on).toEqual(['A1']);
    const rejected = new Set(['A1']);
    expect(applyRevision(plan, revision, { done, rejected })).toEqual({
      kind: 'bad',
      reasons: [
        '"task_2" depends on what was rejected and is the same as before. Change it, or leave it out.',
      ],
    });
    const actions = [actionOf('task_2', { purpose: 'another one' })];
    const changed = { ...revision, updated_action_plan: { execution_order: ['task_2'], actions } };
    expect(revise(changed, rejected).task_decomposition.subtasks[1]?.rests_on).toEqual([]);
  });
});

describe('what a verification appends', () => {
  it('has ids of its own, in the order in which it was named, once each', () => {
    const added = appendActions(plan, [actionOf('verification_fix_1'), actionOf('task_2')]);
    const again = appendActions(added, [actionOf('verification_fix_1')]);
    expect(again.action_plan.execution_order).toEqual([
      'task_1',
      'task_2',
      'task_3',
      'verification_fix_1',
      'verification_fix_2',
      'verification_fix_3',
    ]);
    expect(again.task_decomposition.subtasks.map(({ id }) => id)).toEqual(again.action_plan.execution_order);
    expect(new Set(again.action_plan.actions.map(({ task_id }) => task_id)).size).toBe(6);
  });
});
