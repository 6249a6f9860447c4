import { Users } from '@gitbeaker/rest';
import type { Account } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import { type RememberedIdentity, rememberIdentity } from '../remembered-identity.ts';
import { toAccount } from './convert.ts';
import type { GitLabClient } from './gitlab-client.ts';
import { userSchema } from './gitlab-schemas.ts';

/**
 * Asks once who the token is; a project or group access token has an account of its own.
 *
 * @see https://docs.gitlab.com/api/users/#get-the-current-user
 */
export function createGitLabIdentity(client: GitLabClient): RememberedIdentity<GitLabClient> {
  return rememberIdentity(client, askForIdentity);
}

async function askForIdentity(client: GitLabClient, { signal }: CallOptions): Promise<Account> {
  const user = await client.ask(
    {
      doing: 'ask whose token this is',
      repository: null,
      permission: 'scope api',
      route: 'GET /user',
      send: (bound) => new Users(bound).showCurrentUser(),
      signal,
    },
    userSchema,
  );
  const account = toAccount(user);
  if (account !== null) return account;
  throw new PlatformError('GitLab did not say whose token this is.', { code: 'unavailable' });
}
