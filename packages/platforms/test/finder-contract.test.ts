import { describe, expect, it } from 'vitest';
import type { RepositoryFinder } from '../src/index.ts';
import { runContractCase } from '../src/testing/contract.ts';
import { repositoryFinderCases, repositoryFinderContract } from '../src/testing/index.ts';
import { createGitHubFinderFixture, createGitLabFinderFixture } from './fixtures/finder-fixtures.ts';

repositoryFinderContract({
  name: 'GitHub with a token, of an organization,',
  create: () => createGitHubFinderFixture({ ownerType: 'Organization', isApp: false }),
});

repositoryFinderContract({
  name: 'GitHub with a token, of a user,',
  create: () => createGitHubFinderFixture({ ownerType: 'User', isApp: false }),
});

repositoryFinderContract({
  name: 'GitHub with an App',
  create: () => createGitHubFinderFixture({ ownerType: 'Organization', isApp: true }),
  skip: [
    {
      test: 'rejects with `not-found` for an owner that is not there, and takes it for no empty one',
      reason:
        'an installation lists what it has, whoever is asked for; the configuration refuses a second owner',
    },
  ],
});

repositoryFinderContract({
  name: 'GitLab, of a group,',
  create: () => createGitLabFinderFixture({ ownerType: 'group' }),
});

repositoryFinderContract({
  name: 'GitLab, of a user,',
  create: () => createGitLabFinderFixture({ ownerType: 'user' }),
});

const wrongs: Readonly<
  Record<
    string,
    { readonly noticedBy: RegExp; readonly spoil: (finder: RepositoryFinder) => RepositoryFinder }
  >
> = {
  'drops the second page': {
    noticedBy: /however many pages/,
    spoil: (finder) => ({
      listRepositories: async (query) => (await finder.listRepositories(query)).slice(0, 100),
    }),
  },
  'answers nothing where there is no such owner': {
    noticedBy: /not-found/,
    spoil: (finder) => ({ listRepositories: (query) => finder.listRepositories(query).catch(() => []) }),
  },
  'knows repositories by their names': {
    noticedBy: /by its id/,
    spoil: (finder) => ({
      listRepositories: async (query) =>
        (await finder.listRepositories(query)).map((one) => ({ ...one, id: one.path })),
    }),
  },
  'leaves out what is archived': {
    noticedBy: /take no work/,
    spoil: (finder) => ({
      listRepositories: async (query) =>
        (await finder.listRepositories(query)).filter(({ isActive }) => isActive),
    }),
  },
};

describe('the contract suite of finders [NX-368]', () => {
  it.each(Object.entries(wrongs))(
    'notices one that %s',
    { tags: ['full'] },
    async (_, { noticedBy, spoil }) => {
      const create = async () => {
        const fixture = await createGitHubFinderFixture({ ownerType: 'Organization', isApp: false });
        return { ...fixture, open: () => spoil(fixture.open()) };
      };
      const failed: string[] = [];
      for (const one of repositoryFinderCases)
        await runContractCase(one, create).catch(() => failed.push(one.name));
      expect(failed.some((name) => noticedBy.test(name))).toBe(true);
    },
  );
});

describe('finding repositories', () => {
  it('of an owner with 1,000 takes nothing of the limit as long as nothing changes [NX-368, NX-372]', {
    tags: ['full'],
  }, async () => {
    const { open, people, simulator, close } = await createGitHubFinderFixture({
      ownerType: 'Organization',
      isApp: false,
    });
    try {
      for (let index = 1; index < 1_000; index += 1) await people.add(`octo/r${index}`);
      const finder = open();
      const query = { owner: 'octo', subgroups: false };
      expect(await finder.listRepositories(query)).toHaveLength(1_000);
      const asked = simulator.requests.length;
      expect(await finder.listRepositories(query)).toHaveLength(1_000);
      const again = simulator.requests.slice(asked).map(({ status }) => status);
      // The owner, ten full pages, and the empty one behind them.
      expect(again).toEqual(Array.from({ length: 12 }, () => 304));
    } finally {
      await close();
    }
  });

  it.each([createGitHubFinderFixture, createGitLabFinderFixture])(
    'answers nothing at all where one page fails [NX-370]',
    async (create) => {
      const { open, people, simulator, close } = await create({
        ownerType: 'Organization',
        isApp: false,
      } as never);
      try {
        for (let index = 1; index < 150; index += 1) await people.add(`octo/r${index}`);
        simulator.fail({ method: 'GET', path: /[?&]page=2/, kind: 'server-error' });
        const listing = open().listRepositories({ owner: 'octo', subgroups: false });
        await expect(listing).rejects.toMatchObject({ code: 'unavailable' });
      } finally {
        await close();
      }
    },
  );

  it('of a GitLab group reaches its subgroups only where they are asked for [NX-368]', async () => {
    const { open, people, close } = await createGitLabFinderFixture({ ownerType: 'group' });
    try {
      await people.add('octo/web/shop');
      await people.add('octo-else/web/shop');
      const list = async (owner: string, subgroups: boolean) =>
        (await open().listRepositories({ owner, subgroups })).map(({ path }) => path);
      expect(await list('octo', false)).toEqual(['octo/hello']);
      expect(await list('octo', true)).toEqual(['octo/hello', 'octo/web/shop']);
      expect(await list('octo/web', false)).toEqual(['octo/web/shop']);
    } finally {
      await close();
    }
  });
});
