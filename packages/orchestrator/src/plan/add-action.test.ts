import { createMemoryRunState } from '@agent/run-store/testing';
import { planningFactName, readPlanningState } from '@agent/runner/planning';
import { expect, it } from 'vitest';
import { planFact } from '../../test/plan-fact.ts';
import type { Run } from '../run/run.ts';
import { addAction } from './add-action.ts';

const uuid = '0a1b2c3d-0000-4000-8000-000000000000';
const action = { tool: 'edit_file', purpose: 'Repair it.', expectedOutcome: 'It works.' };

/** A run whose plan begins with these actions, and was verified twice. */
async function openRun(...ids: readonly string[]) {
  const verification = {
    ...{ phase: 'verification', verification_passed: true, issues_found: [], additional_actions: [] },
    ...{ placeholder_detected: { count: 0, locations: [], explained: [] }, comment: null },
    ...{ additional_work_needed: false, completion_confidence: 1 },
  };
  const toVerified = (round: number) => ({ type: 'verification', round, verification_result: verification });
  const facts: unknown[] = [planFact(...ids), toVerified(1), toVerified(2)];
  const state = createMemoryRunState();
  await state.write('plan_mode.json', { planned: true });
  const journal = {
    read: async function* () {
      for (const data of facts) yield { type: 'fact', name: planningFactName, data };
    },
    append: async ({ data }: { readonly data: unknown }) => void facts.push(data),
  };
  const run = { uuid, state, journal } as unknown as Run;
  return { run, readPlan: () => readPlanningState(facts) };
}

it('adds an action once, beside one of that id that the plan of an earlier run left [NX-258]', async () => {
  const { run, readPlan } = await openRun('a', 'round_1');
  const round = { ...action, id: 'round_1', cause: 'comment' } as const;
  await addAction(run, round);
  await addAction(run, round);
  await addAction(run, { ...round, id: 'round_2' });
  expect([...readPlan().tasks.keys()]).toEqual(['a', 'round_1', 'round_1_0a1b2c3d', 'round_2']);
  expect(readPlan().revisions).toBe(2);
});

it('has verification count anew where other people want the action, and not where the delivery does [NX-258]', async () => {
  const wanted = await openRun('a');
  await addAction(wanted.run, { ...action, id: 'round_1', cause: 'comment' });
  expect(wanted.readPlan().rounds).toBe(0);
  const fixing = await openRun('a');
  await addAction(fixing.run, { ...action, cause: 'verification' });
  expect(fixing.readPlan()).toMatchObject({ rounds: 2, revisions: 1 });
});
