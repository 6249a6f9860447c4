import { resolve } from 'node:path';
import type { LoadedConfig } from '../config/load-config.ts';
import type { DaemonLogger } from '../log/logger.ts';
import { openOutgoingGate } from '../open-outgoing-gate.ts';
import type { ConnectOptions } from './connect-options.ts';

/** Opens worktrees of repositories, on all platforms in one directory; the configured author wins over the account's own name. */
export function createWorkspaceOpener(
  loaded: LoadedConfig,
  { logger }: { readonly logger: DaemonLogger },
): ConnectOptions['openWorkspaces'] {
  const { author_name: name, author_email: email, base_dir: base } = loaded.config.workspaces;
  const directory = resolve(loaded.directory, base);
  let prepare: (() => Promise<string>) | undefined;
  return async (access) => {
    const { createDirectoryPreparer, createGitWorkspaces } = await import('@agent/workspace');
    prepare ??= createDirectoryPreparer(directory);
    return createGitWorkspaces({
      directory,
      prepare,
      token: () => access.token,
      localRepositories: access.localRepositories,
      gate: openOutgoingGate(loaded),
      username: access.username,
      authorName: name ?? access.authorName,
      authorEmail: email ?? access.authorEmail,
      logger,
      environment: loaded.environment,
    });
  };
}
