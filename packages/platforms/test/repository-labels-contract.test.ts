// @module-tag full
import { describe, expect, it } from 'vitest';
import type { Platform, RepositoryLabels } from '../src/index.ts';
import { runContractCase } from '../src/testing/contract.ts';
import { repositoryLabelsCases, repositoryLabelsContract } from '../src/testing/index.ts';
import { createGitHubFinderFixture, createGitLabFinderFixture } from './fixtures/finder-fixtures.ts';

function openLabels(connect: () => Platform): RepositoryLabels {
  const { repositoryLabels } = connect();
  if (repositoryLabels === undefined) throw new Error('the platform has no repositoryLabels');
  return repositoryLabels;
}

async function createGitHub(isApp = false) {
  const { connect, close } = await createGitHubFinderFixture({ ownerType: 'Organization', isApp });
  return { open: () => openLabels(connect), close };
}

repositoryLabelsContract({ name: 'GitHub with a token', create: createGitHub });
repositoryLabelsContract({ name: 'GitHub with an App', create: () => createGitHub(true) });
repositoryLabelsContract({
  name: 'GitLab',
  create: async () => {
    const { connect, close } = await createGitLabFinderFixture({ ownerType: 'group' });
    return { open: () => openLabels(connect), close };
  },
});

const wrongs: Readonly<
  Record<
    string,
    { readonly noticedBy: RegExp; readonly spoil: (labels: RepositoryLabels) => RepositoryLabels }
  >
> = {
  'takes every label for missing': {
    noticedBy: /then found/,
    spoil: (labels) => ({ ...labels, listMissing: async (_, asked) => asked }),
  },
  'sorts what is missing': {
    noticedBy: /given order/,
    spoil: (labels) => ({
      ...labels,
      listMissing: async (...asked) => [...(await labels.listMissing(...asked))].sort(),
    }),
  },
  'refuses an existing label': {
    noticedBy: /without complaint/,
    spoil: (labels) => ({
      ...labels,
      create: async (path, label, options) => {
        const missing = await labels.listMissing(path, [label], options);
        if (missing.length === 0) throw new Error('exists');
        await labels.create(path, label, options);
      },
    }),
  },
  'takes a missing repository for one without labels': {
    noticedBy: /not-found/,
    spoil: (labels) => ({
      ...labels,
      listMissing: (path, asked, options) => labels.listMissing(path, asked, options).catch(() => asked),
    }),
  },
};

describe('the contract suite of repository labels', () => {
  it.each(Object.entries(wrongs))('notices an adapter that %s', async (_, { noticedBy, spoil }) => {
    const create = async () => {
      const { open, close } = await createGitHub();
      return { open: () => spoil(open()), close };
    };
    const cases = repositoryLabelsCases.filter(({ name }) => noticedBy.test(name));
    expect(cases).toHaveLength(1);
    for (const one of cases) await expect(runContractCase(one, create)).rejects.toThrow();
  });
});
