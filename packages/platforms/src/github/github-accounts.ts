import { type RememberedIdentity, rememberIdentity } from '../http/connection-memory.ts';
import type { Account } from '../model.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { AccessLevel, AccountFinder, CallOptions, PermissionReader } from '../ports.ts';
import { permissionSchema, toAccount, userSchema } from './github-answers.ts';
import type { GitHubClient } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';
import type { GitHubSettings } from './github-options.ts';

/**
 * Asks once who the token is. The credential of an App says it; where neither can, the account with the configured name is it.
 *
 * @see https://docs.github.com/en/rest/users/users#get-the-authenticated-user
 */
export function createGitHubIdentity(
  client: GitHubClient,
  settings: Pick<GitHubSettings, 'botName' | 'credential'>,
): RememberedIdentity<GitHubClient> {
  return rememberIdentity(client, async (asker, { signal }) => {
    const login = await settings.credential.login({ signal });
    if (login !== null) return askForAccount(asker, { login, signal });
    return askForIdentity(asker, { botName: settings.botName, signal });
  });
}

async function askForIdentity(
  client: GitHubClient,
  { botName, signal }: { readonly botName: string | null } & CallOptions,
): Promise<Account> {
  const call = { doing: 'ask whose token this is', repository: null, signal };
  const permission = 'permission to read its own account; for an installation token, set botName';
  try {
    const { data } = await client.ask({ ...call, permission, route: 'GET /user' }, userSchema);
    return toAccount(data);
  } catch (error) {
    if (!PlatformError.isInstance(error) || error.code !== 'forbidden' || botName === null) throw error;
  }
  return askForAccount(client, { login: botName, signal });
}

async function askForAccount(
  client: GitHubClient,
  { login, signal }: { readonly login: string } & CallOptions,
): Promise<Account> {
  const call = { doing: `find our account ${login}`, repository: null, permission: 'metadata: read', signal };
  const parameters = { username: login };
  return toAccount(
    (await client.ask({ ...call, route: 'GET /users/{username}', parameters }, userSchema)).data,
  );
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
