import { isNotFound } from '../is-not-found.ts';
import type { Account } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { AccountFinder, CallOptions } from '../ports.ts';
import { type RememberedIdentity, rememberIdentity } from '../remembered-identity.ts';
import { toAccount } from './convert.ts';
import type { GitHubClient } from './github-client.ts';
import { userSchema } from './github-schemas.ts';

/**
 * Asks once who the token is. Installation tokens cannot say so; then the account with the configured name is it.
 *
 * @see https://docs.github.com/en/rest/users/users#get-the-authenticated-user
 */
export function createGitHubIdentity(
  client: GitHubClient,
  botName: string | null,
): RememberedIdentity<GitHubClient> {
  return rememberIdentity(client, (asker, options) => askForIdentity(asker, { botName, ...options }));
}

async function askForIdentity(
  client: GitHubClient,
  { botName, signal }: { readonly botName: string | null } & CallOptions,
): Promise<Account> {
  const call = { doing: 'ask whose token this is', repository: null, signal };
  const permission = 'the right to read its own account; with an installation token set botName';
  try {
    const { data } = await client.ask({ ...call, permission, route: 'GET /user' }, userSchema);
    return requireAccount(data);
  } catch (error) {
    if (!PlatformError.isInstance(error) || error.code !== 'forbidden' || botName === null) throw error;
  }
  const named = { ...call, doing: `find our account ${botName}`, permission: 'metadata: read' };
  const route = 'GET /users/{username}';
  return requireAccount(
    (await client.ask({ ...named, route, parameters: { username: botName } }, userSchema)).data,
  );
}

function requireAccount(user: Parameters<typeof toAccount>[0]): Account {
  const account = toAccount(user);
  if (account !== null) return account;
  throw new PlatformError('GitHub did not say whose token this is.', { code: 'unavailable' });
}

/** @see https://docs.github.com/en/rest/users/users#get-a-user */
export function createGitHubAccounts(client: GitHubClient): AccountFinder {
  return {
    findAccount: async (login, { signal } = {}) => {
      const call = {
        doing: `find the account ${login}`,
        repository: null,
        permission: 'metadata: read',
        route: 'GET /users/{username}',
        parameters: { username: login },
        signal,
      };
      try {
        return toAccount((await client.ask(call, userSchema)).data);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
  };
}
