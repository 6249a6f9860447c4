import assert from 'node:assert/strict';
import type { RepositoryChanges } from '../ports.ts';
import { type TaskKey, toThreadName } from '../task-key.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';
import type { ReviewPeople } from './review-threads-contract.ts';

/** Fixture that the suite of `Platform.openRequestChanges` needs. */
export interface RequestChangesFixture {
  /** The change request. */
  readonly key: TaskKey;
  /** Opens the list anew, as another process would. */
  readonly open: () => RepositoryChanges;
  readonly people: Pick<ReviewPeople, 'changeLines' | 'passTime' | 'review'>;
}

/** Seconds after which every platform shows a change, and none shows it once more. */
const settledSeconds = 300;

const review = { author: 'bob', state: 'changes-requested', body: 'Not yet.' } as const;

/** Begins to listen a while after the change request was opened. */
async function begin({ open, people }: RequestChangesFixture): Promise<RepositoryChanges> {
  await people.passTime(settledSeconds);
  const changes = open();
  const first = await changes.listChanges();
  assert.deepEqual([first.changes, first.unchanged], [[], false]);
  return changes;
}

async function names(changes: RepositoryChanges, { key }: RequestChangesFixture): Promise<boolean> {
  const listing = await changes.listChanges();
  return listing.changes.some(({ thread }) => thread === toThreadName(key));
}

/** Every promise of a platform's `openRequestChanges`, as functions that need no test runner. */
export const requestChangesCases: readonly ContractCase<RequestChangesFixture>[] = [
  {
    name: 'names a change request after a review',
    run: async (fixture) => {
      const changes = await begin(fixture);
      await fixture.people.passTime(settledSeconds);
      await fixture.people.review(review);
      assert.ok(await names(changes, fixture), 'a review names its change request');
    },
  },
  {
    name: 'names a change request after a push',
    run: async (fixture) => {
      const changes = await begin(fixture);
      await fixture.people.passTime(settledSeconds);
      await fixture.people.changeLines();
      assert.ok(await names(changes, fixture), 'a push names its change request');
    },
  },
  {
    name: 'names what changed a second after a change that it has named',
    run: async (fixture) => {
      const changes = await begin(fixture);
      await fixture.people.passTime(settledSeconds);
      await fixture.people.changeLines();
      await changes.listChanges();
      await fixture.people.passTime(1);
      await fixture.people.review(review);
      assert.ok(await names(changes, fixture), 'a change soon after another one is named, too');
    },
  },
  {
    name: 'names nothing where nothing happens, and says so',
    run: async (fixture) => {
      const changes = await begin(fixture);
      for (let polls = 0; polls < 2; polls += 1) {
        await fixture.people.passTime(settledSeconds);
        await changes.listChanges();
      }
      const { changes: named, unchanged } = await changes.listChanges();
      assert.deepEqual([named, unchanged], [[], true]);
    },
  },
  {
    name: 'rejects with the reason of a signal that is aborted, and names by the next poll what happened',
    run: async (fixture) => {
      const changes = await begin(fixture);
      await fixture.people.passTime(settledSeconds);
      await fixture.people.review(review);
      await rejectsWithReason((signal) => changes.listChanges({ signal }));
      assert.ok(await names(changes, fixture), 'a poll that failed has taken nothing away');
    },
  },
];

/** The tests that every platform's `openRequestChanges` passes. */
export function requestChangesContract(options: ContractOptions<RequestChangesFixture>): void {
  describeContract({ port: 'Platform.openRequestChanges', cases: requestChangesCases }, options);
}
