import { describe, expect, it } from 'vitest';
import { makePlan, toUuid } from '../test/inheritance-setup.ts';
import { decidePlanUse, parsePlanEntries, toPlanRecord } from './to-plan-record.ts';

const rules = {
  inheritPlans: true,
  inheritVerifications: true,
  inheritReflections: true,
  reuseSuccessfulPatterns: true,
};
const run = { runUuid: toUuid('a1'), status: 'stopped', completedAt: '2026-11-01T10:00:00Z' } as const;
const place = { timestamp: '2026-11-01T09:00:00Z', issue_id: 42, task_uuid: run.runUuid };

// As the planning mode of the seeds records it.
const plan = {
  ...place,
  type: 'plan',
  plan: {
    phase: 'planning',
    goal_understanding: { main_objective: 'Sort stably', success_criteria: [] },
    task_decomposition: {
      reasoning: '…',
      subtasks: [
        { id: 'task_1', description: 'Read', dependencies: [] },
        { id: 'task_2', description: 'Mend', dependencies: ['task_1'] },
      ],
    },
    action_plan: {
      execution_order: ['task_1', 'task_2'],
      actions: [
        { task_id: 'task_1', action_type: 'tool_call', tool: 'read_file', parameters: {}, purpose: 'see it' },
        {
          task_id: 'task_2',
          action_type: 'tool_call',
          tool: 'edit_file',
          parameters: {},
          purpose: 'mend it',
        },
      ],
    },
  },
};
const reflection = (action: string, status: string, more = {}) => ({
  ...place,
  type: 'reflection',
  evaluation: {
    phase: 'reflection',
    reflection: { action_evaluated: action, status, evaluation: 'as seen', issues_identified: [], ...more },
  },
});
const verification = (passed: boolean, issues: readonly string[]) => ({
  ...place,
  type: 'verification',
  verification_result: { phase: 'verification', verification_passed: passed, issues_found: issues },
});
const replan = {
  ...place,
  type: 'replan_decision',
  phase: 'execution',
  llm_decision: { replan_decision: { replan_needed: true, reasoning: 'The API has gone' } },
};
const revision = {
  ...place,
  type: 'revision',
  reason: 'No permission',
  changes: [],
  updated_plan: {
    action_plan: { actions: [{ task_id: 'task_1' }, { task_id: 'task_2' }, { task_id: 'task_3' }] },
  },
};

const read = (entries: readonly (object | string)[], changes = {}) => {
  const lines = entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
  return toPlanRecord(parsePlanEntries(lines).entries, { run, rules: { ...rules, ...changes } });
};

describe('the planning history of a run', () => {
  it('says what was planned, how far it came and what failed [CI-30] [CI-74]', () => {
    const record = read([
      plan,
      reflection('task_1', 'success'),
      reflection('task_2', 'failure', { root_cause: 'read-only' }),
    ]);
    expect(record?.plan).toMatchObject({
      goal: 'Sort stably',
      subtasks: ['task_1: Read', 'task_2: Mend'],
      actionCount: 2,
      executedCount: 2,
    });
    expect(record?.execution).toEqual({
      succeeded: 1,
      failed: 1,
      failures: ['task_2: read-only'],
      successes: ['read_file: see it'],
    });
  });

  it('counts an action by its latest reflection', () => {
    const record = read([plan, reflection('task_1', 'failure'), reflection('task_1', 'success')]);
    expect(record?.execution).toMatchObject({ succeeded: 1, failed: 0 });
    expect(record?.plan?.executedCount).toBe(1);
  });

  it('follows revisions and tells why plans changed [CI-11] [CI-74]', () => {
    const record = read([plan, replan, revision]);
    expect(record?.plan).toMatchObject({
      actionCount: 3,
      executedCount: 0,
      revisionReasons: ['No permission'],
      replanReasons: ['The API has gone'],
    });
  });

  it('calls an issue resolved that a later verification no longer finds [CI-9] [CI-74]', () => {
    const record = read([
      plan,
      verification(false, ['TODO left', 'No test']),
      verification(false, ['No test']),
    ]);
    expect(record?.verification).toEqual({
      rounds: 2,
      passed: false,
      issues: ['TODO left', 'No test'],
      resolved: ['TODO left'],
    });
    expect(record?.plan?.executedCount).toBe(2);
  });

  it('learns from reflections [CI-10] [CI-74]', () => {
    const learned = reflection('task_1', 'failure', {
      root_cause: 'cache',
      issues_identified: ['slow', 'slow'],
    });
    expect(read([learned])?.learnings).toEqual(['cache', 'slow']);
    expect(read([learned], { inheritReflections: false })?.learnings).toBeUndefined();
  });

  it('leaves out what is not to be inherited [CI-86] [CI-87] [CI-88] [CI-90]', () => {
    const entries = [
      plan,
      replan,
      reflection('task_1', 'success', { root_cause: 'x' }),
      verification(true, []),
    ];
    expect(read(entries, { inheritPlans: false })).toMatchObject({ plan: null, execution: { succeeded: 0 } });
    expect(read(entries, { inheritVerifications: false })?.verification).toBeNull();
    expect(read(entries, { inheritReflections: false })?.learnings).toEqual([]);
    expect(read(entries, { reuseSuccessfulPatterns: false })?.execution.successes).toEqual([]);
    expect(
      read(entries, { inheritPlans: false, inheritVerifications: false, inheritReflections: false }),
    ).toBeNull();
  });

  it('goes without lines that are damaged or of another kind [CI-49]', () => {
    expect(read(['{torn', { type: 'plan' }, { type: 'party' }, plan])?.plan?.goal).toBe('Sort stably');
    expect(parsePlanEntries(['{torn', JSON.stringify(plan)]).skippedLines).toBe(1);
  });
});

const facts = {
  now: new Date('2026-11-20T10:00:00Z'),
  expiryDays: 90,
  plannedRequest: 'same',
  presentRequest: 'same',
};
const stopped = makePlan({ status: 'stopped' });
const done = makePlan({ status: 'stopped', plan: stopped.plan && { ...stopped.plan, executedCount: 4 } });

it('goes on with a plan that was stopped halfway for the same request, and refers to all others', () => {
  expect(decidePlanUse(stopped, facts)).toBe('continue');
  expect(decidePlanUse(makePlan({ status: 'completed' }), facts)).toBe('refer');
  expect(decidePlanUse(makePlan({ status: 'stopped', plan: null }), facts)).toBe('refer');
  expect(decidePlanUse(done, facts)).toBe('refer');
  expect(decidePlanUse(stopped, { ...facts, expiryDays: 19 })).toBe('continue');
  expect(decidePlanUse(stopped, { ...facts, expiryDays: 18 })).toBe('refer');
  expect(decidePlanUse(stopped, { ...facts, presentRequest: 'other' })).toBe('refer');
  expect(decidePlanUse(stopped, { ...facts, plannedRequest: null, presentRequest: null })).toBe('refer');
});
