import { isNotFound } from '../is-not-found.ts';
import type { AccessLevel, PermissionReader } from '../ports.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { createGitHubAccounts } from './github-identity.ts';
import { permissionSchema } from './github-schemas.ts';

/** GitHub folds maintain into write and triage into read here; so do we where a server does not. */
const levels: Readonly<Record<string, AccessLevel>> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
};

/** @see https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
export function createGitHubPermissions(context: GitHubThreadContext): PermissionReader {
  const { client, place, repository } = context;
  const accounts = createGitHubAccounts(client);
  return {
    accessOf: async (account, { signal } = {}) => {
      const call = {
        doing: `ask what ${account.login} may do in ${repository}`,
        repository,
        permission: 'metadata: read and push access',
        route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
        parameters: { ...place, username: account.login },
        signal,
      };
      try {
        const { data } = await client.ask(call, permissionSchema);
        // A login can pass to somebody else; an id cannot.
        if (data.user != null && account.id !== '' && String(data.user.id) !== account.id) return 'none';
        return levels[data.permission] ?? 'none';
      } catch (error) {
        // GitHub says 404 for an account that it does not know and for a repository that we may not see.
        const isUnknown =
          isNotFound(error) && (await accounts.findAccount(account.login, { signal })) === null;
        if (isUnknown) return 'none';
        throw error;
      }
    },
  };
}
