import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/**
 * How a platform's side of git is set up: pushes over HTTP, fetching single commits and partial clones allowed, its own
 * refs shown but not to be pushed to, no house-keeping in the background.
 * @see https://git-scm.com/docs/git-config
 */
const configuration = (ownRefs: string) => `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	logAllRefUpdates = false
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
`;

export interface BareRepositoryOptions {
  /** Refs that the platform keeps for itself, such as `refs/pull`. */
  readonly ownRefs: string;
  /** A hook that decides about pushes: its name and its text. */
  readonly hook: { readonly name: 'update' | 'pre-receive'; readonly text: string };
}

/** Files that git needs to see a repository; the others of its folders it makes when it needs them. */
const folders = ['hooks', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];

/**
 * Makes an empty bare repository whose first branch will be `main`, without a process: a simulator starts with them.
 * @see https://git-scm.com/docs/gitrepository-layout
 */
export async function createBareRepository(
  directory: string,
  { ownRefs, hook }: BareRepositoryOptions,
): Promise<void> {
  await Promise.all(folders.map((name) => mkdir(join(directory, name), { recursive: true })));
  await Promise.all([
    writeFile(join(directory, 'HEAD'), 'ref: refs/heads/main\n'),
    writeFile(join(directory, 'config'), configuration(ownRefs)),
    writeFile(join(directory, 'hooks', hook.name), hook.text, { mode: 0o755 }),
  ]);
}

/** Copies all branches of one repository into another, which is how a fork begins. */
export async function copyBranches(git: Git, directory: string, from: string): Promise<void> {
  await git.read(directory, ['fetch', '--quiet', from, '+refs/heads/*:refs/heads/*']);
}
