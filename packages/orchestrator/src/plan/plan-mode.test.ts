import { createMemoryRunState } from '@agent/run-store/testing';
import { planningFactName } from '@agent/runner/planning';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { planFact } from '../../test/plan-fact.ts';
import { toPlanningStateJson } from '../planning/to-planning-state.ts';
import { createKeepChecklistId } from '../progress/checklist-comment.ts';
import type { Run } from '../run/run.ts';
import { choosePlanMode, readRunPlan, readShownPlan } from './plan-mode.ts';
import { toPlanDetails, toPlanStage } from './plan-stage.ts';

const message = { type: 'message', seq: 1, message: { role: 'user', content: 'x' } };
const toLine = (data: object) => ({ type: 'fact', name: planningFactName, data });

function openRun(entries: readonly object[] = []) {
  const lines = [...entries];
  const journal = {
    read: async function* () {
      yield* lines;
    },
  };
  const run = { state: createMemoryRunState(), journal, logger: pino({ level: 'silent' }) } as unknown as Run;
  return { run, lines };
}

describe('the mode of a run', () => {
  it('is chosen when its conversation begins, and stays whatever the configuration says later', async () => {
    const { run, lines } = openRun();
    expect(await choosePlanMode(run, { wanted: true })).toBe(true);
    lines.push(message);
    expect(await choosePlanMode(run, { wanted: false })).toBe(true);
    const begun = openRun([message]).run;
    expect(await choosePlanMode(begun, { wanted: true })).toBe(false);
    expect(await readRunPlan(begun)).toBeNull();
  });

  it('is not chosen yet where a process died before the first line', async () => {
    const { run } = openRun();
    expect(await choosePlanMode(run, { wanted: false })).toBe(false);
    expect(await choosePlanMode(run, { wanted: true })).toBe(true);
  });
});

describe('the plan of a run', () => {
  const done = { type: 'action', task_id: 'a', state: 'succeeded', attempt: 1, detail: '', evidence: [] };
  const facts = [planFact('a', 'b'), { type: 'phase', phase: 'execution' }, done].map(toLine);

  it('is told as far as its record says: in lists, at a pause and at the end [NX-125, NX-417]', async () => {
    const { run, lines } = openRun();
    await choosePlanMode(run, { wanted: true });
    lines.push(message, ...facts);
    const plan = await readRunPlan(run);
    if (plan === null) throw new Error('it has a plan');
    expect(toPlanStage(plan)).toEqual({ phase: 'execution', done: 1, total: 2 });
    expect(toPlanDetails(plan)).toMatchObject({ phase: 'execution', actions_done: 1, actions_total: 2 });
    const waitsFor = { kind: 'approval', id: 'approval-1', until: null } as const;
    expect(await toPlanningStateJson(run, { waitsFor, pausedBy: null, llmCalls: 4 })).toEqual({
      enabled: true,
      current_phase: 'execution',
      action_counter: 1,
      total_actions: 2,
      revision_counter: 0,
      replan_counts: {},
      llm_call_count: 4,
      plan_hash: plan.planHash,
      checklist_comment_id: null,
      pre_planning_result: null,
      pre_planning_state: null,
      selected_environment: null,
      default_environment_prepared: false,
      waits_for: { ...waitsFor },
    });
    await createKeepChecklistId(run)({ topic: 'reply-1', id: '8' });
    await createKeepChecklistId(run)({ topic: 'plan', id: '9' });
    await run.state.write('environment.json', { selected: 'acme/*', prepared: true });
    expect(await toPlanningStateJson(run, { waitsFor, pausedBy: null, llmCalls: 4 })).toMatchObject({
      checklist_comment_id: '9',
      selected_environment: 'acme/*',
      default_environment_prepared: true,
    });
  });

  it('is none where the run goes on without one, and at a pause of a run in loop mode [NX-125]', async () => {
    const { run, lines } = openRun();
    await choosePlanMode(run, { wanted: true });
    lines.push(message, toLine({ type: 'loop_mode', reason: 'one_action', details: [] }));
    expect(await readShownPlan(run)).toBeNull();
    const plan = await readRunPlan(run);
    expect(plan && toPlanStage(plan)).toBeNull();
    expect(await toPlanningStateJson(openRun([message]).run, { pausedBy: null, llmCalls: 1 })).toBeNull();
  });
});
