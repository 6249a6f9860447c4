import assert from 'node:assert/strict';
import { end, newRun, says } from '../store-setup.ts';
import {
  answers,
  begin,
  comment,
  endRun,
  first,
  pause,
  type RunStoreCase,
  readWords,
  rejectsWithCode,
  restart,
  second,
  third,
  toUuids,
} from './contract.ts';

const summary = {
  text: 'It is done.',
  fields: { key_decisions: ['blue'] },
  usage: { inputTokens: 1, outputTokens: 2 },
};

const fourth = '40000000-0000-4000-8000-000000000004';

/** Promises about runs that begin, wait, go on and end. */
export const lifeCases: readonly RunStoreCase[] = [
  {
    name: 'lists unfinished runs, the oldest first, and none that has ended',
    run: async ({ start }) => {
      const { store } = await start();
      for (const uuid of [third, first, second]) await store.open(newRun(uuid));
      await (await store.restore(first)).journal.finish(end);
      await store.finish(first);
      const { runs, damaged, pausing } = await store.listInterrupted();
      assert.deepEqual(toUuids(runs), [third, second]);
      assert.deepEqual([damaged, pausing], [[], []]);
    },
  },
  {
    name: 'leaves a run that is opened again as it was made',
    run: async (fixture) => {
      const process = await begin(fixture);
      const { store } = await restart(fixture, process);
      const again = await store.open({ ...newRun(first), user: 'hubot' });
      assert.deepEqual(again.metadata, process.run.metadata);
      assert.equal(again.metadata.user, 'mona');
    },
  },
  {
    name: 'opens a run that is to be alone where no other of its thread is at work, and writes nothing of it elsewhere [NX-140]',
    run: async (fixture) => {
      const { store, reader, run } = await begin(fixture);
      await rejectsWithCode(store.open(newRun(second), { alone: true }), 'owned');
      assert.deepEqual(await reader.listKept(), new Set([first]));
      const elsewhere = { taskKeyText: 'github_issue:octo:cat:43', host: 'github.com' };
      await store.open({ ...newRun(second), ...elsewhere }, { alone: true });
      assert.deepEqual(toUuids(await reader.listRunning({ of: elsewhere })), [second]);
      assert.deepEqual(toUuids(await reader.listRunning({ of: { ...elsewhere, host: 'forge.test' } })), []);
      await store.pause(first, pause);
      await store.open(newRun(third), { alone: true });
      await (await store.restore(third)).journal.finish(end);
      await store.resume(first);
      await rejectsWithCode(store.open(newRun(fourth), { alone: true }), 'owned');
      await (await store.restore(first)).journal.finish(end);
      const again = await store.open(newRun(fourth), { alone: true });
      assert.deepEqual(toUuids(await reader.listRunning({ of: run.metadata })), [first, third, fourth]);
      assert.equal((await store.open(newRun(fourth), { alone: true })).metadata.uuid, again.metadata.uuid);
    },
  },
  {
    name: 'opens no run that is unknown, waits or has ended, and no name that is no uuid',
    run: async ({ start }) => {
      const { store } = await start();
      await endRun(store, { uuid: first });
      await store.open(newRun(second));
      await store.pause(second, pause);
      for (const uuid of [first, second]) await rejectsWithCode(store.open(newRun(uuid)), 'invalid');
      for (const uuid of [first, second, third, '../x']) {
        await rejectsWithCode(store.restore(uuid), 'invalid');
        if (uuid !== first) await rejectsWithCode(store.openEnded(uuid), 'invalid');
        if (uuid !== second) await rejectsWithCode(store.resume(uuid), 'invalid');
      }
      for (const uuid of [second, third]) await rejectsWithCode(store.finish(uuid), 'invalid');
      await store.finish(first);
    },
  },
  {
    name: 'pauses a run, and resumes it with all that it knew',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.journal.append(says('user', 'one'));
      await process.run.outbox.open(comment);
      const paused = await process.store.pause(first, pause);
      assert.deepEqual(await process.store.pause(first, { ...pause, lastError: 'later' }), paused);
      await rejectsWithCode(process.run.journal.append(says('user', 'lost')), 'owned');
      const { store } = await restart(fixture, process);
      assert.deepEqual(toUuids((await store.listInterrupted()).runs), []);
      const [listed] = (await store.listPaused()).runs;
      assert.deepEqual(listed, { uuid: first, metadata: process.run.metadata, state: paused });
      const run = await store.resume(first);
      assert.deepEqual(await readWords(run), ['one']);
      assert.equal((await run.outbox.list()).length, 1);
      const { status, resumeCount, planningState } = run.pause;
      assert.deepEqual(
        { status, resumeCount, planningState },
        { status: 'running', resumeCount: 1, planningState: { step: 2 } },
      );
      assert.equal(await run.journal.append(says('user', 'two')), 2);
      assert.deepEqual((await store.listPaused()).runs, []);
    },
  },
  {
    name: 'counts the resumes of a run, each once however often it is asked for [RL-5]',
    run: async (fixture) => {
      const { store } = await begin(fixture);
      await rejectsWithCode(store.resume(first), 'invalid');
      for (const count of [1, 2]) {
        await store.pause(first, pause);
        assert.equal((await store.resume(first)).pause.resumeCount, count);
        assert.equal((await store.resume(first)).pause.resumeCount, count);
      }
    },
  },
  {
    name: 'does not take the outcome of a pause for the end of the run [RL-8]',
    run: async (fixture) => {
      const { store, run } = await begin(fixture);
      await run.journal.finish({ ...end, status: 'needs_input' });
      await store.pause(first, pause);
      await store.resume(first);
      const [listed] = (await store.listInterrupted()).runs;
      assert.deepEqual([listed?.uuid, listed?.outcome], [first, null]);
    },
  },
  {
    name: 'lists waiting runs, the longest waiting first [RL-6]',
    run: async ({ start }) => {
      const { store } = await start();
      for (const uuid of [first, second, third]) await store.open(newRun(uuid));
      for (const uuid of [second, third, first]) await store.pause(uuid, pause);
      const { runs, damaged } = await store.listPaused();
      assert.deepEqual(toUuids(runs), [second, third, first]);
      assert.deepEqual(damaged, []);
    },
  },
  {
    name: 'shows a pause that was committed as one to be completed, and not as a run to carry on [RL-4, RL-9]',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.store.open(newRun(second));
      const committed = await process.store.commitPause(first, pause);
      assert.equal(committed.status, 'paused');
      const { store } = await restart(fixture, process);
      const { runs, pausing } = await store.listInterrupted();
      assert.deepEqual([toUuids(runs), toUuids(pausing)], [[second], [first]]);
      assert.deepEqual(pausing[0]?.state, committed);
      assert.deepEqual(await store.pause(first, { ...pause, lastError: 'later' }), committed);
      assert.deepEqual(toUuids((await store.listPaused()).runs), [first]);
    },
  },
  {
    name: 'saves no pause that was refused, so that the run can continue, and none of a run that has ended [RL-4]',
    run: async (fixture) => {
      const process = await begin(fixture);
      process.failNext('before');
      await rejectsWithCode(process.store.commitPause(first, pause), 'storage-failed');
      assert.equal(await process.run.journal.append(says('user', 'on we go')), 1);
      const { store } = await restart(fixture, process);
      const { runs, pausing } = await store.listInterrupted();
      assert.deepEqual([toUuids(runs), toUuids(pausing)], [[first], []]);
      await (await store.restore(first)).journal.finish(end);
      await rejectsWithCode(store.commitPause(first, pause), 'invalid');
    },
  },
  {
    name: 'counts consecutive processes that crashed with a run, not processes that released it [RL-9]',
    run: async (fixture) => {
      const counts: number[] = [];
      const process = await begin(fixture);
      let run = process.run;
      const carryOn = async (before: Awaited<ReturnType<typeof fixture.start>>) => {
        const next = await restart(fixture, before);
        run = await next.store.restore(first);
        counts.push(run.crashesInARow);
        return next;
      };
      const third = await carryOn(await carryOn(process));
      await run.leave();
      const last = await carryOn(third);
      await run.journal.append(answers('a step'));
      await carryOn(last);
      assert.deepEqual(counts, [1, 2, 2, 1]);
    },
  },
  {
    name: 'adds a summary to a run that has ended',
    run: async (fixture) => {
      const process = await fixture.start();
      await endRun(process.store, { uuid: first });
      const ended = await process.store.openEnded(first);
      assert.deepEqual(await ended.finalSummary.read(), { isThere: false, isUpToDate: false, usages: [] });
      await ended.finalSummary.append(summary, { now: Date.parse('2026-02-01T00:00:00Z') });
      const { store } = await restart(fixture, process);
      const again = await store.openEnded(first);
      const state = { isThere: true, isUpToDate: true, usages: [summary.usage] };
      assert.deepEqual(await again.finalSummary.read(), state);
      assert.deepEqual(await readWords(again), [`Begin ${first}.`, `What ${first} did.`]);
    },
  },
  {
    name: 'notices that a run went on after its final summary',
    run: async (fixture) => {
      const { run } = await begin(fixture);
      assert.equal(await run.finalSummary.read(), null);
      await run.journal.append(says('user', 'one'));
      await run.finalSummary.append(summary, { now: 0 });
      assert.equal((await run.finalSummary.read())?.isUpToDate, true);
      await run.journal.append(says('user', 'two'));
      assert.deepEqual(await run.finalSummary.read(), {
        isThere: true,
        isUpToDate: false,
        usages: [summary.usage],
      });
    },
  },
  {
    name: 'shows any process each run where it lies',
    run: async (fixture) => {
      const { store, reader, run } = await begin(fixture);
      await store.open(newRun(second));
      await store.pause(second, pause);
      await endRun(store, { uuid: third });
      const { running, pausing, paused, recent, damaged } = await reader.readOverview({ recent: 5 });
      assert.deepEqual([running, paused, recent].map(toUuids), [[first], [second], [third]]);
      assert.deepEqual([pausing, damaged], [[], []]);
      assert.deepEqual(await reader.listRunning(), running);
      assert.equal(recent[0]?.status, 'completed');
      assert.deepEqual(await reader.listKept(), new Set([first, second, third]));
      const shown = await Promise.all([first.slice(0, 8), second, third].map((name) => reader.readRun(name)));
      assert.deepEqual(
        shown.map(({ place, pause, outcome }) => [place, pause?.status, outcome?.status]),
        [
          ['running', undefined, undefined],
          ['paused', 'paused', undefined],
          ['completed', undefined, 'completed'],
        ],
      );
      assert.deepEqual(shown[0]?.metadata, run.metadata);
      const { finishedAt: _, ...outcome } = shown[2]?.outcome ?? assert.fail('the run has ended');
      assert.deepEqual(JSON.parse(JSON.stringify(outcome)), end);
      assert.ok(shown.every(({ location }) => location !== ''));
      await rejectsWithCode(reader.readRun('40000000'), 'invalid');
    },
  },
];
