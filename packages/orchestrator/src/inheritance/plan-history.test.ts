import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@agent/run-store';
import { createMemoryRunState } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { hashRequest } from '../past/earlier-runs.ts';
import { createRunAudience } from '../run/run-thread.ts';
import { keptWorkName } from './kept-work.ts';
import { createOpenPlanHistory, createReadRequestHash, type PlanningRun } from './plan-history.ts';

let bed: PastBed;
let tree: string;
beforeEach(async () => {
  bed = await makePastBed({}, { mode: 'planning' });
  tree = await mkdtemp(join(tmpdir(), 'plan-history-'));
});
afterEach(async () => {
  await bed.close();
  await rm(tree, { recursive: true });
});

const readRequest = () => bed.platform.openThread(bed.key).reader.readThread();
const actionOf = (task_id: string, tool: string, purpose: string) => ({
  ...{ task_id, action_type: 'tool_call', tool, parameters: {}, purpose },
  ...{ expected_outcome: 'it is done', fallback_strategy: null },
});
const subtaskOf = (
  id: string,
  description: string,
  { dependencies = [], rests_on = [] }: { dependencies?: string[]; rests_on?: string[] } = {},
) => ({
  ...{ id, description, dependencies, estimated_complexity: 'low', required_tools: [], rests_on },
});
const plan = {
  phase: 'planning',
  goal_understanding: {
    ...{ main_objective: 'Count quantities', success_criteria: ['The total is right'] },
    ...{ constraints: [], context: '' },
  },
  task_decomposition: {
    reasoning: '',
    subtasks: [
      subtaskOf('task_1', 'Read it'),
      subtaskOf('task_2', 'Mend it', { dependencies: ['task_1'], rests_on: ['A1', '41'] }),
    ],
  },
  action_plan: {
    execution_order: ['task_1', 'task_2'],
    actions: [
      actionOf('task_1', 'read_file', 'see it'),
      actionOf('task_2', 'edit_file', 'mend hunter2-hunter2'),
    ],
  },
  comment: null,
};
const acted = (task_id: string, state: string, detail = '') => ({
  ...{ type: 'action', task_id, state, attempt: 1, detail, evidence: [] },
});
const reflected = {
  type: 'reflection',
  evaluation: {
    phase: 'reflection',
    reflection: {
      ...{ action_evaluated: 'task_2', status: 'failure', evaluation: '', root_cause: 'the file is locked' },
      ...{ issues_identified: ['no rights'], plan_revision_needed: false, reasoning: '' },
    },
    ...{ plan_revision: null, comment: null },
  },
};
const verified = {
  ...{ type: 'verification', round: 1 },
  verification_result: {
    ...{ phase: 'verification', verification_passed: false, issues_found: ['TODO left'] },
    ...{ placeholder_detected: { count: 1, locations: ['total.js:3'] }, additional_work_needed: false },
    ...{ additional_actions: [], completion_confidence: 0.4, comment: null },
  },
};

/** Facts of a run that was stopped after its first action, and whatever it did besides. */
async function planFacts(more: readonly JsonObject[] = []): Promise<readonly JsonObject[]> {
  const request_sha256 = hashRequest(await readRequest());
  const made = { type: 'plan', plan, origin: 'new', request_sha256, plan_hash: 'p', done_task_ids: [] };
  return [made, acted('task_1', 'started'), acted('task_1', 'succeeded'), ...more];
}

/** The run that begins, and its history. */
async function openHistory(options: { readonly workspace?: { readonly path: string } | null } = {}) {
  const { lineage, inherited } = await bed.begin();
  const { key, platform } = bed;
  const audience = createRunAudience(createMemoryRunState());
  const thread = { platform: { platform }, ports: platform.openThread(key), audience };
  const run: PlanningRun = {
    uuid: 'u',
    thread,
    lineage,
    facts: { locale: 'en', belongsTo: null, repository: null },
    logger: bed.logger,
  };
  const { workspace = null } = options;
  return { history: await createOpenPlanHistory(bed)(run, { workspace }), lineage, inherited, run };
}

describe('a run that plans on a thread with earlier plans', () => {
  it('is told of them in the blocks of the seeds, and of each phase in that phase [CI-9] [CI-10] [CI-76] [CI-79] [CI-80] [CI-81] [CI-83] [CI-85] [X6]', async () => {
    await bed.addRun({
      planning: await planFacts([acted('task_2', 'failed', 'exit 1'), reflected, verified]),
    });
    const { history, inherited } = await openHistory();
    expect(inherited?.block).toContain(
      '## Previous Planning History\n\n### Previous Plan Summary\n**Goal**: `Count quantities`',
    );
    expect(inherited?.block).toContain('**Verification Rounds**: 1\n**Issues Found**: `TODO left`');
    const told = history?.forPlan() ?? '';
    expect(told).toMatch(/^## Previous Planning Context\n/);
    expect(told).toContain('- Worked: read_file: see it\n- Failed: task_2 (edit_file): the file is locked\n');
    expect(told).toContain('- Order: task_2 (Mend it) after task_1\n');
    const [, action] = plan.action_plan.actions;
    expect(history?.forAction(action ?? actionOf('', '', ''))).toContain(
      'task_2 (edit_file): the file is locked',
    );
    expect(history?.forReflection()).toContain('- Problem: no rights');
    expect(history?.forVerification()).toContain('- Still open: TODO left\n- Placeholder found: total.js:3');
    expect(told).not.toContain('hunter2');
  });

  it('goes on with the plan of a run that was stopped, after what that run had done [CI-75] [NX-122]', async () => {
    const stopped = await bed.addRun({ status: 'stopped', planning: await planFacts() });
    const { history, lineage } = await openHistory();
    expect(lineage.planOf).toBe(stopped);
    const found = await history?.continuable();
    expect(found?.doneTaskIds).toEqual(['task_1']);
    expect(found?.plan.action_plan.actions[1]).toMatchObject({
      tool: 'edit_file',
      purpose: 'mend [REDACTED]',
    });
  });

  it('rests a plan that goes on on the assumptions of the run that made it, which are none of its own [NX-122]', async () => {
    const stopped = await bed.addRun({ status: 'stopped', planning: await planFacts() });
    const { history } = await openHistory();
    const found = await history?.continuable();
    const [, second] = found?.plan.task_decomposition.subtasks ?? [];
    expect(second?.rests_on).toEqual([`${stopped.slice(0, 8)}:A1`, '41']);
  });

  it('only refers to it when the request was edited, something was said, the run was not stopped, or another one came after it [CI-75] [NX-122]', async () => {
    await bed.addRun({ planning: await planFacts() });
    expect((await openHistory()).lineage.planOf).toBeNull();
    await bed.addRun({ status: 'stopped', planning: await planFacts() });
    expect((await openHistory()).lineage.planOf).not.toBeNull();
    await bed.addRun({ status: 'failed' });
    expect((await openHistory()).lineage.planOf).toBeNull();
    await bed.addRun({ status: 'stopped', planning: await planFacts() });
    const said = bed.say('alice', 'Do it in Rust.');
    expect((await openHistory()).lineage.planOf).toBeNull();
    bed.platform.people.deleteComment(bed.key, said);
    expect((await openHistory()).lineage.planOf).not.toBeNull();
    bed.platform.people.editThread(bed.key, { body: 'Count prices.' });
    const { history, lineage } = await openHistory();
    expect(lineage.planOf).toBeNull();
    expect(await history?.continuable()).toBeNull();
    expect(history?.forPlan()).toContain('Count quantities');
  });

  it('only refers to it when the work that was done for it is not in the files as it was left [NX-122]', async () => {
    const workspace = { path: tree };
    await writeFile(join(tree, 'total.js'), 'half');
    const sha256 = createHash('sha256').update('half').digest('hex');
    const state = { [keptWorkName]: { files: { 'total.js': sha256, 'gone.js': null } } };
    await bed.addRun({ status: 'stopped', planning: await planFacts(), state });
    const continuable = async () => (await openHistory({ workspace })).history?.continuable();
    expect(await continuable()).not.toBeNull();
    await writeFile(join(tree, 'total.js'), 'as it was before');
    expect(await continuable()).toBeNull();
    await bed.addRun({ status: 'stopped', planning: await planFacts() });
    await writeFile(join(tree, 'total.js'), 'half');
    expect(await continuable()).toBeNull();
  });

  it('only refers to it when the plan was about to be revised [NX-122]', async () => {
    const rejected = acted('task_2', 'invalidated', 'A1 was rejected');
    await bed.addRun({ status: 'stopped', planning: await planFacts([rejected]) });
    const { history } = await openHistory();
    expect(await history?.continuable()).toBeNull();
    expect(history?.forPlan()).toContain(
      'Your files already contain what the last run changed before it was stopped',
    );
  });

  it('plans without what cannot be read, and says so', async () => {
    await bed.addRun({ planning: await planFacts() });
    const { run } = await openHistory();
    const readRun = () => Promise.reject(new Error('gone'));
    expect(await createOpenPlanHistory({ ...bed, readRun })(run, { workspace: null })).toBeNull();
    expect(bed.logged('warn').map(({ msg }) => msg)).toContain(
      'failed to read earlier plans; planning without them',
    );
  });

  it('is told nothing of what is not to be inherited [CI-86] [CI-87] [CI-88] [CI-89] [CI-90]', {
    tags: ['full'],
  }, async () => {
    const tellWith = async (section: object) => {
      await bed.close();
      bed = await makePastBed(section, { mode: 'planning' });
      const facts = await planFacts([acted('task_2', 'failed', 'exit 1'), reflected, verified]);
      for (let run = 0; run < 3; run += 1) await bed.addRun({ planning: facts });
      const { history, inherited } = await openHistory();
      const phases = [history?.forPlan(), history?.forReflection(), history?.forVerification()];
      return { all: `${inherited?.block}\n${phases.join('\n')}`, phases };
    };
    const { all } = await tellWith({});
    for (const text of ['Count quantities', 'Worked: read_file', 'no rights', 'TODO left'])
      expect(all).toContain(text);
    expect(all).toContain('**Verification Rounds**: 3');
    const { all: noPlans } = await tellWith({ planning: { inherit_plans: false } });
    expect(noPlans).not.toMatch(/Count quantities|Previous Plan Summary|Worked|task_2 \(edit/);
    const { all: noVerifications } = await tellWith({ planning: { inherit_verifications: false } });
    expect(noVerifications).not.toMatch(/TODO left|Verification Rounds|total\.js/);
    const { phases } = await tellWith({ planning: { inherit_reflections: false } });
    expect(phases).toEqual([
      expect.not.stringContaining('no rights'),
      '',
      expect.stringContaining('TODO left'),
    ]);
    const { all: noPatterns } = await tellWith({ planning: { reuse_successful_patterns: false } });
    expect(noPatterns).not.toMatch(/Worked|Worked before/);
    const { all: two } = await tellWith({ planning: { max_previous_plans: 2 } });
    expect(two.match(/, completed\): Count quantities;/g)).toHaveLength(2);
  });
});

it('the fingerprint of a request is of its title and its text [C14]', async () => {
  const { key, platform } = bed;
  const read = createReadRequestHash({ thread: { ports: platform.openThread(key) } });
  const before = await read({});
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  platform.people.editThread(key, { body: 'Count prices.' });
  expect(await read({})).not.toBe(before);
  expect(hashRequest({ title: 'a', body: 'b' })).not.toBe(hashRequest({ title: 'ab', body: '' }));
});
