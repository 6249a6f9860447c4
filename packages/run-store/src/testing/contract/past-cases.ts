import assert from 'node:assert/strict';
import { PlanningHistoryStore } from '../../planning/planning-history-store.ts';
import { end, newRun } from '../store-setup.ts';
import {
  begin,
  comment,
  endRun,
  first,
  pause,
  type RunStoreCase,
  second,
  third,
  toUuids,
} from './contract.ts';

const { taskKeyText, host } = newRun(first);

/** Promises about what later runs find of earlier ones. */
export const pastCases: readonly RunStoreCase[] = [
  {
    name: 'finds the runs of a task that ended, the newest first, on its host alone',
    run: async (fixture) => {
      const process = await begin(fixture);
      const { taskKeyHash } = process.run.metadata;
      await endRun(process.store, { uuid: second });
      await endRun(process.store, { uuid: third });
      await endRun(process.store, { uuid: '40000000-0000-4000-8000-000000000004', host: 'forge.example' });
      await endRun(process.store, { uuid: '50000000-0000-4000-8000-000000000005', taskKeyText: 'another' });
      await process.store.pause(first, pause);
      const { index } = process;
      const found = await index.find({ taskKeyHash, host });
      assert.deepEqual(toUuids(found), [third, second]);
      assert.deepEqual(await index.find({ taskKeyHash, host: 'nowhere.example' }), []);
      const [newest] = found;
      assert.equal(newest?.taskKeyText, taskKeyText);
      assert.deepEqual([newest?.status, newest?.llmCallCount, newest?.totalTokens], ['completed', 1, 7]);
      assert.equal(newest?.finalSummary?.summary, `What ${third} did.`);
    },
  },
  {
    name: 'finds a run that has ended while something of it is open, once it was indexed',
    run: async (fixture) => {
      const { store, index, run } = await begin(fixture);
      const find = async () => toUuids(await index.find({ ...run.metadata, host }));
      await store.index(first);
      assert.deepEqual(await find(), [], 'a run that continues is not found');
      await run.journal.finish(end, { intents: [comment] });
      await store.index(first);
      assert.deepEqual(await find(), [first]);
      await run.outbox.settle(comment.id, { state: 'done', made: null });
      await store.finish(first);
      assert.deepEqual(await find(), [first]);
    },
  },
  {
    name: 'finds the summary that was added to a run after its end',
    run: async ({ start }) => {
      const { store, index } = await start();
      await endRun(store, { uuid: first });
      const { metadata, finalSummary } = await store.openEnded(first);
      const usage = { inputTokens: 1, outputTokens: 2 };
      await finalSummary.append({ text: 'Blue.', fields: { key_decisions: ['blue'] }, usage }, { now: 0 });
      const [found] = await index.find({ taskKeyHash: metadata.taskKeyHash, host });
      assert.equal(found?.finalSummary?.summary, 'Blue.');
      assert.deepEqual(found?.finalSummary?.key_decisions, ['blue']);
    },
  },
  {
    name: 'gives later runs what a run planned, in the words of the seeds, and the progress between [NX-121]',
    run: async (fixture) => {
      const { store, lines, index, run } = await begin(fixture);
      const { journal } = run;
      const history = new PlanningHistoryStore({ journal, index, lines, uuid: first, issueId: '42', host });
      await history.savePlan({ phase: 'planning' }, { requestSha256: 'abc' });
      await run.journal.append({
        type: 'fact',
        name: 'planning',
        data: { type: 'action', task_id: 'task_1' },
      });
      await history.saveVerification({ verification_passed: false });
      assert.deepEqual(await history.getLatestPlan(), { phase: 'planning' });
      await endRun(store, { uuid: first });
      const found = await lines.readLast(first, { planning: { limit: 9 } });
      const read = found?.planning.map((line) => JSON.parse(line));
      assert.deepEqual(
        read?.map(({ timestamp: _, ...line }) => line),
        [
          { type: 'plan', plan: { phase: 'planning' }, request_sha256: 'abc' },
          { type: 'action', task_id: 'task_1' },
          { type: 'verification', verification_result: { verification_passed: false } },
        ].map((line) => ({ ...line, issue_id: '42', task_uuid: first })),
      );
      const past = await history.getPastExecutionsForIssue(run.metadata.taskKeyHash);
      assert.deepEqual(
        past.map(({ type }) => type),
        ['plan', 'verification'],
      );
    },
  },
  {
    name: 'reads the last lines of summaries and tools of an ended run, and null for a removed run',
    run: async ({ start }) => {
      const { store, lines } = await start();
      const { journal } = await store.open(newRun(first));
      for (const toolCallId of ['c1', 'c2'])
        await journal.append({ type: 'tool-started', toolCallId, tool: 'read', args: {} });
      await endRun(store, { uuid: first });
      const read = async (limit: number) => {
        const found = await lines.readLast(first, { tools: { limit }, summaries: { limit } });
        return {
          tools: found?.tools.map((line) => JSON.parse(line)),
          summaries: found?.summaries.map((line) => JSON.parse(line).summary),
        };
      };
      assert.deepEqual(
        (await read(1)).tools?.map(({ tool_call_id: id, status }) => [id, status]),
        [['c2', 'started']],
      );
      const { tools, summaries } = await read(9);
      assert.equal(tools?.length, 2);
      assert.deepEqual(summaries, [`What ${first} did.`]);
      assert.equal(await lines.readLast(second, { tools: { limit: 1 } }), null);
    },
  },
];
