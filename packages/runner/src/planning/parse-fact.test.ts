import { describe, expect, it } from 'vitest';
import { listFacts } from '../../test/plan-answers.ts';
import { coursePlanning, createCoursePlanner } from '../../test/plan-course.ts';
import { planForTest } from '../../test/plan-setup.ts';
import { createTool } from '../../test/run-setup.ts';
import { parseFact } from './parse-fact.ts';
import { readPlanningState } from './planning-state.ts';

describe('the lines of a plan', () => {
  it('are read back as they were written, and their fold is the state that the run had', async () => {
    const { journal, result } = await planForTest({
      model: createCoursePlanner(),
      tools: { work: createTool((text) => text) },
      planning: coursePlanning,
    });
    const facts = listFacts(journal);
    expect(facts.map(parseFact)).toEqual(facts);
    expect(readPlanningState(facts)).toEqual(result.planning);
  });

  it.each([
    null,
    'a text',
    {},
    { type: 'else' },
    { type: 'plan', plan: {} },
    { type: 'plan', plan: { action_plan: { actions: 'none' } }, plan_hash: '', done_task_ids: [] },
    { type: 'action', task_id: 'task_1', state: 'unheard' },
    { type: 'reflection', evaluation: { plan_revision_needed: true } },
  ])('that say nothing are left out: %j', (line) => {
    expect(parseFact(line)).toBeNull();
    expect(readPlanningState([line]).facts).toEqual([]);
  });
});
