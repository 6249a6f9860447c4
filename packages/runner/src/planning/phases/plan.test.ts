import { describe, expect, it } from 'vitest';
import { createLog } from '../../../test/log.ts';
import { createContentPlanner, factsOf } from '../../../test/plan-answers.ts';
import { type PlannedTestOptions, planForTest, planOf } from '../../../test/plan-setup.ts';
import { createTool } from '../../../test/run-setup.ts';
import type { Plan } from '../model.ts';
import type { ContinuablePlan, PlanningHistory } from '../ports.ts';

const old = planOf('a', 'b', 'c') as unknown as Plan;

function historyOf(continuable: () => Promise<ContinuablePlan | null>): PlanningHistory {
  return {
    continuable,
    forPlan: () => 'Planned before.',
    forAction: ({ task_id }) => `What became of the like of ${task_id}.`,
    forReflection: () => '',
    forVerification: () => '',
  };
}

async function runWith(history: PlanningHistory, options: Partial<PlannedTestOptions> = {}) {
  const work = createTool((text) => text);
  const model = createContentPlanner(['x', 'y']);
  const { result, journal, events } = await planForTest({ model, history, tools: { work }, ...options });
  return { result, journal, events, work, model };
}

describe('the plan of an earlier run', () => {
  it('goes on after what was done of it, without being asked for again', async () => {
    const history = historyOf(async () => ({ plan: old, doneTaskIds: ['task_1'] }));
    const { result, journal, work, model, events } = await runWith(history);
    expect(work.calls).toEqual(['b', 'c']);
    expect(factsOf(journal, 'plan')).toMatchObject([{ origin: 'continued', done_task_ids: ['task_1'] }]);
    expect(JSON.stringify(model.prompts[0])).toContain('Done already: task_1.');
    expect(events.slice(0, 3)).toEqual(['before_planning: go', 'plan', 'after_planning: go']);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });

  it('that code refuses is no plan to go on with: the model is shown what was planned, and plans anew', async () => {
    const { actions } = old.action_plan;
    const unknown = {
      ...old,
      action_plan: { ...old.action_plan, actions: actions.map((one) => ({ ...one, tool: 'gone' })) },
    };
    const { work, model } = await runWith(historyOf(async () => ({ plan: unknown, doneTaskIds: [] })));
    expect(work.calls).toEqual(['x', 'y']);
    expect(JSON.stringify(model.prompts[0])).toContain('Planned before.');
    expect(JSON.stringify(model.prompts[1])).toContain('What became of the like of task_1.');
  });

  it('that cannot be read is told of, and another is made', async () => {
    const { logger, lines } = createLog();
    const history = historyOf(async () => Promise.reject(new Error('EIO')));
    const { work } = await runWith(history, { logger });
    expect(work.calls).toEqual(['x', 'y']);
    expect(lines.map(({ message }) => message)).toContain(
      'failed to read earlier plans; planning without them',
    );
  });
});

it('a plan is made also where the request cannot be read for its fingerprint', async () => {
  const { logger } = createLog();
  const sources = { readRequestHash: async () => Promise.reject(new Error('503')) };
  const { result, journal } = await runWith(
    historyOf(async () => null),
    { logger, sources },
  );
  expect(factsOf(journal, 'plan')).toMatchObject([{ origin: 'new', request_sha256: null }]);
  expect(result).toMatchObject({ outcome: { status: 'completed' } });
});
