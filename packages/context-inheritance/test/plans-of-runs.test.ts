import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContextInheritanceManager } from '../src/context-inheritance-manager.ts';
import { makeHistory, makeRun, summaryLine, thread, toUuid } from './inheritance-setup.ts';

let history: Awaited<ReturnType<typeof makeHistory>>;
beforeEach(async () => {
  history = await makeHistory();
});
afterEach(() => history.remove());

const place = { timestamp: '2026-11-01T09:00:00Z', issue_id: 42, task_uuid: 'u' };
const planOf = (goal: string) => ({
  ...{ ...place, type: 'plan', request_sha256: 'same' },
  plan: {
    goal_understanding: { main_objective: goal },
    action_plan: {
      actions: [{ task_id: 'task_1', tool: 'edit_file', purpose: 'mend it' }, { task_id: 'task_2' }],
    },
  },
});
const verificationOf = (issue: string) => ({
  ...{ ...place, type: 'verification' },
  verification_result: { verification_passed: false, issues_found: [issue] },
});

/** A run that was stopped, on this day of November. */
async function addRun(mark: string, day: string, planning: readonly object[]) {
  const at = `2026-11-${day}T10:00:00Z`;
  await history.addRun(makeRun(mark, { status: 'stopped', createdAt: at, completedAt: at }), {
    summaries: [summaryLine(`Run ${mark}.`)],
    planning,
  });
}

const open = (options = {}) =>
  new ContextInheritanceManager(history.reader, { now: () => new Date('2026-11-20T10:00:00Z'), ...options });
const inherit = async (manager: ContextInheritanceManager) => {
  const context = await manager.getInheritanceContext(thread);
  if (context === null) throw new Error('nothing is inherited');
  return context;
};

describe('the plans of earlier runs', () => {
  it('are told as many as are wanted, while what was verified adds up over all runs [CI-82] [CI-89]', async () => {
    await addRun('a1', '01', [planOf('First'), verificationOf('No test')]);
    await addRun('b2', '02', [planOf('Second')]);
    await addRun('c3', '03', [planOf('Third'), verificationOf('TODO left')]);
    const context = await inherit(open({ maxPreviousPlans: 2 }));
    expect(context.plans.map(({ plan }) => plan?.goal)).toEqual(['Third', 'Second']);
    expect(context.verification).toMatchObject({
      ...{ rounds: 2, issues: ['No test', 'TODO left'], resolved: ['No test'] },
    });
    expect((await inherit(open({ maxPreviousPlans: 0 }))).verification).toBeNull();
  });

  it('go on when the newest run was stopped halfway for the same request, and no other does [CI-75]', async () => {
    await addRun('a1', '01', [planOf('First')]);
    const manager = open();
    const context = await inherit(manager);
    expect(manager.findContinuable(context, { request: 'same' })).toBe(toUuid('a1'));
    expect(manager.findContinuable(context, { request: 'other' })).toBeNull();
    expect(manager.findContinuable(context, { request: null })).toBeNull();
    // A later run that did something without a plan.
    await addRun('b2', '02', []);
    const later = open();
    expect(later.findContinuable(await inherit(later), { request: 'same' })).toBeNull();
  });

  const marked = [
    {
      ...{ ...place, type: 'plan' },
      plan: {
        goal_understanding: { main_objective: 'PLANNED' },
        action_plan: { actions: [{ task_id: 'task_1', tool: 'edit_file', purpose: 'WORKED' }] },
      },
    },
    {
      ...{ ...place, type: 'replan_decision', phase: 'execution' },
      llm_decision: { replan_decision: { replan_needed: true, reasoning: 'REPLANNED' } },
    },
    {
      ...{ ...place, type: 'reflection' },
      evaluation: {
        reflection: { action_evaluated: 'task_1', status: 'success', issues_identified: ['LEARNED'] },
      },
    },
    {
      ...{ ...place, type: 'verification' },
      verification_result: { verification_passed: false, issues_found: ['VERIFIED'] },
    },
  ];
  it.each([
    ['nothing', {}, ['PLANNED', 'REPLANNED', 'VERIFIED', 'LEARNED', 'WORKED']],
    ['plans, with the decisions to plan anew', { inheritPlans: false }, ['VERIFIED', 'LEARNED']],
    ['verifications', { inheritVerifications: false }, ['PLANNED', 'REPLANNED', 'LEARNED', 'WORKED']],
    ['reflections', { inheritReflections: false }, ['PLANNED', 'REPLANNED', 'VERIFIED', 'WORKED']],
    ['what worked', { reuseSuccessfulPatterns: false }, ['PLANNED', 'REPLANNED', 'VERIFIED', 'LEARNED']],
  ])(
    'leave out of both English blocks what is switched off, and nothing else: %s [C16]',
    async (_, off, told) => {
      await addRun('a1', '01', marked);
      const rules = {
        ...{ inheritPlans: true, inheritVerifications: true, inheritReflections: true },
        reuseSuccessfulPatterns: true,
      };
      const manager = open({ planning: { ...rules, ...off } });
      const { goal, planning } = manager.createInheritedPrompts(await inherit(manager), { mode: 'planning' });
      const inBlocks = new Set(`${goal}\n${planning}`.match(/\b[A-Z]{5,}\b/g));
      expect([...inBlocks].sort()).toEqual([...told].sort());
    },
  );

  it('are given without secrets where one goes on', async () => {
    const manager = open({ secrets: ['plum-orchard-lane'] });
    const plan = { actions: [{ task_id: 'task_1', purpose: 'use plum-orchard-lane' }] };
    expect(await manager.cleanTexts(plan)).toEqual({
      actions: [{ task_id: 'task_1', purpose: 'use [REDACTED]' }],
    });
  });
});
