import { describe, expect, it } from 'vitest';
import { makeAction, makePlan, toUuid } from '../test/inheritance-setup.ts';
import { parsePlanEntries } from './plan-entries.ts';
import { addUpVerifications, decidePlanUse, toPlanRecord } from './to-plan-record.ts';

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
  request_sha256: 'same',
  plan: {
    phase: 'planning',
    goal_understanding: { main_objective: 'Sort stably', success_criteria: ['Equal items keep their order'] },
    task_decomposition: {
      reasoning: '…',
      subtasks: [
        { id: 'task_1', description: 'Read', dependencies: [], estimated_complexity: 'low' },
        { id: 'task_2', description: 'Mend', dependencies: ['task_1'], estimated_complexity: 'high' },
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
          fallback_strategy: 'ask for the rights',
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
const verification = (passed: boolean, issues: readonly string[], more = {}) => ({
  ...place,
  type: 'verification',
  verification_result: { phase: 'verification', verification_passed: passed, issues_found: issues, ...more },
});
const action = (task: string, state: string, detail = '') => ({
  ...{ ...place, type: 'action', task_id: task, state, attempt: 1, detail, evidence: [] },
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
  changes: [{ type: 'modify_action', details: 'Write to a copy' }, 'Ask first', 7],
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
      successCriteria: ['Equal items keep their order'],
      subtasks: [
        { id: 'task_1', description: 'Read', dependencies: [], complexity: 'low' },
        { id: 'task_2', description: 'Mend', dependencies: ['task_1'], complexity: 'high' },
      ],
      actionCount: 2,
      executedCount: 2,
      requestSha256: 'same',
    });
    expect(record?.execution).toEqual({
      succeeded: 1,
      failed: 1,
      actions: [
        makeAction({ taskId: 'task_1', tool: 'read_file', purpose: 'see it' }),
        makeAction({ taskId: 'task_2', purpose: 'mend it', state: 'failed', problem: 'read-only' }),
      ],
    });
  });

  it('believes a run that tells what became of each action, more than its reflections', () => {
    const told = [
      action('task_1', 'started'),
      action('task_1', 'succeeded'),
      action('task_2', 'failed', 'exit 1'),
    ];
    const record = read([plan, ...told, reflection('task_1', 'failure', { root_cause: 'cache' })]);
    expect(record?.plan?.executedCount).toBe(1);
    expect(record?.execution).toMatchObject({ succeeded: 1, failed: 1 });
    expect(record?.execution.actions[1]).toMatchObject({ problem: 'exit 1', remedy: null });
    const added = verification(false, ['No test'], {
      additional_actions: [{ task_id: 'verification_fix_1' }],
    });
    expect(read([plan, ...told, added])?.plan).toMatchObject({ actionCount: 3, executedCount: 1 });
    const continued = { ...plan, done_task_ids: ['task_1'] };
    expect(read([continued, action('task_2', 'started')])?.plan?.executedCount).toBe(1);
  });

  it('names what helped after a failure: the other way that worked, or the revision [CI-79]', () => {
    const failed = [plan, action('task_2', 'failed', 'no rights')];
    expect(read([...failed, action('task_2', 'succeeded')])?.execution.actions[0]).toMatchObject({
      ...{ state: 'succeeded', attempts: 2, problem: 'no rights', remedy: 'ask for the rights' },
    });
    const reflected = reflection('task_2', 'failure', { root_cause: 'read-only' });
    expect(read([...failed, reflected, revision])?.execution.actions[0]).toMatchObject({
      ...{ state: 'failed', problem: 'read-only', remedy: 'Write to a copy; Ask first' },
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
      placeholders: [],
      additionalWork: [],
      confidence: null,
    });
    expect(record?.plan?.executedCount).toBe(2);
  });

  it('keeps the placeholders, the work that was added and the confidence of verifications [CI-9] [CI-81]', () => {
    const found = verification(false, [], {
      placeholder_detected: { count: 1, locations: ['sort.ts:12'] },
      additional_actions: [{ task_id: 'verification_fix_1', purpose: 'Write a test' }, { task_id: 'fix_2' }],
      completion_confidence: 0.6,
    });
    const odd = verification(true, [], { placeholder_detected: 'none', completion_confidence: 'high' });
    expect(read([found])?.verification).toMatchObject({
      ...{ placeholders: ['sort.ts:12'], additionalWork: ['Write a test', 'fix_2'], confidence: 0.6 },
    });
    expect(read([found, odd])?.verification).toMatchObject({ rounds: 2, passed: true, confidence: null });
  });

  it('adds up what the runs of a thread verified [CI-82]', () => {
    const first = read([verification(false, ['TODO left', 'No test'], { completion_confidence: 0.2 })]);
    const second = read([verification(false, ['No test'], { completion_confidence: 0.7 })]);
    const records = [second, makePlan({ verification: null }), first].filter((record) => record !== null);
    expect(addUpVerifications(records)).toMatchObject({
      ...{ rounds: 2, passed: false, confidence: 0.7 },
      ...{ issues: ['TODO left', 'No test'], resolved: ['TODO left'] },
    });
    expect(addUpVerifications([makePlan({ verification: null })])).toBeNull();
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
    expect(read(entries, { reuseSuccessfulPatterns: false })?.execution).toMatchObject({
      succeeded: 1,
      actions: [],
    });
    expect(
      read(entries, { inheritPlans: false, inheritVerifications: false, inheritReflections: false }),
    ).toBeNull();
  });

  it('goes without lines that are damaged or of another kind [CI-49]', () => {
    expect(read(['{torn', { type: 'plan' }, { type: 'party' }, plan])?.plan?.goal).toBe('Sort stably');
    const progress = JSON.stringify({ type: 'phase', phase: 'execution' });
    expect(parsePlanEntries(['{torn', progress, JSON.stringify(plan)]).skippedLines).toBe(1);
  });
});

const facts = {
  now: new Date('2026-11-20T10:00:00Z'),
  expiryDays: 90,
  presentRequest: 'same',
};
const stopped = makePlan({ status: 'stopped' });
const done = makePlan({ status: 'stopped', plan: stopped.plan && { ...stopped.plan, executedCount: 4 } });

it('goes on with a plan that was stopped halfway for the same request, and refers to all others [CI-75] [C14]', () => {
  expect(decidePlanUse(stopped, facts)).toBe('continue');
  expect(decidePlanUse(makePlan({ status: 'completed' }), facts)).toBe('refer');
  expect(decidePlanUse(makePlan({ status: 'stopped', plan: null }), facts)).toBe('refer');
  expect(decidePlanUse(done, facts)).toBe('refer');
  expect(decidePlanUse(stopped, { ...facts, expiryDays: 19 })).toBe('continue');
  expect(decidePlanUse(stopped, { ...facts, expiryDays: 18 })).toBe('refer');
  expect(decidePlanUse(stopped, { ...facts, presentRequest: 'other' })).toBe('refer');
  const unknown = makePlan({
    status: 'stopped',
    plan: stopped.plan && { ...stopped.plan, requestSha256: null },
  });
  expect(decidePlanUse(unknown, { ...facts, presentRequest: null })).toBe('refer');
});
