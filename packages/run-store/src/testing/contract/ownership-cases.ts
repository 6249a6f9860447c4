import assert from 'node:assert/strict';
import { end, newRun, says, toArray } from '../store-setup.ts';
import {
  begin,
  comment,
  endRun,
  first,
  pause,
  type RunStoreCase,
  readWords,
  rejectsWithCode,
  restart,
  type StoreProcess,
  second,
  third,
} from './contract.ts';

/** Promises about who may write. */
export const ownershipCases: readonly RunStoreCase[] = [
  {
    name: 'gives each owner a higher number than any before [NX-83]',
    run: async (fixture) => {
      const one = await fixture.start();
      const two = await fixture.start();
      const three = await restart(fixture, two);
      await three.owner.release();
      const four = await fixture.start();
      const numbers = [one, two, three, four].map(({ owner }) => owner.number);
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => a - b),
      );
    },
  },
  {
    name: 'writes nothing for an owner that was replaced, whatever it is asked to do [NX-84]',
    run: async (fixture) => {
      const zombie = await begin(fixture);
      await zombie.run.journal.append(says('user', 'one'));
      await zombie.run.outbox.open(comment);
      await zombie.store.open(newRun(second));
      await endRun(zombie.store, { uuid: third });
      const ended = await zombie.store.openEnded(third);
      const heir = await fixture.start();
      const before = await readAll(heir);
      const { run, store } = zombie;
      const late: readonly (() => Promise<unknown>)[] = [
        () => run.journal.append(says('user', 'late')),
        () => run.journal.replaceContext([], { startSeq: 1, endSeq: 1, text: 'late' }),
        () => run.journal.finish(end),
        () => run.state.write('plan.json', 1),
        () => run.outbox.open({ ...comment, id: 'late' }),
        () => run.outbox.settle('final', { state: 'done', made: null }),
        () => run.finalSummary.append({ text: 'late', fields: {}, usage: noUsage }, { now: 0 }),
        () => run.leave(),
        () => ended.finalSummary.append({ text: 'late', fields: {}, usage: noUsage }, { now: 0 }),
        () => store.openState(second).write('plan.json', 1),
        () => store.open(newRun('40000000-0000-4000-8000-000000000004')),
        () => store.restore(second),
        () => store.commitPause(first, pause),
        () => store.pause(first, pause),
        () => store.resume(first),
        () => store.index(first),
        () => store.finish(second),
      ];
      for (const attempt of late) await rejectsWithCode(attempt(), 'owned');
      assert.deepEqual(await readAll(heir), before);
    },
  },
  {
    name: 'continues, for the new owner, from what the previous one had written [NX-84]',
    run: async (fixture) => {
      const zombie = await begin(fixture);
      await zombie.run.journal.append(says('user', 'one'));
      const { store } = await fixture.start();
      const run = await store.restore(first);
      await rejectsWithCode(zombie.run.journal.append(says('user', 'late')), 'owned');
      assert.equal(await run.journal.append(says('user', 'two')), 2);
      await rejectsWithCode(zombie.run.journal.append(says('user', 'later')), 'owned');
      assert.deepEqual(await readWords(run), ['one', 'two']);
    },
  },
  {
    name: 'takes the place from an owner between two of its writes, never within one [NX-84]',
    run: async (fixture) => {
      const { owner, run } = await begin(fixture);
      const order: string[] = [];
      let heir: Promise<unknown> = Promise.resolve();
      await owner.guard(async () => {
        heir = fixture.start().then(() => order.push('taken'));
        // Longer than it takes to take the place.
        for (let turn = 0; turn < 20; turn += 1)
          await assert.doesNotReject(
            run.journal.append(says('user', 'under way')),
            "it is its owner's still",
          );
        order.push('written');
      });
      await heir;
      assert.deepEqual(order, ['written', 'taken']);
    },
  },
  {
    name: 'notifies an owner that it was replaced, before it does anything [NX-84]',
    run: async ({ start }) => {
      const { owner } = await start();
      owner.requireOwned();
      assert.equal(await owner.guard(async () => 'written'), 'written');
      const heir = await start();
      const write = () => assert.fail('what the guard refuses must not be executed');
      await rejectsWithCode(owner.guard(write), 'owned');
      assert.throws(() => owner.requireOwned(), { code: 'owned' });
      assert.equal(owner.lost.aborted, true, 'the signal of an owner that lost the place has to be aborted');
      assert.equal((owner.lost.reason as { code?: unknown }).code, 'owned');
      await owner.release();
      heir.owner.requireOwned();
      assert.equal(heir.owner.lost.aborted, false);
    },
  },
  {
    name: 'writes nothing for an owner that has given the place back',
    run: async (fixture) => {
      const { owner, run } = await begin(fixture);
      await run.journal.append(says('user', 'one'));
      await owner.release();
      await owner.release();
      await assert.rejects(
        run.journal.append(says('user', 'late')),
        'a write after the release has to reject',
      );
      assert.equal(owner.lost.aborted, false, 'what was given back was not lost');
      assert.deepEqual(await readWords(await (await fixture.start()).store.restore(first)), ['one']);
    },
  },
];

const noUsage = { inputTokens: 0, outputTokens: 0 };

/** All that any process can read. */
async function readAll({ reader }: StoreProcess): Promise<unknown> {
  const overview = await reader.readOverview({ recent: 9 });
  const runs = [];
  for (const uuid of [...(await reader.listKept())].toSorted()) {
    const run = await reader.readRun(uuid);
    runs.push({ ...run, state: await run.state.read('plan.json'), history: await toArray(run.history()) });
  }
  return { overview, runs };
}
