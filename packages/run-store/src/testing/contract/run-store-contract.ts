import assert from 'node:assert/strict';
import { end, says } from '../store-setup.ts';
import {
  begin,
  comment,
  first,
  observed,
  type RecordDamageFixture,
  type RunStoreCase,
  type RunStoreContractOptions,
  type RunStoreTest,
  readWords,
  toTests,
} from './contract.ts';
import { journalCases } from './journal-cases.ts';
import { outboxCases, stateCases } from './kept-cases.ts';
import { lifeCases } from './life-cases.ts';
import { ownershipCases } from './ownership-cases.ts';
import { pastCases } from './past-cases.ts';

/** A run whose third message was damaged while nobody was there. */
async function breakThird(fixture: RecordDamageFixture) {
  const process = await begin(fixture);
  const { journal, outbox } = process.run;
  for (const text of ['one', 'two', 'three']) await journal.append(says('user', text));
  await journal.append({ type: 'tool-started', toolCallId: 'c1', tool: 'push', args: {} });
  await outbox.open(comment);
  await outbox.settle('final', { state: 'done', made: null });
  await journal.append(observed('c1'));
  await journal.append({ ...says('user', 'four'), delivers: [{ id: '7', revision: 'a', kind: 'added' }] });
  await process.kill();
  await fixture.damage(first, 'three');
  return fixture.start();
}

/** Promises of a store whose medium can lose or change what was written. */
const damageCases: readonly RunStoreCase<RecordDamageFixture>[] = [
  {
    name: 'continues from the lines before the damage, and reports the lines after it [NX-78, NX-82]',
    run: async (fixture) => {
      const { store } = await breakThird(fixture);
      const run = await store.restore(first);
      assert.deepEqual(await readWords(run), ['one', 'two']);
      const { evidence } = run.damage ?? assert.fail('the damage has to be reported');
      assert.deepEqual(evidence.tools, [{ tool: 'push', toolCallId: 'c1' }]);
      assert.equal(evidence.messages, 2);
      assert.deepEqual(evidence.settled, ['final']);
      assert.deepEqual(evidence.delivers, [{ id: '7', revision: 'a', kind: 'added' }]);
      assert.deepEqual(
        evidence.facts.map(({ data }) => data),
        [{ id: 'c1' }],
      );
      assert.deepEqual([evidence.ended, await run.outbox.list()], [null, []]);
      assert.equal(await run.journal.append(says('user', 'five')), 3);
      assert.deepEqual(await readWords(run), ['one', 'two', 'five']);
    },
  },
  {
    name: 'reports the damage at each opening, until a message was written [NX-78]',
    run: async (fixture) => {
      const process = await breakThird(fixture);
      const told = (await process.store.restore(first)).damage;
      await process.kill();
      const { store } = await fixture.start();
      const run = await store.restore(first);
      assert.notEqual(told, null, 'the damage has to be reported');
      assert.deepEqual(run.damage, told);
      await run.journal.append(says('user', 'five'));
      assert.equal((await store.restore(first)).damage, null);
    },
  },
  {
    name: 'says of an end behind the damage that it was committed, and does not take the run for ended',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.journal.append(says('user', 'one'));
      await process.run.journal.finish(end, { intents: [comment] });
      await process.kill();
      await fixture.damage(first, 'one');
      const { store } = await fixture.start();
      const { damage, outbox } = await store.restore(first);
      assert.equal(damage?.evidence.ended, 'completed');
      assert.deepEqual(await outbox.list(), []);
      assert.equal((await store.listInterrupted()).runs[0]?.outcome, null);
    },
  },
];

/** Every promise of a store of runs. */
const runStoreCases: readonly RunStoreCase[] = [
  ...journalCases,
  ...stateCases,
  ...outboxCases,
  ...lifeCases,
  ...pastCases,
  ...ownershipCases,
];

/**
 * The tests that every store of runs passes, wherever it keeps them; for any test runner.
 *
 * @example
 * const create = async () => ({ start: () => startProcess(place), close: () => place.drop() });
 * for (const { name, run } of runStoreContract({ create })) it(name, run);
 */
export function runStoreContract(options: RunStoreContractOptions): readonly RunStoreTest[] {
  return toTests(runStoreCases, options);
}

/** The tests that a store passes besides, whose medium can lose or change what was written. */
export function recordDamageContract(
  options: RunStoreContractOptions<RecordDamageFixture>,
): readonly RunStoreTest[] {
  return toTests(damageCases, options);
}
