import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCloneAddress } from './clone-address.ts';
import { createPlainContext, git } from './git-repository.ts';

export interface AskRemoteOptions {
  readonly cloneUrl: string;
  readonly username: string;
  readonly token: string;
  /** The environment that PATH, proxies and certificate stores are taken from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the server for its branches as a run does: by git, with its login, certificates and proxies. Leaves nothing behind.
 *
 * @throws WorkspaceError that says what failed and what to do
 */
export async function askRemote(options: AskRemoteOptions): Promise<void> {
  const { cloneUrl, username, token, environment, timeoutMs, signal } = options;
  const directory = await mkdtemp(join(tmpdir(), 'agent-git-'));
  try {
    const plain = createPlainContext({ directory, environment });
    const path = join(directory, 'asked.git');
    await git(
      { ...plain, username, token: () => token, timeoutMs },
      { commonDirectory: path, gitDirectory: path, workTree: null, branch: null },
      {
        args: ['ls-remote', '--quiet', '--heads', cloneUrl],
        doing: `Asking ${cloneUrl} by git`,
        fallback: 'clone-failed',
        remote: parseCloneAddress(cloneUrl, plain),
        signal,
      },
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
