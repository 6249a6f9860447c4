import assert from 'node:assert/strict';
import { end, newRun, says } from '../store-setup.ts';
import {
  begin,
  comment,
  first,
  pause,
  type RunStoreCase,
  rejectsWithCode,
  restart,
  second,
  toStates,
  toUuids,
} from './contract.ts';

/** Promises about the named values of a run. */
export const stateCases: readonly RunStoreCase[] = [
  {
    name: 'gives back the last value of each name, and null for none',
    run: async (fixture) => {
      const { state } = (await begin(fixture)).run;
      assert.equal(await state.read('plan.json'), null);
      await state.write('plan.json', { step: 1 });
      await state.write('plan.json', { step: 2, text: 'é\0' });
      await state.write('parts/notes.txt', 'as it is\n');
      assert.deepEqual(await state.read('plan.json'), { step: 2, text: 'é\0' });
      assert.equal(await state.read('parts/notes.txt'), 'as it is\n');
      await state.write('plan.json', null);
      assert.equal(await state.read('plan.json'), null);
    },
  },
  {
    name: 'keeps a value as it was when it was given, in the order of the calls',
    run: async (fixture) => {
      const { state } = (await begin(fixture)).run;
      const plan = { steps: ['none'] };
      const writes = ['one', 'two', 'three'].map((step) => {
        plan.steps = [step];
        return state.write('plan.json', plan);
      });
      plan.steps.push('late');
      await Promise.all(writes);
      const read = (await state.read('plan.json')) as typeof plan;
      read.steps.push('later');
      assert.deepEqual(await state.read('plan.json'), { steps: ['three'] });
    },
  },
  {
    name: 'has after a crash each value whose write waited, and no half of another',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.state.write('kept.json', { step: 1 });
      await process.run.state.write('gone.json', { step: 1 });
      await process.run.state.write('gone.json', null);
      await process.run.state.write('loose.json', { step: 1 }, { sync: false });
      const { state } = await (await restart(fixture, process)).store.restore(first);
      assert.deepEqual(await state.read('kept.json'), { step: 1 });
      assert.equal(await state.read('gone.json'), null);
      const loose = await state.read('loose.json');
      if (loose !== null) assert.deepEqual(loose, { step: 1 });
    },
  },
  {
    name: 'holds the values of two runs apart',
    run: async (fixture) => {
      const { store, run } = await begin(fixture);
      const other = await store.open(newRun(second));
      await run.state.write('plan.json', 1);
      assert.equal(await other.state.read('plan.json'), null);
    },
  },
  {
    name: 'refuses names that lead elsewhere, and values that could not be read back',
    run: async (fixture) => {
      const { state } = (await begin(fixture)).run;
      for (const name of ['', '../plan.json', '/plan.json', 'a/../b', 'a/b/c/d/e'])
        await rejectsWithCode(state.write(name, 'x'), 'invalid');
      await rejectsWithCode(state.write('plan.json', 1n), 'invalid');
      await rejectsWithCode(state.write('plan.json', undefined), 'invalid');
      const circle: { self?: object } = {};
      circle.self = circle;
      await rejectsWithCode(state.write('plan.json', circle), 'invalid');
      await rejectsWithCode(state.write('notes.txt', 1), 'invalid');
      assert.equal(await state.read('plan.json'), null);
    },
  },
  {
    name: 'stays with the run while it waits, continues and has ended',
    run: async (fixture) => {
      const { store, run } = await begin(fixture);
      const resting = store.openState(first);
      await run.state.write('plan.json', 1);
      await store.pause(first, pause);
      assert.equal(await resting.read('plan.json'), 1);
      await resting.write('plan.json', 2);
      const resumed = await store.resume(first);
      assert.equal(await resumed.state.read('plan.json'), 2);
      await resumed.journal.finish(end);
      await store.finish(first);
      await resting.write('shown.json', true);
      assert.deepEqual([await resting.read('plan.json'), await resting.read('shown.json')], [2, true]);
      await rejectsWithCode(store.openState(second).read('plan.json'), 'invalid');
    },
  },
];

const done = { state: 'done', made: { id: '17' } } as const;
const givenUp = { state: 'given-up', by: 'mona', reason: 'The thread is gone.' } as const;

/** Promises about what a run wants done outside of it, and about its end. */
export const outboxCases: readonly RunStoreCase[] = [
  {
    name: 'opens each intent once, gives it as it stands, and lists them in that order [NX-80]',
    run: async (fixture) => {
      const { outbox } = (await begin(fixture)).run;
      const first = await outbox.open(comment);
      await outbox.open({ id: 'label', kind: 'label', data: null });
      const again = await outbox.open({ ...comment, data: { body: 'Something else.' } });
      const [opened, label] = await outbox.list();
      assert.deepEqual([first, again], [opened, opened]);
      assert.deepEqual({ ...opened, openedAt: '' }, { ...comment, openedAt: '', state: 'open' });
      assert.equal(label?.id, 'label');
      assert.equal((await outbox.list()).length, 2);
      await outbox.settle('final', done);
      assert.equal((await outbox.open(comment)).state, 'done');
    },
  },
  {
    name: 'holds the outbox of a run that waits, continues and has ended, in any process [NX-80, NX-112]',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.outbox.open(comment);
      await process.store.pause(first, pause);
      const waiting = process.store.openOutbox(first);
      assert.equal((await waiting.open({ ...comment, id: 'reaction' })).state, 'open');
      assert.equal((await waiting.open(comment)).id, 'final');
      await waiting.settle('final', done);
      await waiting.settle('final', givenUp);
      await rejectsWithCode(waiting.settle('other', done), 'invalid');
      const next = await restart(fixture, process);
      const outbox = next.store.openOutbox(first);
      assert.deepEqual(toStates(await outbox.list()), ['final: done', 'reaction: open']);
      const run = await next.store.resume(first);
      // From now on whoever has it open writes its lines.
      await outbox.settle('reaction', done);
      assert.deepEqual(toStates(await run.outbox.list()), ['final: done', 'reaction: done']);
      await run.journal.finish(end, { intents: [{ ...comment, id: 'end' }] });
      await outbox.settle('end', done);
      await next.store.finish(first);
      assert.deepEqual(toStates(await outbox.list()), ['final: done', 'reaction: done', 'end: done']);
      await rejectsWithCode(next.store.openOutbox(second).list(), 'invalid');
    },
  },
  {
    name: 'names the kinds of what is open, in their order, for who lists the runs [NX-80, NX-94]',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.outbox.open({ ...comment, id: 'label', kind: 'label' });
      await process.run.outbox.open(comment);
      await process.run.journal.finish(end, { intents: [{ ...comment, id: 'look', kind: 'last-look' }] });
      const listKinds = async () => [
        (await process.store.listInterrupted()).runs[0]?.openIntents,
        (await process.reader.readOverview({ recent: 0 })).running[0]?.openIntents,
      ];
      const all = ['label', 'comment', 'last-look'];
      assert.deepEqual(await listKinds(), [all, all]);
      await process.run.outbox.settle('final', givenUp);
      await process.run.outbox.settle('look', done);
      assert.deepEqual(await listKinds(), [['label'], ['label']]);
    },
  },
  {
    name: 'keeps the first result of an intent, and refuses a result of an intent that was never opened',
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
    name: 'lists what is open behind a refused write, and continues once the end is written [NX-80, NX-93]',
    run: async (fixture) => {
      const process = await begin(fixture);
      const { journal, outbox } = process.run;
      await outbox.open({ ...comment, id: 'before' });
      process.failNext('before');
      await rejectsWithCode(journal.append(says('user', 'lost')), 'storage-failed');
      assert.deepEqual(toStates(await outbox.list()), ['before: open']);
      await rejectsWithCode(outbox.settle('before', done), 'storage-failed');
      await journal.finish(end, { intents: [comment] });
      await outbox.settle('before', done);
      await outbox.open({ ...comment, id: 'later' });
      await outbox.settle('final', done);
      const left = ['before: done', 'final: done', 'later: open'];
      assert.deepEqual(toStates(await outbox.list()), left);
      const { store } = await restart(fixture, process);
      assert.deepEqual(toStates(await (await store.restore(first)).outbox.list()), left);
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
