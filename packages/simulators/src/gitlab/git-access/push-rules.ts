import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessLevels, levelOf, mayPush } from '../state/access.ts';
import type { Project, State, User } from '../state/model.ts';

/** Git's hook that decides about pushes. Refuses what the file for this user names: a branch, `force {branch}`, `delete {branch}`, or `empty` for everything. */
export const pushHook = `#!/bin/sh
rules="$GIT_DIR/push-rules/$REMOTE_USER"
zero=0000000000000000000000000000000000000000
deny() { echo "GitLab: $1" >&2; exit 1; }
listed() { [ -f "$rules" ] && grep -qxF -- "$1" "$rules"; }
while read -r old new ref; do
  listed empty && deny 'A default branch (e.g. main) does not yet exist for this project
Ask a project Owner or Maintainer to create a default branch.'
  if [ "$new" = "$zero" ]; then
    listed "default $ref" && deny 'The default branch of a project cannot be deleted.'
    listed "protected $ref" && deny 'You can only delete protected branches using the web interface.'
    continue
  fi
  listed "$ref" && deny 'You are not allowed to push code to protected branches on this project.'
  if [ "$old" != "$zero" ] && listed "protected $ref" && ! git merge-base --is-ancestor "$old" "$new"; then
    deny 'You are not allowed to force push code to a protected branch on this project.'
  fi
done
`;

/**
 * Tells the hook what this user may not push.
 * @see https://docs.gitlab.com/user/project/repository/branches/protected/
 */
export async function writePushRules(
  state: State,
  project: Project,
  push: { readonly user: User; readonly isEmpty: boolean },
): Promise<void> {
  const { user, isEmpty } = push;
  const denied = [...project.protectedBranches.keys()].filter(
    (branch) => !mayPush(state, project, { user, branch }),
  );
  const lines = [
    ...denied.map((branch) => `refs/heads/${branch}`),
    ...[...project.protectedBranches.keys()].map((branch) => `protected refs/heads/${branch}`),
    `default refs/heads/${project.defaultBranch}`,
    ...(isEmpty && levelOf(state, project, user) < accessLevels.maintainer ? ['empty'] : []),
  ];
  const folder = join(project.gitDirectory, 'push-rules');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, user.username), `${lines.join('\n')}\n`);
}
