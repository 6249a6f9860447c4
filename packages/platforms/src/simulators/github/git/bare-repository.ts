import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/**
 * How GitHub's side of git is set up: pushes over HTTP, fetching single commits and partial clones allowed,
 * `refs/pull/*` shown but not to be pushed to, no house-keeping in the background.
 * @see https://git-scm.com/docs/git-config
 */
const configuration = `
[http]
	receivepack = true
[receive]
	hideRefs = refs/pull
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

/** What pushing to a protected branch is answered. @see https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches */
const updateHook = `#!/bin/sh
if [ -f "$GIT_DIR/protected-branches" ] && grep -qxF -- "$1" "$GIT_DIR/protected-branches"; then
  echo "error: GH006: Protected branch update failed for $1." >&2
  echo "error: Changes must be made through a pull request." >&2
  exit 1
fi
`;

/** Makes an empty bare repository whose first branch will be `main`. */
export async function createBareRepository(git: Git, directory: string): Promise<void> {
  const hooks = join(directory, 'hooks');
  await mkdir(hooks, { recursive: true });
  await git.read(directory, ['init', '--quiet', '--bare', '--initial-branch=main', '--template=', directory]);
  await appendFile(join(directory, 'config'), configuration);
  await writeFile(join(hooks, 'update'), updateHook);
  await chmod(join(hooks, 'update'), 0o755);
}

/** Copies all branches of one repository into another, which is how a fork begins. */
export async function copyBranches(git: Git, directory: string, from: string): Promise<void> {
  await git.read(directory, ['fetch', '--quiet', from, '+refs/heads/*:refs/heads/*']);
}

/** Tells the update hook which branches it must refuse. */
export async function writeProtectedBranches(directory: string, branches: Iterable<string>): Promise<void> {
  const lines = [...branches].map((branch) => `refs/heads/${branch}\n`);
  await writeFile(join(directory, 'protected-branches'), lines.join(''));
}
