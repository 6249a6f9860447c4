import { describe, expect, it } from 'vitest';
import type { Platform } from '../platform.ts';
import { runContractCase } from './contract.ts';
import { gitCredentialCases, gitCredentialContract } from './git-credential-contract.ts';

type GitCredentialOf = NonNullable<Platform['gitCredential']>;

const cloneUrl = 'https://git.example.com/acme/shop.git';
const login = { username: 'x-access-token', password: 'right' };

const give: GitCredentialOf = async (repository, { signal } = {}) => {
  signal?.throwIfAborted();
  return new URL(repository.cloneUrl).host === 'git.example.com' ? login : null;
};

const open = (gitCredential: GitCredentialOf) => async () => ({
  gitCredential,
  cloneUrl,
  canRead: async ({ password }: typeof login) => password === 'right',
  close: async () => {},
});

gitCredentialContract({ name: 'an adapter with a login', create: open(give) });

const wrong: Readonly<Record<string, GitCredentialOf>> = {
  'gives every server the login': async (_, { signal } = {}) => {
    signal?.throwIfAborted();
    return login;
  },
  'compares the beginning of the address': async (repository, { signal } = {}) => {
    signal?.throwIfAborted();
    return repository.cloneUrl.startsWith('https://git.example.com') ? login : null;
  },
  'looks for the host anywhere in the address': async (repository, { signal } = {}) => {
    signal?.throwIfAborted();
    return repository.cloneUrl.includes('/git.example.com/') ? login : null;
  },
  'gives a login that is refused': async (repository, options) => {
    const given = await give(repository, options);
    return given && { ...given, password: 'wrong' };
  },
  'rejects for a refused password': (repository, options = {}) =>
    options.refused === undefined ? give(repository, options) : Promise.reject(new Error('revoked')),
  'ignores the signal': (repository) => give(repository),
};

describe('the suite of gitCredential fails for an adapter that', () => {
  it.each(Object.entries(wrong))('%s', async (_, gitCredential) => {
    const results = await Promise.allSettled(
      gitCredentialCases.map((one) => runContractCase(one, open(gitCredential))),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});
