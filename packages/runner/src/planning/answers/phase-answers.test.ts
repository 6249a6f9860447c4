import { describe, expect, it } from 'vitest';
import { readCompletion, readExecution } from './ends.ts';
import { readReflection, readRevision } from './reflection.ts';
import { readReplanDecision } from './replan.ts';
import { readVerification } from './verification.ts';

const action = { task_id: 'task_2', tool: 'edit_file', purpose: 'Round' };

describe('readExecution', () => {
  it('reads the end of an action, and takes only a clear yes for one', () => {
    const answer = {
      phase: 'execution',
      current_task: 'task_1',
      expected_outcome_met: true,
      evidence: 'exit 0',
    };
    expect(readExecution(JSON.stringify(answer))).toEqual({
      kind: 'ok',
      value: { ...answer, comment: null },
      notes: [],
    });
    for (const said of ['maybe', 'probably true', 2, null, {}, ['true', 'false']]) {
      const reading = readExecution(JSON.stringify({ ...answer, expected_outcome_met: said }));
      expect(reading).toMatchObject({ kind: 'ok', value: { expected_outcome_met: false } });
    }
  });

  it('is no end of an action where a call is written as JSON', () => {
    const call = { phase: 'execution', function_call: { name: 'read_file', arguments: {} } };
    expect(readExecution(JSON.stringify(call))).toMatchObject({
      kind: 'bad',
      reasons: [expect.stringContaining('tools are called as tools')],
    });
  });
});

describe('readReflection', () => {
  const plan_revision = {
    reason: 'The file is elsewhere',
    changes: [{ type: 'modify action', details: 'another path' }],
    updated_action_plan: { actions: [action] },
  };
  const reflection = {
    action_id: 'task_2',
    status: 'Failure',
    evaluation: 'no such file',
    plan_revision_needed: true,
  };

  it.each([
    ['where it belongs', { phase: 'reflection', reflection, plan_revision }],
    ['a level too high', { ...reflection, plan_revision }],
    [
      'half of it a level too high',
      {
        reflection: { ...reflection, plan_revision_needed: undefined },
        plan_revision_needed: 'yes',
        plan_revision,
      },
    ],
    ['a level too low', { reflection: { ...reflection, plan_revision } }],
  ])('finds that a revision is needed, written %s', (_, answer) => {
    expect(readReflection(JSON.stringify(answer))).toMatchObject({
      kind: 'ok',
      value: {
        reflection: {
          action_evaluated: 'task_2',
          status: 'failure',
          plan_revision_needed: true,
          root_cause: null,
        },
        plan_revision: {
          changes: [{ type: 'modify_action', details: 'another path' }],
          updated_action_plan: { execution_order: ['task_2'], actions: [{ task_id: 'task_2' }] },
          updated_subtasks: [],
        },
      },
    });
  });

  it('has no revision where one is said to be needed and none can be used', () => {
    for (const broken of [null, 'later', {}, { reason: 'x', updated_action_plan: { actions: ['read'] } }]) {
      expect(readReflection(JSON.stringify({ reflection, plan_revision: broken }))).toMatchObject({
        kind: 'ok',
        value: { reflection: { plan_revision_needed: true }, plan_revision: null },
      });
    }
  });

  it('reads the decision to plan again out of the same answer, and takes what is no decision for none', () => {
    const replan_decision = { replan_needed: true, confidence: 0.9, replan_type: 'partial-replan' };
    const both = JSON.stringify({ reflection, replan_decision });
    expect(readReflection(both).kind).toBe('ok');
    expect(readReplanDecision(both)).toMatchObject({
      kind: 'ok',
      value: { replan_type: 'partial_replan', replan_level: 2 },
    });
    expect(readReplanDecision(JSON.stringify({ reflection, replan_decision: 'no' })).kind).toBe('bad');
    expect(readReplanDecision(JSON.stringify({ reflection })).kind).toBe('bad');
  });

  it('reads a revision alone, with its frame and without', () => {
    for (const written of [{ phase: 'revision', plan_revision }, plan_revision]) {
      expect(readRevision(JSON.stringify(written))).toMatchObject({
        kind: 'ok',
        value: { reason: 'The file is elsewhere', updated_action_plan: { execution_order: ['task_2'] } },
      });
    }
    expect(readRevision('{"plan_revision":{"reason":"x"}}')).toMatchObject({
      kind: 'bad',
      reasons: [expect.stringContaining('write the whole list of actions that are left')],
    });
  });
});

describe('readReplanDecision', () => {
  it.each([
    [1.7, 1],
    ['80%', 0.8],
    ['high', 0],
    [-3, 0],
    [null, 0],
    [{ value: 1 }, 0],
  ])('reads a confidence of %j as %j, and says so', (confidence, read) => {
    const reading = readReplanDecision(
      JSON.stringify({ replan_needed: true, confidence, replan_type: 'retry' }),
    );
    const written = typeof confidence === 'object' ? 'an object' : JSON.stringify(confidence);
    expect(reading).toMatchObject({ kind: 'ok', value: { confidence: read } });
    const notes = confidence === null ? [] : [`confidence: ${written} was read as ${read}`];
    expect(reading).toMatchObject({ notes });
  });

  it.each([
    ['9', 5],
    ['level 3', 3],
    [0, 1],
    ['none', 4],
  ])('reads the level %j as %j, or that of its kind', (replan_level, read) => {
    const written = {
      replan_decision: { replan_needed: true, replan_type: 'task redecomposition', replan_level },
    };
    expect(readReplanDecision(JSON.stringify(written))).toMatchObject({ value: { replan_level: read } });
  });

  it('does not know kinds that do not exist', () => {
    const written = { replan_needed: true, replan_type: 'burn_everything', target_phase: 'constructor' };
    expect(readReplanDecision(JSON.stringify(written))).toMatchObject({
      value: { replan_type: 'none', target_phase: 'execution' },
    });
  });
});

describe('readVerification', () => {
  it('takes only a clear yes for passed, and names additional actions in their order', () => {
    const written = {
      phase: 'verification',
      verification_passed: 'not yet',
      issues_found: 'a TODO is left',
      placeholder_detected: {
        count: '2 places',
        locations: ['src/a.ts:3', 'src/b.ts:9'],
        explained: [{ location: 'src/b.ts:9', reason: 'a test of it' }],
      },
      additional_actions: [{ ...action, task_id: 'task_1' }, action, 'and more'],
      completion_confidence: '70%',
    };
    expect(readVerification(JSON.stringify(written))).toMatchObject({
      kind: 'ok',
      value: {
        verification_passed: false,
        issues_found: ['a TODO is left'],
        placeholder_detected: { count: 2, explained: [{ location: 'src/b.ts:9', reason: 'a test of it' }] },
        additional_work_needed: true,
        additional_actions: [{ task_id: 'verification_fix_1' }, { task_id: 'verification_fix_2' }],
        completion_confidence: 0.7,
      },
    });
  });

  it.each([
    ['a list', ['src/a.ts:1'], 1],
    ['a number', 3, 3],
    ['nothing', undefined, 0],
    ['no', false, 0],
  ])('reads placeholders from %s', (_, placeholder_detected, count) => {
    const written = JSON.stringify({ verification: { verification_passed: true, placeholder_detected } });
    expect(readVerification(written)).toMatchObject({
      value: { verification_passed: true, placeholder_detected: { count }, additional_work_needed: false },
    });
  });
});

describe('readCompletion', () => {
  it('reads what was reached, with its frame and without', () => {
    const summary = {
      goal_achieved: true,
      tasks_completed: '3 of 4',
      tasks_failed: 'one',
      key_outcomes: 'rounded',
    };
    for (const written of [
      { phase: 'completion', done: true, summary },
      { done: true, ...summary },
    ]) {
      expect(readCompletion(JSON.stringify(written))).toMatchObject({
        kind: 'ok',
        value: {
          phase: 'completion',
          done: true,
          summary: { goal_achieved: true, tasks_completed: 3, tasks_failed: 0, key_outcomes: ['rounded'] },
        },
      });
    }
    expect(readCompletion('All done!').kind).toBe('bad');
  });
});

describe('an answer whose JSON had to be repaired', () => {
  const action = { task_id: 'v1', tool: 'write_file', purpose: 'p' };
  const verification = {
    phase: 'verification',
    verification_passed: false,
    issues_found: ['a'],
    placeholder_detected: { count: 0, locations: [] },
    additional_work_needed: true,
    additional_actions: [action],
  };
  const reflection = {
    phase: 'reflection',
    reflection: { status: 'failure', evaluation: 'e', plan_revision_needed: true },
    plan_revision: { reason: 'r', changes: [], updated_action_plan: { actions: [action] } },
  };
  const spoil: readonly (readonly [string, (json: string) => string])[] = [
    ['a brace too many in the middle', (json) => json.replace('},"', '}},"')],
    ['a brace too many at the end', (json) => `${json}}`],
    ['no last brace', (json) => json.slice(0, -1)],
    ['no last two brackets', (json) => json.slice(0, -2)],
    ['a brace in place of a bracket', (json) => json.replace('],', '},')],
    ['a comma too few', (json) => json.replace(',"', ' "')],
    ['a trailing comma', (json) => json.replace(/}$/, ',}')],
    ['text behind it', (json) => `${json.slice(0, -1)} }\nThat is my answer {so far}.`],
  ];

  it.each(spoil)('keeps what is to be done next, or is asked for again: %s', (_, write) => {
    const verified = readVerification(write(JSON.stringify(verification)));
    if (verified.kind === 'ok')
      expect(verified.value).toMatchObject({
        additional_work_needed: true,
        additional_actions: [{ tool: 'write_file' }],
      });
    const reflected = readReflection(write(JSON.stringify(reflection)));
    if (reflected.kind === 'ok')
      expect(reflected.value.plan_revision?.updated_action_plan.actions).toMatchObject([
        { tool: 'write_file' },
      ]);
  });

  it('keeps what is to be done next, or is asked for again, whatever sign is missing or written twice', () => {
    const draft = '{"phase":"verification","verification_passed":true}\nNo, again:\n';
    for (const indent of [0, 2]) {
      const json = JSON.stringify({ ...verification, comment: 'c' }, null, indent);
      const places = [...json.matchAll(/[{}[\],:"]/g)].map(({ index }) => index);
      for (const at of places) {
        const fewer = json.slice(0, at) + json.slice(at + 1);
        const more = json.slice(0, at) + json.slice(at, at + 1) + json.slice(at);
        const drafts = /[}\]]/.test(json.charAt(at)) ? [draft + fewer, draft + more] : [];
        for (const text of [fewer, more, JSON.stringify(fewer), ...drafts]) {
          const read = readVerification(text);
          if (read.kind === 'ok')
            expect(read.value, text).toMatchObject({
              verification_passed: false,
              additional_work_needed: true,
              additional_actions: [expect.anything()],
            });
        }
      }
    }
  });

  it('is asked for again if a key of its form was lost', () => {
    const text =
      '{"phase":"verification","verification_passed":false,"issues_found":["a]}\n\n"additional_actions":[{"tool":"x"}]}';
    expect(readVerification(text)).toMatchObject({
      kind: 'bad',
      reasons: [expect.stringContaining('additional_actions')],
    });
  });
});
