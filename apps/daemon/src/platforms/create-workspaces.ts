import { resolve } from 'node:path';
import type { GitWorkspaces } from '../workspace/index.ts';
import type { ConnectOptions } from './connect-options.ts';

export interface ForgeAccess {
  readonly token: string;
  /** The user name that goes with the token in git's login. */
  readonly username: string;
  readonly authorName: string;
  readonly authorEmail: string;
}

/** Worktrees of repositories on a forge; the configured author wins over the account's own name. */
export async function createWorkspaces(
  { loaded, logger }: ConnectOptions,
  access: ForgeAccess,
): Promise<GitWorkspaces> {
  const { createGitWorkspaces } = await import('../workspace/index.ts');
  const { author_name: name, author_email: email, base_dir: base } = loaded.config.workspaces;
  return createGitWorkspaces({
    directory: resolve(loaded.directory, base),
    token: () => access.token,
    username: access.username,
    authorName: name ?? access.authorName,
    authorEmail: email ?? access.authorEmail,
    logger,
    environment: loaded.environment,
  });
}

/** A host without its port, for addresses. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}
