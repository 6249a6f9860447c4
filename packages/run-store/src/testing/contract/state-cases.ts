import assert from 'node:assert/strict';
import { end, newRun } from '../store-setup.ts';
import { type RunStoreCase, rejectsWithCode } from './contract.ts';
import { begin, first, pause, restart, second } from './runs.ts';

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
    name: 'keeps a value as it was when it was given',
    run: async (fixture) => {
      const { state } = (await begin(fixture)).run;
      const plan = { steps: ['one'] };
      const written = state.write('plan.json', plan);
      plan.steps.push('two');
      await written;
      const read = (await state.read('plan.json')) as typeof plan;
      read.steps.push('three');
      assert.deepEqual(await state.read('plan.json'), { steps: ['one'] });
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
      await rejectsWithCode(state.write('notes.txt', 1), 'invalid');
      assert.equal(await state.read('plan.json'), null);
    },
  },
  {
    name: 'goes with the run while it waits, goes on and has ended',
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
