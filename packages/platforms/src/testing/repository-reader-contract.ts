import assert from 'node:assert/strict';
import type { RepositoryReader } from '../ports.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  rejectsWithCode,
  rejectsWithReason,
} from './contract.ts';
import { contractWorld, type PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `RepositoryReader` needs. */
export type RepositoryReaderFixture = PortFixture<RepositoryReader, 'pushBranch' | 'openIssue'>;

/** Every promise of a `RepositoryReader`, as functions that need no test runner. */
export const repositoryReaderCases: readonly ContractCase<RepositoryReaderFixture>[] = [
  {
    name: 'describes the repository, with an address for git that holds no credentials',
    run: async ({ open }) => {
      const description = await open().describe();
      assert.equal(description.path, contractWorld.repository);
      assert.notEqual(description.id, '', 'the repository has no id');
      assert.equal(description.defaultBranch, 'main');
      const { username, password, pathname } = new URL(description.cloneUrl);
      assert.deepEqual({ username, password }, { username: '', password: '' });
      assert.ok(
        pathname.includes(contractWorld.repository),
        `cloneUrl does not lead to ${contractWorld.repository}`,
      );
    },
  },
  {
    name: 'lists the files of every directory, sorted',
    run: async ({ open }) => {
      assert.deepEqual(await open().listFiles(), Object.keys(contractWorld.files).sort());
    },
  },
  {
    name: 'lists the files of another branch',
    run: async ({ open, people }) => {
      await people.pushBranch('feature/more');
      const files = await open().listFiles({ ref: 'feature/more' });
      assert.equal(files.length, Object.keys(contractWorld.files).length + 1);
    },
  },
  {
    name: 'reads a file as text, whatever its name and letters',
    run: async ({ open }) => {
      for (const path of ['README.md', 'docs/説明 1.md', 'src/main.ts'] as const) {
        assert.equal(await open().readFile(path), contractWorld.files[path]);
      }
      assert.equal(await open().readFile('README.md', { ref: 'main' }), contractWorld.files['README.md']);
    },
  },
  {
    name: 'says that a file is not there, or a branch',
    run: async ({ open }) => {
      await rejectsWithCode(open().readFile('src/missing.ts'), 'not-found');
      await rejectsWithCode(open().readFile('README.md', { ref: 'no-such-branch' }), 'not-found');
      await rejectsWithCode(open().listFiles({ ref: 'no-such-branch' }), 'not-found');
    },
  },
  {
    name: 'refuses a file that is not text',
    run: ({ open }) => rejectsWithCode(open().readFile('src/data.bin'), 'invalid'),
  },
  {
    name: 'finds threads by their words, at most 20',
    run: async ({ open, key, people }) => {
      await people.openIssue({ author: 'bob', title: 'The kettle whistles', body: 'too loud' });
      for (let index = 0; index < 22; index += 1) {
        await people.openIssue({ author: 'bob', title: `Teapot ${index}` });
      }
      const [found, ...others] = await open().searchThreads('kettle');
      assert.equal(found?.title, 'The kettle whistles');
      assert.equal(found?.key.type, key.type);
      assert.deepEqual(others, []);
      assert.equal((await open().searchThreads('teapot')).length, 20);
      assert.deepEqual(await open().searchThreads('samovar'), []);
    },
  },
  {
    name: 'refuses to search for nothing',
    run: ({ open }) =>
      rejectsWithCode(
        Promise.resolve().then(() => open().searchThreads('  ')),
        'invalid',
      ),
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open }) => {
      await rejectsWithReason((signal) => open().describe({ signal }));
      await rejectsWithReason((signal) => open().listFiles({ signal }));
      await rejectsWithReason((signal) => open().readFile('README.md', { signal }));
      await rejectsWithReason((signal) => open().searchThreads('kettle', { signal }));
    },
  },
];

/** The tests that every `RepositoryReader` passes. */
export function repositoryReaderContract(options: ContractOptions<RepositoryReaderFixture>): void {
  describeContract({ port: 'RepositoryReader', cases: repositoryReaderCases }, options);
}
