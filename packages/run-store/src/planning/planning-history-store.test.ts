import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFileRunLines } from '../file/run-reader.ts';
import type { JsonObject } from '../run-model.ts';
import { indexedRun, openHouse, task } from '../testing/index-setup.ts';
import { createLog, end, newRun } from '../testing/store-setup.ts';
import { PlanningHistoryStore } from './planning-history-store.ts';

const directory = useDirectory();
let house: ReturnType<typeof openHouse>;
let time = 0;
beforeEach(async () => {
  time = Date.parse('2026-03-01T12:00:00Z');
  house = openHouse(directory.path, { time: () => time });
});

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
async function openPlanning(options: { readonly uuid?: string } = {}) {
  const { uuid = randomUUID() } = options;
  const run = await house.store.open(newRun(uuid));
  const { logger, messages } = createLog();
  const lines = createFileRunLines({ baseDirectory: directory.path });
  const { journal } = run;
  const { host } = task;
  const store = new PlanningHistoryStore({
    ...{ journal, lines, index: house.index, uuid, issueId: '42', host, logger },
  });
  const note = (data: JsonObject) => journal.append({ type: 'fact', name: 'planning', data });
  const path = (place: string) => join(directory.path, place, uuid, 'planning', `${uuid}.jsonl`);
  return { store, uuid, path, messages, run, note };
}

/** Writes what the earlier program recorded into a run that has ended. */
async function leavePlanning(lines: readonly string[]) {
  const uuid = randomUUID();
  await house.index.put(indexedRun({ uuid }));
  const planning = join(directory.path, 'completed', uuid, 'planning');
  await mkdir(planning, { recursive: true });
  await writeFile(join(planning, `${uuid}.jsonl`), `${lines.join('\n')}\n`);
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

const parseLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('PlanningHistoryStore', () => {
  it('leaves a line for each decision, in the words of the seeds, and none for progress [CI-74, NX-121]', async () => {
    const { store, uuid, path, run, note } = await openPlanning();
    await store.savePlan(plan, { requestSha256: 'abc' });
    await note({ type: 'action', task_id: 'task_1', state: 'succeeded' });
    await store.saveReflection({ reflection: { status: 'success' } });
    await store.saveRevision({
      reason: 'a test failed',
      changes: ['run it again'],
      updatedPlan: { phase: 'revision' },
    });
    await store.saveVerification({ verification_passed: true });
    await store.saveReplanDecision(decision);
    await run.journal.finish(end);
    await house.store.finish(uuid);
    const place = { timestamp: '2026-03-01T12:00:00.000Z', issue_id: '42', task_uuid: uuid };
    expect(parseLines(await readFile(path('completed'), 'utf8'))).toEqual([
      { type: 'plan', plan, request_sha256: 'abc', ...place },
      { type: 'reflection', evaluation: { reflection: { status: 'success' } }, ...place },
      {
        type: 'revision',
        reason: 'a test failed',
        changes: ['run it again'],
        updated_plan: { phase: 'revision' },
        ...place,
      },
      { type: 'verification', verification_result: { verification_passed: true }, ...place },
      {
        type: 'replan_decision',
        phase: 'execution',
        llm_decision: { replan_needed: true },
        confidence: 0.8,
        executed: true,
        override_reason: null,
        replan_counts: { execution: 1 },
        ...place,
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

  it('keeps all of many decisions saved at the same time, in their order [CI-74]', async () => {
    const { store } = await openPlanning();
    await Promise.all(Array.from({ length: 50 }, (_, number) => store.saveReflection({ number })));
    const numbers = (await store.getAllReflections()).map(({ evaluation }) => evaluation.number);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, number) => number));
  });

  it('passes over facts that say nothing, and says so [CI-49]', async () => {
    const { store, messages, note } = await openPlanning();
    await note({ type: 'reflection', evaluation: 'none' });
    await note({ type: 'party' });
    await store.savePlan(plan);
    expect(await store.getLatestPlan()).toEqual(plan);
    expect(await store.getAllReflections()).toEqual([]);
    expect(messages).toContain('ignoring unreadable lines in plan history');
  });

  it('makes no file for a run that never planned', async () => {
    const uuid = await house.endRun();
    await expect(stat(join(directory.path, 'completed', uuid, 'planning'))).rejects.toThrow('ENOENT');
  });

  it('finds what earlier runs on the thread planned, oldest first, and nothing of other threads [CI-55, CI-82, CI-84, C15]', async () => {
    const leave = async (fields: Partial<ReturnType<typeof newRun>>, events: readonly JsonObject[]) => {
      const uuid = randomUUID();
      const { journal } = await house.store.open({ ...newRun(uuid), ...fields });
      for (const data of events) {
        time += 1_000;
        await journal.append({ type: 'fact', name: 'planning', data });
      }
      await house.endRun({ ...fields, uuid });
      return uuid;
    };
    const foreign = { type: 'plan', plan: { phase: 'foreign' } };
    const one = await leave({}, [{ type: 'plan', plan }]);
    const two = await leave({}, [{ type: 'verification', verification_result: { round: 1 } }]);
    // The same number elsewhere: another repository, and the same text on another host.
    await leave({ taskKeyText: 'github_issue:octo:dog:42' }, [foreign]);
    await leave({ host: 'github.example' }, [foreign]);
    const { store } = await openPlanning();
    await store.savePlan({ phase: 'own' });
    const entries = await store.getPastExecutionsForIssue(task.taskKeyHash);
    expect(entries.map(({ timestamp: _, ...entry }) => entry)).toEqual([
      { type: 'plan', plan, requestSha256: null, issueId: '42', taskUuid: one },
      { type: 'verification', verificationResult: { round: 1 }, issueId: '42', taskUuid: two },
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
      { type: 'revision', reason: '', changes: [], issueId: '42', taskUuid: 'u' },
      {
        type: 'replan_decision',
        phase: 'verification',
        llmDecision: {},
        confidence: null,
        overrideReason: null,
      },
      { type: 'reflection' },
    ]);
    expect(messages).toContain('ignoring unreadable lines in plan history');
  });

  it('finds the plans of a run that ended and was not moved yet, and none of one that is gone [CI-48, CI-84]', async () => {
    const { store, uuid } = await openPlanning();
    await store.savePlan(plan);
    await house.index.put(indexedRun({ uuid }));
    await house.index.put(indexedRun());
    await mkdir(join(directory.path, 'completed'), { recursive: true });
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
