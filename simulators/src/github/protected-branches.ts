import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Git's hook that answers pushing to a protected branch.
 * @see https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches
 */
export const updateHook = `#!/bin/sh
if [ -f "$GIT_DIR/protected-branches" ] && grep -qxF -- "$1" "$GIT_DIR/protected-branches"; then
  echo "error: GH006: Protected branch update failed for $1." >&2
  echo "error: Changes must be made through a pull request." >&2
  exit 1
fi
`;

/** Tells the hook which branches it must refuse. */
export async function writeProtectedBranches(directory: string, branches: Iterable<string>): Promise<void> {
  const lines = [...branches].map((branch) => `refs/heads/${branch}\n`);
  await writeFile(join(directory, 'protected-branches'), lines.join(''));
}
