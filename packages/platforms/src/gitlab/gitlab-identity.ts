import { Users } from '@gitbeaker/rest';
import { type RememberedIdentity, rememberIdentity } from '../connection-memory.ts';
import type { Account } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import { toAccount } from './convert.ts';
import { findUser } from './find-user.ts';
import type { GitLabClient } from './gitlab-client.ts';
import { type GitLabUser, userSchema } from './gitlab-schemas.ts';

/**
 * Asks once who the token is; a project or group access token has an account of its own. Where a token may not ask,
 * the account with the configured name is it.
 *
 * @see https://docs.gitlab.com/api/users/#get-the-current-user
 */
export function createGitLabIdentity(
  client: GitLabClient,
  botName: string | null,
): RememberedIdentity<GitLabClient> {
  return rememberIdentity(client, (asker, options) => askForIdentity(asker, { botName, ...options }));
}

async function askForIdentity(
  client: GitLabClient,
  { botName, signal }: { readonly botName: string | null } & CallOptions,
): Promise<Account> {
  try {
    return requireAccount(await askWhoseToken(client, { signal }));
  } catch (error) {
    if (!PlatformError.isInstance(error) || error.code !== 'forbidden' || botName === null) throw error;
  }
  return requireAccount(await findUser(client, { login: botName, signal }));
}

function askWhoseToken(client: GitLabClient, { signal }: CallOptions): Promise<GitLabUser> {
  const call = {
    doing: 'ask whose token this is',
    repository: null,
    permission: 'scope api; with a token that has less set botName',
    route: 'GET /user',
    signal,
  };
  return client.ask({ ...call, send: (bound) => new Users(bound).showCurrentUser() }, userSchema);
}

function requireAccount(user: GitLabUser | null): Account {
  const account = toAccount(user);
  if (account !== null) return account;
  throw new PlatformError('GitLab knows no account named as botName says. Set it to the one of the token.', {
    code: 'not-found',
  });
}
