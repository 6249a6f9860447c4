import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../machine/directories.ts';
import { WorkspaceError } from '../workspace-error.ts';
import type { Environment, GitPlace } from './git-environment.ts';
import { createPlainContext, type GitCommand, type GitContext, git } from './git-repository.ts';
import type { GitResult } from './run-git.ts';
import { maxOpenPgpDirectory, type SigningKey, withSigningKey } from './signing-key.ts';

/**
 * Runs a git command that makes commits of ours, which are signed where there is a key.
 *
 * @throws WorkspaceError `signing-failed` where they cannot be: none is made without a signature then
 */
export async function gitSigning(
  context: GitContext,
  place: GitPlace,
  { args: [name = '', ...args], ...command }: GitCommand,
): Promise<GitResult> {
  const { signingKey: key = null } = context;
  if (key === null) return git(context, place, { args: [name, ...args], ...command });
  return withSigningKey(key, context, (signature) =>
    git({ ...context, signature }, place, { ...command, args: [name, '-S', ...args] }),
  );
}

/** Surroundings of a key that is tried. */
export interface CheckSigningOptions {
  /** Directory of the workspaces; nothing is written there. */
  readonly directory: string;
  readonly environment: Environment;
}

/**
 * Signs a commit of nothing with the key, as runs do, so that a key that does not work is known before the first task.
 *
 * @throws WorkspaceError `signing-failed`, `git-missing`
 */
export async function checkSigning(
  key: SigningKey,
  { directory, environment }: CheckSigningOptions,
): Promise<void> {
  if (key.format === 'openpgp' && directory.length > maxOpenPgpDirectory) {
    const message = `Commits cannot be signed with openpgp: the path of workspaces.base_dir is longer than ${maxOpenPgpDirectory} characters, which is too long for the socket of gpg.`;
    throw new WorkspaceError(message, { code: 'signing-failed' });
  }
  const trial = await mkdtemp(join(tmpdir(), 'agent-git-'));
  try {
    const path = join(trial, 'signed.git');
    const place = { commonDirectory: path, gitDirectory: path, workTree: null, branch: null };
    const plain = createPlainContext({ directory: trial, environment });
    const context = { ...plain, identity: { name: 'Check', email: 'check@localhost' }, signingKey: key };
    const doing = 'Trying the signing key';
    const { stdout } = await git(context, place, { args: ['mktree'], doing });
    await gitSigning(context, place, { args: ['commit-tree', stdout.trim()], input: 'Check\n', doing });
  } finally {
    await removeTree(trial);
  }
}
