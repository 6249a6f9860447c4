import assert from 'node:assert/strict';
import type { RepositoryLabels } from '../platform.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  rejectsWithCode,
  rejectsWithReason,
} from './contract.ts';
import { contractWorld } from './contract-fixture.ts';

/** Fixture that the suite of `RepositoryLabels` needs: the repository of the contract world, without labels of the agent. */
export interface RepositoryLabelsFixture {
  readonly open: () => RepositoryLabels;
}

const { repository } = contractWorld;
const ours = ['coding agent', 'coding agent done'];

/** Every promise of a `RepositoryLabels`, as functions that need no test runner. */
export const repositoryLabelsCases: readonly ContractCase<RepositoryLabelsFixture>[] = [
  {
    name: 'lists the labels that are missing, in the given order',
    run: async ({ open }) => {
      await open().create(repository, 'coding agent');
      const asked = ['zeta', ...ours, 'alpha'];
      assert.deepEqual(await open().listMissing(repository, asked), ['zeta', 'coding agent done', 'alpha']);
    },
  },
  {
    name: 'creates a label that is then found',
    run: async ({ open }) => {
      for (const label of ours) await open().create(repository, label);
      assert.deepEqual(await open().listMissing(repository, ours), []);
    },
  },
  {
    name: 'creates an existing label without complaint',
    run: async ({ open }) => {
      for (let time = 0; time < 2; time += 1) await open().create(repository, 'coding agent');
      assert.deepEqual(await open().listMissing(repository, ours), ['coding agent done']);
    },
  },
  {
    name: 'finds a label among more than one page of them',
    run: async ({ open }) => {
      for (let index = 0; index < 103; index += 1) await open().create(repository, `label ${index}`);
      await open().create(repository, 'zz last');
      assert.deepEqual(await open().listMissing(repository, ['label 0', 'zz last']), []);
    },
  },
  {
    name: 'rejects with `not-found` for a repository that does not exist',
    run: async ({ open }) => {
      await rejectsWithCode(open().listMissing(`${repository}-gone`, ours), 'not-found');
      await rejectsWithCode(open().create(`${repository}-gone`, 'coding agent'), 'not-found');
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open }) => {
      await rejectsWithReason((signal) => open().listMissing(repository, ours, { signal }));
      await rejectsWithReason((signal) => open().create(repository, 'coding agent', { signal }));
    },
  },
];

/** The tests that every `RepositoryLabels` passes. */
export function repositoryLabelsContract(options: ContractOptions<RepositoryLabelsFixture>): void {
  describeContract({ port: 'RepositoryLabels', cases: repositoryLabelsCases }, options);
}
