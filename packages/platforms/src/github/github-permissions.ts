import { isNotFound } from '../is-not-found.ts';
import type { AccessLevel, CallOptions, PermissionReader } from '../ports.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { permissionSchema, userSchema } from './github-schemas.ts';

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
        if (isNotFound(error) && !(await isKnown(context, { login: account.login, signal }))) return 'none';
        throw error;
      }
    },
  };
}

/** GitHub says 404 for an account that it does not know and for a repository that we may not see. */
async function isKnown(
  { client, repository }: GitHubThreadContext,
  { login, signal }: { readonly login: string } & CallOptions,
): Promise<boolean> {
  const call = {
    doing: `find the account ${login}`,
    repository,
    permission: 'metadata: read',
    route: 'GET /users/{username}',
    parameters: { username: login },
    signal,
  };
  try {
    await client.ask(call, userSchema);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
