import { resolve } from 'node:path';
import type { GitWorkspaces } from '@agent/workspace';
import { openOutgoingGate } from '../open-outgoing-gate.ts';
import type { ConnectOptions } from './connect-options.ts';

export interface ForgeAccess {
  /** Null to work without logging in. */
  readonly token: string | null;
  /** The user name that goes with the token in git's login. */
  readonly username?: string | undefined;
  /** Whether repositories may be directories of this machine. Default false. */
  readonly localRepositories?: boolean | undefined;
  readonly authorName: string;
  readonly authorEmail: string;
}

/** Worktrees of a platform's repositories; the configured author wins over the account's own name. */
export async function createWorkspaces(
  { loaded, logger, prepareWorkspaces }: ConnectOptions,
  access: ForgeAccess,
): Promise<GitWorkspaces> {
  const { createGitWorkspaces } = await import('@agent/workspace');
  const { author_name: name, author_email: email, base_dir: base } = loaded.config.workspaces;
  return createGitWorkspaces({
    directory: resolve(loaded.directory, base),
    prepare: prepareWorkspaces,
    token: () => access.token,
    localRepositories: access.localRepositories,
    gate: openOutgoingGate(loaded),
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
