import { Users } from '@gitbeaker/rest';
import type { CallOptions } from '../ports.ts';
import type { GitLabClient } from './gitlab-client.ts';
import { type GitLabUser, userSchema } from './gitlab-schemas.ts';

/**
 * The account with a name, whatever its case; null when there is none.
 *
 * @see https://docs.gitlab.com/api/users/#list-users
 */
export async function findUser(
  client: GitLabClient,
  { login, signal }: { readonly login: string } & CallOptions,
): Promise<GitLabUser | null> {
  const { data } = await client.askPage(
    {
      doing: `find the account ${login}`,
      repository: null,
      permission: 'scope api',
      route: 'GET /users',
      send: (bound, page) => new Users(bound).all({ username: login, ...page }),
      signal,
    },
    userSchema,
  );
  return data.find(({ username }) => username.toLowerCase() === login.toLowerCase()) ?? null;
}
