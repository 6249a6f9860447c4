import type { TokenPermissions, TokenScope } from '../state/account.ts';
import type { App, AppPermissions, Installation } from '../state/app-model.ts';
import { takeId, timestamp } from '../state/create-state.ts';
import type { Repository, State, Token, User } from '../state/model.ts';
import { forbidden, unprocessable } from '../state/refusal.ts';
import { secretOf } from './register-app.ts';

/** Length of an installation token's life. @see https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-an-installation-access-token-for-a-github-app */
const tokenMs = 60 * 60_000;
const scopes: readonly TokenScope[] = [
  'issues',
  'pull_requests',
  'contents',
  'checks',
  'statuses',
  'actions',
  'workflows',
];

/** Installs an app on an account. @throws when it is there already */
export function installApp(
  state: State,
  wanted: {
    readonly app: App;
    readonly account: User;
    /** Null for all. */
    readonly repositories: readonly Repository[] | null;
    /** Default: what the app asks for. */
    readonly permissions?: AppPermissions | undefined;
  },
): Installation {
  const { app, account, repositories, permissions = app.permissions } = wanted;
  if ([...state.installations.values()].some((one) => one.app === app && one.account === account))
    throw new Error(`"${app.slug}" is installed on ${account.login} already.`);
  const created = timestamp(state);
  const installation: Installation = {
    id: takeId(state),
    app,
    account,
    createdAt: created,
    permissions: { ...permissions, metadata: 'read' },
    repositoryIds: repositories && new Set(repositories.map(({ id }) => id)),
    suspendedAt: null,
    suspendedBy: null,
    updatedAt: created,
  };
  state.installations.set(installation.id, installation);
  admitBot(state, installation);
  return installation;
}

/** Changes for which repositories it is installed; null for all. */
export function chooseRepositories(
  state: State,
  installation: Installation,
  repositories: readonly Repository[] | null,
): void {
  installation.repositoryIds = repositories && new Set(repositories.map(({ id }) => id));
  installation.updatedAt = timestamp(state);
  admitBot(state, installation);
}

/** Removes it, with all its tokens. */
export function uninstall(state: State, installation: Installation): void {
  state.installations.delete(installation.id);
  for (const token of state.tokens.values())
    if (token.installation === installation) state.tokens.delete(token.secret);
  for (const repository of state.repositories.values()) repository.bots.delete(installation.app.bot);
}

/** Suspends it, or ends that (`by: null`). */
export function suspend(
  state: State,
  installation: Installation,
  { by }: { readonly by: User | null },
): void {
  installation.suspendedAt = by && timestamp(state);
  installation.suspendedBy = by;
}

/** Repositories that it is installed for. */
export function listInstalled(state: State, { account, repositoryIds }: Installation): readonly Repository[] {
  return [...state.repositories.values()].filter(
    ({ id, owner }) => owner === account && (!repositoryIds || repositoryIds.has(id)),
  );
}

/**
 * Makes a token that ends after an hour.
 * @throws {Refusal} 403 while it is suspended; 422 for a repository or a permission that it does not have
 * @see https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app
 */
export function createInstallationToken(
  state: State,
  installation: Installation,
  wanted: {
    readonly repositories: readonly (Repository | undefined)[] | null;
    readonly permissions: AppPermissions | null;
  },
): { readonly token: Token; readonly permissions: AppPermissions } {
  if (installation.suspendedAt) throw forbidden('This installation has been suspended');
  const installed = listInstalled(state, installation);
  const chosen = wanted.repositories?.map((repository) => {
    if (repository && installed.includes(repository)) return repository.id;
    throw unprocessable(
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  });
  for (const [name, level] of Object.entries(wanted.permissions ?? {})) {
    const granted = installation.permissions[name];
    if (granted === undefined || rank(granted) < rank(level))
      throw unprocessable('The permissions requested are not granted to this installation.');
  }
  const permissions = { ...(wanted.permissions ?? installation.permissions), metadata: 'read' } as const;
  const token: Token = {
    secret: `ghs_${secretOf(state, 'token', 36)}`,
    user: installation.app.bot,
    kind: 'installation',
    permissions: toTokenPermissions(permissions),
    // A repository that comes to the installation later is not in a token that was made before.
    repositoryIds: new Set(chosen ?? installed.map(({ id }) => id)),
    expiresAt: state.now() + tokenMs,
    installation,
  };
  state.tokens.set(token.secret, token);
  return { token, permissions };
}

function admitBot(state: State, installation: Installation): void {
  const installed = new Set(listInstalled(state, installation));
  for (const repository of state.repositories.values()) {
    if (installed.has(repository)) repository.bots.add(installation.app.bot);
    else if (repository.owner === installation.account) repository.bots.delete(installation.app.bot);
  }
}

function toTokenPermissions(permissions: AppPermissions): TokenPermissions {
  const levels = scopes.map((scope) => {
    const level = permissions[scope];
    return [scope, level === 'admin' ? 'write' : (level ?? 'none')] as const;
  });
  return Object.fromEntries(levels) as TokenPermissions;
}

function rank(level: string): number {
  return ['read', 'write', 'admin'].indexOf(level);
}
