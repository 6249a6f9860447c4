import assert from 'node:assert/strict';
import { end } from '../store-setup.ts';
import { type RunStoreCase, rejectsWithCode } from './contract.ts';
import { begin, comment, first, restart, toStates, toUuids } from './runs.ts';

const done = { state: 'done', made: { id: '17' } } as const;
const givenUp = { state: 'given-up', by: 'mona', reason: 'The thread is gone.' } as const;

/** Promises about what a run wants done outside of it, and about its end. */
export const outboxCases: readonly RunStoreCase[] = [
  {
    name: 'opens each intent once, and lists them in that order [NX-80]',
    run: async (fixture) => {
      const { outbox } = (await begin(fixture)).run;
      await outbox.open(comment);
      await outbox.open({ id: 'label', kind: 'label', data: null });
      await outbox.open({ ...comment, data: { body: 'Something else.' } });
      const [opened, label] = await outbox.list();
      assert.deepEqual({ ...opened, openedAt: '' }, { ...comment, openedAt: '', state: 'open' });
      assert.equal(label?.id, 'label');
      assert.equal((await outbox.list()).length, 2);
    },
  },
  {
    name: 'keeps the first result of an intent, and refuses one for an intent that nobody opened',
    run: async (fixture) => {
      const { outbox } = (await begin(fixture)).run;
      await outbox.open(comment);
      await outbox.settle('final', givenUp);
      await outbox.settle('final', done);
      const [settled] = await outbox.list();
      assert.deepEqual(
        { ...settled, openedAt: '', settledAt: '' },
        { ...comment, ...givenUp, openedAt: '', settledAt: '' },
      );
      await rejectsWithCode(outbox.settle('other', done), 'invalid');
      await rejectsWithCode(outbox.open({ id: 'x' } as never), 'invalid');
      await rejectsWithCode(outbox.settle('final', { state: 'open' } as never), 'invalid');
      await outbox.open({ ...comment, id: 'later' });
      assert.deepEqual(toStates(await outbox.list()), ['final: given-up', 'later: open']);
    },
  },
  {
    name: 'has its intents and their results after a crash [NX-80]',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.outbox.open(comment);
      await process.run.outbox.open({ ...comment, id: 'label' });
      await process.run.outbox.settle('final', done);
      const before = await process.run.outbox.list();
      const { store } = await restart(fixture, process);
      assert.deepEqual(await (await store.restore(first)).outbox.list(), before);
    },
  },
  {
    name: 'commits an end and the intents that follow from it together, or neither [NX-80]',
    run: async (fixture) => {
      const refused = await begin(fixture);
      refused.failNext('before');
      await rejectsWithCode(refused.run.journal.finish(end, { intents: [comment] }), 'storage-failed');
      const unsure = await restart(fixture, refused);
      const { outbox, journal } = await unsure.store.restore(first);
      assert.equal((await unsure.store.listInterrupted()).runs[0]?.outcome, null);
      assert.deepEqual(await outbox.list(), []);
      unsure.failNext('after');
      await rejectsWithCode(journal.finish(end, { intents: [comment] }), 'storage-failed');
      const { store } = await restart(fixture, unsure);
      const isCommitted = (await store.listInterrupted()).runs[0]?.outcome?.status === 'completed';
      const left = toStates(await (await store.restore(first)).outbox.list());
      assert.deepEqual(left, isCommitted ? ['final: open'] : []);
    },
  },
  {
    name: 'keeps a run among the unfinished, with its outcome, until its last intent is settled [NX-80]',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.journal.finish(end, { intents: [comment] });
      await rejectsWithCode(process.store.finish(first), 'invalid');
      const { store } = await restart(fixture, process);
      const [listed] = (await store.listInterrupted()).runs;
      const { finishedAt, ...outcome } = listed?.outcome ?? { finishedAt: '' };
      assert.ok(Date.parse(finishedAt) > 0, 'an end has its time');
      assert.deepEqual(JSON.parse(JSON.stringify(outcome)), end);
      const { outbox } = await store.restore(first);
      await rejectsWithCode(store.finish(first), 'invalid');
      await outbox.settle('final', done);
      await store.finish(first);
      assert.deepEqual(toUuids((await store.listInterrupted()).runs), []);
    },
  },
];
