import { commitToBranch, type FilesCommit } from '../../shared/git/commit-to-branch.ts';
import type { Repository, User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { commitIdentity } from './commit-identity.ts';
import { syncAfterPush } from './sync-pulls.ts';

export interface FilesPush extends Omit<FilesCommit, 'author' | 'now'> {
  readonly author: User;
}

/** Commits files to a branch as somebody's push, and brings pull requests up to date; returns the commit's id. */
export async function pushFiles(
  world: World,
  repository: Repository,
  { author, ...push }: FilesPush,
): Promise<string> {
  const { git, state } = world;
  const commit = { ...push, author: commitIdentity(author), now: state.now() };
  const sha = await commitToBranch(git, repository.gitDirectory, commit);
  await syncAfterPush(world, repository, author);
  return sha;
}
