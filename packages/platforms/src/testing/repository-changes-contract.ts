import assert from 'node:assert/strict';
import type { RepositoryListing } from '../model.ts';
import type { RepositoryChanges } from '../ports.ts';
import { type TaskKey, toThreadName } from '../task-key.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';
import type { PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `RepositoryChanges` needs. */
export type RepositoryChangesFixture = PortFixture<
  RepositoryChanges,
  'comment' | 'deleteComment' | 'editComment' | 'openIssue' | 'passTime'
>;

/** Seconds after which every platform shows a change, and none shows it once more. */
const settledSeconds = 300;

const say = (body: string) => ({ author: 'alice', body });

/** Opens a repository with a comment on its thread, and polls it once. */
async function begin({ open, people, key }: RepositoryChangesFixture) {
  const id = await people.comment(key, say('before'));
  await people.passTime(settledSeconds);
  const changes = open();
  return { id, changes, first: await changes.listChanges() };
}

/** Polls until nothing changed, as often as a platform may show one change. */
async function settle(changes: RepositoryChanges, { people }: RepositoryChangesFixture): Promise<void> {
  for (let polls = 0; polls < 4; polls += 1) {
    await people.passTime(settledSeconds);
    if ((await changes.listChanges()).unchanged) return;
  }
  assert.fail('a poll of a repository in which nothing happens has to say `unchanged: true`');
}

function assertNames(listing: RepositoryListing, keys: readonly TaskKey[]): void {
  const named = new Set(listing.changes.map(({ thread }) => thread));
  for (const key of keys) {
    const name = toThreadName(key);
    assert.ok(
      named.has(name),
      `${name} changed, and the listing names ${[...named].join(', ') || 'nothing'}`,
    );
  }
  assert.equal(listing.unchanged, false);
}

/** Every promise of a `RepositoryChanges`, as functions that need no test runner. */
export const repositoryChangesCases: readonly ContractCase<RepositoryChangesFixture>[] = [
  {
    name: 'only reports that it has begun at the first poll, regardless of other pollers',
    run: async (fixture) => {
      const { first } = await begin(fixture);
      const { changes, unchanged } = await fixture.open().listChanges();
      for (const listing of [first, { changes, unchanged }])
        assert.deepEqual([listing.changes, listing.unchanged], [[], false]);
    },
  },
  {
    name: 'says that nothing changed, and names nothing then',
    run: async (fixture) => {
      const { changes } = await begin(fixture);
      await settle(changes, fixture);
      const again = await changes.listChanges();
      assert.deepEqual([again.changes, again.unchanged], [[], true]);
    },
  },
  {
    name: 'names each thread with new comments since the last poll',
    run: async (fixture) => {
      const { people, key } = fixture;
      const other = await people.openIssue({ author: 'bob', title: 'another' });
      const { changes } = await begin(fixture);
      await settle(changes, fixture);
      await people.comment(key, say('one'));
      await people.comment(other, say('two'));
      assertNames(await changes.listChanges(), [key, other]);
      await settle(changes, fixture);
      await people.comment(other, say('three'));
      assertNames(await changes.listChanges(), [other]);
    },
  },
  {
    name: 'names the thread of a comment that was edited',
    run: async (fixture) => {
      const { people, key } = fixture;
      const { id, changes } = await begin(fixture);
      await settle(changes, fixture);
      await people.editComment(key, id, 'edited');
      const listing = await changes.listChanges();
      assertNames(listing, [key]);
      const shown = listing.changes.find(({ comment }) => comment?.id === id)?.comment ?? null;
      assert.ok(shown === null || shown.body === 'edited', 'a comment has to be shown as it stands');
    },
  },
  {
    name: 'keeps its promise to list every comment since a time',
    run: async (fixture) => {
      const { people, key } = fixture;
      const other = await people.openIssue({ author: 'bob', title: 'another' });
      const { changes } = await begin(fixture);
      await settle(changes, fixture);
      const gone = await people.comment(key, say('gone'));
      const written: string[] = [];
      for (let count = 0; count < 105; count += 1)
        written.push(await people.comment(count % 2 === 0 ? key : other, say(`${count}`)));
      await people.deleteComment(key, gone);
      for (let polls = 0; polls < 2; polls += 1) {
        const listing = await changes.listChanges();
        if (listing.unchanged || listing.since === null) continue;
        const listed = new Set(listing.changes.map(({ comment }) => comment?.id));
        const missing = written.filter((id) => !listed.has(id));
        assert.deepEqual(missing, [], `since ${listing.since} these comments came, too`);
        assert.ok(!listed.has(gone), 'a comment that was deleted does not stand any more');
      }
    },
  },
  {
    name: "ends with the signal's reason",
    run: ({ open }) => rejectsWithReason((signal) => open().listChanges({ signal })),
  },
];

/** The tests that every `RepositoryChanges` passes. */
export function repositoryChangesContract(options: ContractOptions<RepositoryChangesFixture>): void {
  describeContract({ port: 'RepositoryChanges', cases: repositoryChangesCases }, options);
}
