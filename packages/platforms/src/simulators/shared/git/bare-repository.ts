import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/**
 * How a platform's side of git is set up: pushes over HTTP, fetching single commits and partial clones allowed, its own
 * refs shown but not to be pushed to, no house-keeping in the background.
 * @see https://git-scm.com/docs/git-config
 */
const configuration = (ownRefs: string) => `
[http]
	receivepack = true
[receive]
	hideRefs = ${ownRefs}
	autogc = false
	denyDeleteCurrent = refuse
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[gc]
	auto = 0
[maintenance]
	auto = false
[core]
	logAllRefUpdates = false
`;

export interface BareRepositoryOptions {
  /** Refs that the platform keeps for itself, such as `refs/pull`. */
  readonly ownRefs: string;
  /** A hook that decides about pushes: its name and its text. */
  readonly hook: { readonly name: 'update' | 'pre-receive'; readonly text: string };
}

/** Makes an empty bare repository whose first branch will be `main`. */
export async function createBareRepository(
  git: Git,
  directory: string,
  { ownRefs, hook }: BareRepositoryOptions,
): Promise<void> {
  const path = join(directory, 'hooks', hook.name);
  await mkdir(join(directory, 'hooks'), { recursive: true });
  await git.read(directory, ['init', '--quiet', '--bare', '--initial-branch=main', '--template=', directory]);
  await appendFile(join(directory, 'config'), configuration(ownRefs));
  await writeFile(path, hook.text);
  await chmod(path, 0o755);
}

/** Copies all branches of one repository into another, which is how a fork begins. */
export async function copyBranches(git: Git, directory: string, from: string): Promise<void> {
  await git.read(directory, ['fetch', '--quiet', from, '+refs/heads/*:refs/heads/*']);
}
