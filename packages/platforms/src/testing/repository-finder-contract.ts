import assert from 'node:assert/strict';
import type { FoundRepository, RepositoryFinder } from '../repository-finder.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithCode,
  rejectsWithReason,
} from './contract.ts';
import { contractWorld } from './contract-fixture.ts';

/** Actions of owners on their repositories. The owner of the contract world has its repository, and alice none. */
export interface RepositoryPeople {
  /** Makes a repository that is listed; it need not have files. */
  readonly add: (path: string, options?: { readonly forkOf?: string }) => Promise<void>;
  readonly archive: (path: string) => Promise<void>;
  /** Renames a repository, or gives it to another owner. */
  readonly move: (path: string, to: string) => Promise<void>;
}

/** Fixture that the suite of `RepositoryFinder` needs. */
export interface RepositoryFinderFixture {
  readonly open: () => RepositoryFinder;
  readonly people: RepositoryPeople;
}

const { owner, repository } = contractWorld;

const list = (finder: RepositoryFinder, of: string = owner): Promise<readonly FoundRepository[]> =>
  finder.listRepositories({ owner: of, subgroups: false, fresh: true });

const pathsOf = (found: readonly FoundRepository[]) => found.map(({ path }) => path).sort();

/** Every promise of a `RepositoryFinder`, as functions that need no test runner. */
export const repositoryFinderCases: readonly ContractCase<RepositoryFinderFixture>[] = [
  {
    name: "lists an owner's repositories, and no others",
    run: async ({ open, people }) => {
      await people.add(`${owner}/second`);
      await people.add('alice/own');
      assert.deepEqual(pathsOf(await list(open())), [repository, `${owner}/second`]);
    },
  },
  {
    name: 'takes the owner by its name, whatever the case',
    run: async ({ open }) => assert.deepEqual(pathsOf(await list(open(), owner.toUpperCase())), [repository]),
  },
  {
    name: 'lists all of them, however many pages the platform makes of them',
    run: async ({ open, people }) => {
      for (let index = 0; index < 103; index += 1) await people.add(`${owner}/more-${index}`);
      const found = await list(open());
      assert.equal(new Set(found.map(({ id }) => id)).size, 104);
    },
  },
  {
    name: 'shows an added repository, and no removed one, at the next call',
    run: async ({ open, people }) => {
      const finder = open();
      await people.add(`${owner}/leaves`);
      assert.equal((await list(finder)).length, 2);
      await people.move(`${owner}/leaves`, 'alice/left');
      await people.add(`${owner}/comes`);
      assert.deepEqual(pathsOf(await list(finder)), [`${owner}/comes`, repository]);
    },
  },
  {
    name: 'says which take no work, and which are forks',
    run: async ({ open, people }) => {
      await people.add('alice/own');
      await people.add(`${owner}/fork`, { forkOf: 'alice/own' });
      await people.archive(repository);
      const found = new Map((await list(open())).map((one) => [one.path, one]));
      const archived = present(found.get(repository), 'the archived repository');
      const fork = present(found.get(`${owner}/fork`), 'the fork');
      assert.deepEqual([archived.isActive, archived.isFork], [false, false]);
      assert.deepEqual([fork.isActive, fork.isFork], [true, true]);
    },
  },
  {
    name: 'knows a repository by its id when it is renamed',
    run: async ({ open, people }) => {
      const [before] = await list(open());
      await people.move(repository, `${owner}/renamed`);
      const [after] = await list(open());
      assert.equal(after?.path, `${owner}/renamed`);
      assert.equal(after.id, present(before, 'the repository').id);
    },
  },
  {
    name: 'rejects with `not-found` for an owner that is not there, and takes it for no empty one',
    run: ({ open }) => rejectsWithCode(list(open(), 'nobody-of-that-name'), 'not-found'),
  },
  {
    name: "ends with the signal's reason",
    run: ({ open }) =>
      rejectsWithReason((signal) => open().listRepositories({ owner, subgroups: false, signal })),
  },
];

/** The tests that every `RepositoryFinder` passes. */
export function repositoryFinderContract(options: ContractOptions<RepositoryFinderFixture>): void {
  describeContract({ port: 'RepositoryFinder', cases: repositoryFinderCases }, options);
}
