import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexedRun, openHouse, task } from '../testing/index-setup.ts';
import { createLog, makeDirectory, newRun } from '../testing/store-setup.ts';
import { PlanningHistoryStore } from './planning-history-store.ts';

let directory: Awaited<ReturnType<typeof makeDirectory>>;
let house: ReturnType<typeof openHouse>;
beforeEach(async () => {
  directory = await makeDirectory();
  house = openHouse(directory.path);
});
afterEach(() => directory.remove());

const plan = { phase: 'planning', goal_understanding: { main_objective: 'mend the total' } };
const decision = {
  phase: 'execution',
  llmDecision: { replan_needed: true },
  confidence: 0.8,
  executed: true,
  overrideReason: null,
  replanCounts: { execution: 1 },
};

/** A run that is under way, and its store of plans. */
async function openPlanning(options: { readonly uuid?: string; readonly host?: string } = {}) {
  const { uuid = randomUUID(), host = task.host } = options;
  await house.store.open({ ...newRun(uuid), host });
  const { logger, messages } = createLog();
  let time = Date.parse('2026-03-01T12:00:00Z');
  const now = () => {
    time += 1_000;
    return time;
  };
  const path = join(directory.path, 'running', uuid, 'planning', `${uuid}.jsonl`);
  const common = { baseDirectory: directory.path, index: house.index, logger, now };
  const store = new PlanningHistoryStore({ ...common, uuid, issueId: '42', host });
  return { store, uuid, path, messages };
}

/** Writes what a planning mode recorded into a run that has ended. */
async function leavePlanning(lines: readonly string[], fields: Partial<ReturnType<typeof newRun>> = {}) {
  const uuid = await house.endRun(fields);
  const planning = join(directory.path, 'completed', uuid, 'planning');
  await mkdir(planning);
  await writeFile(join(planning, `${uuid}.jsonl`), lines.join('\n'));
  return uuid;
}

const recorded = (type: string, fields: object, minute = 0) =>
  JSON.stringify({
    type,
    timestamp: new Date(Date.UTC(2026, 1, 1, 0, minute)).toISOString(),
    issue_id: 42,
    task_uuid: 'u',
    ...fields,
  });

describe('PlanningHistoryStore', () => {
  it('writes a line for each decision, in the words of the seeds [CI-74]', async () => {
    const { store, uuid, path } = await openPlanning();
    await store.savePlan(plan);
    await store.saveReflection({ reflection: { status: 'success' } });
    await store.saveRevision({
      reason: 'a test failed',
      changes: ['run it again'],
      updatedPlan: { phase: 'revision' },
    });
    await store.saveVerification({ verification_passed: true });
    await store.saveReplanDecision(decision);
    const place = (second: string) => ({
      timestamp: `2026-03-01T12:00:0${second}.000Z`,
      issue_id: '42',
      task_uuid: uuid,
    });
    const text = await readFile(path, 'utf8');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { type: 'plan', plan, ...place('1') },
      { type: 'reflection', evaluation: { reflection: { status: 'success' } }, ...place('2') },
      {
        type: 'revision',
        reason: 'a test failed',
        changes: ['run it again'],
        updated_plan: { phase: 'revision' },
        ...place('3'),
      },
      { type: 'verification', verification_result: { verification_passed: true }, ...place('4') },
      {
        type: 'replan_decision',
        phase: 'execution',
        llm_decision: { replan_needed: true },
        confidence: 0.8,
        executed: true,
        override_reason: null,
        replan_counts: { execution: 1 },
        ...place('5'),
      },
    ]);
  });

  it('reads its own decisions back, the plan of the last revision as the latest [CI-74]', async () => {
    const { store } = await openPlanning();
    expect([await store.hasPlan(), await store.getLatestPlan()]).toEqual([false, null]);
    await store.savePlan(plan);
    expect([await store.hasPlan(), await store.getLatestPlan()]).toEqual([true, plan]);
    await store.saveRevision({ reason: 'r', changes: [], updatedPlan: { phase: 'revised' } });
    await store.saveReflection({ status: 'partial' });
    await store.saveVerification({ verification_passed: false });
    await store.saveReplanDecision(decision);
    expect(await store.getLatestPlan()).toEqual({ phase: 'revised' });
    expect(await store.getRevisionHistory()).toMatchObject([{ reason: 'r' }]);
    expect(await store.getAllReflections()).toMatchObject([{ evaluation: { status: 'partial' } }]);
    expect(await store.getVerifications()).toMatchObject([
      { verificationResult: { verification_passed: false } },
    ]);
    expect(await store.getReplanDecisions()).toMatchObject([decision]);
  });

  it('keeps all of many decisions saved at the same time, each on a line of its own [CI-74]', async () => {
    const { store } = await openPlanning();
    await Promise.all(Array.from({ length: 50 }, (_, number) => store.saveReflection({ number })));
    const numbers = (await store.getAllReflections()).map(({ evaluation }) => evaluation.number);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, number) => number));
  });

  it('goes on behind a line that a crash tore, and loses nothing else [CI-49]', async () => {
    const { store, path, messages } = await openPlanning();
    await store.savePlan(plan);
    await writeFile(path, `${await readFile(path, 'utf8')}{"type":"other"}\n{"type":"refl`);
    expect(await store.getLatestPlan()).toEqual(plan);
    await store.saveReflection({ status: 'success' });
    expect(await store.getAllReflections()).toHaveLength(1);
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(3);
    expect(messages).toContain('a history of plans has lines that say nothing; they are left out');
  });

  it('finds what earlier runs on the thread planned, oldest first, and nothing of other threads [CI-55, CI-82, CI-84]', async () => {
    await leavePlanning([
      recorded('plan', { plan }, 1),
      recorded('verification', { verification_result: { round: 1 } }, 5),
    ]);
    await leavePlanning([recorded('plan', { plan: { phase: 'second' } }, 3)]);
    // The same number elsewhere: another repository, and the same text on another host.
    await leavePlanning([recorded('plan', { plan: { phase: 'foreign' } }, 2)], {
      taskKeyText: 'github_issue:octo:dog:42',
    });
    await leavePlanning([recorded('plan', { plan: { phase: 'foreign' } }, 2)], { host: 'github.example' });
    const { store } = await openPlanning();
    await store.savePlan({ phase: 'own' });
    const entries = await store.getPastExecutionsForIssue(task.taskKeyHash);
    expect(entries.map(({ timestamp: _, ...entry }) => entry)).toEqual([
      { type: 'plan', plan, issueId: '42', taskUuid: 'u' },
      { type: 'plan', plan: { phase: 'second' }, issueId: '42', taskUuid: 'u' },
      { type: 'verification', verificationResult: { round: 1 }, issueId: '42', taskUuid: 'u' },
    ]);
  });

  it('reads what the earlier program recorded, whatever it left out [CI-74, CI-49]', async () => {
    await leavePlanning([
      recorded('revision', { updated_plan: {} }, 1),
      recorded('replan_decision', { phase: 'verification', executed: false }, 2),
      recorded('replan_decision', { phase: 7 }, 3),
      'null',
      recorded('reflection', { evaluation: {} }, 4),
      '{"torn":',
    ]);
    const { store, messages } = await openPlanning();
    const entries = await store.getPastExecutionsForIssue(task.taskKeyHash);
    expect(entries).toMatchObject([
      { type: 'revision', reason: '', changes: [] },
      {
        type: 'replan_decision',
        phase: 'verification',
        llmDecision: {},
        confidence: null,
        overrideReason: null,
      },
      { type: 'reflection' },
    ]);
    expect(messages).toContain('a history of plans has lines that say nothing; they are left out');
  });

  it('finds the plans of a run that ended and was not moved yet, and none of one that is gone [CI-48, CI-84]', async () => {
    const { store, uuid } = await openPlanning();
    await store.savePlan(plan);
    await house.index.put(indexedRun({ uuid }));
    await house.index.put(indexedRun());
    const entries = await store.getPastExecutionsForIssue(task.taskKeyHash);
    expect(entries.map(({ taskUuid }) => taskUuid)).toEqual([uuid]);
  });

  it('says that it could not ask, instead of finding nothing [CI-52]', async () => {
    const { store } = await openPlanning();
    await writeFile(join(directory.path, 'index'), 'in the way');
    await expect(store.getPastExecutionsForIssue(task.taskKeyHash)).rejects.toMatchObject({
      code: 'storage-failed',
    });
  });
});
