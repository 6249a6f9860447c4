import { countCommits, findMergeBase } from '../../shared/git/commits.ts';
import { type FileChange, listChanges, type Range } from '../../shared/git/diff.ts';
import { mergeTrees } from '../../shared/git/merging.ts';
import type { Pull, Repository } from '../state/model.ts';
import type { PullFacts } from '../views/pull-view.ts';
import type { World } from './create-pull.ts';

/** From where to where a pull request changes things: the commit at which its histories parted, and its head. */
export async function rangeOf({ git }: World, repository: Repository, pull: Pull): Promise<Range> {
  const mergeBase = await findMergeBase(git, repository.gitDirectory, [pull.baseSha, pull.headSha]);
  return [mergeBase ?? pull.baseSha, pull.headSha];
}

/** What changes in a pull request, file by file. */
export async function changesOf(
  world: World,
  repository: Repository,
  pull: Pull,
): Promise<readonly FileChange[]> {
  return listChanges(world.git, repository.gitDirectory, await rangeOf(world, repository, pull));
}

/** What git knows of a pull request. */
export async function factsOf(world: World, repository: Repository, pull: Pull): Promise<PullFacts> {
  const range = await rangeOf(world, repository, pull);
  const changes = await listChanges(world.git, repository.gitDirectory, range);
  const { ahead } = await countCommits(world.git, repository.gitDirectory, range);
  return {
    mergeable: mergeTrees(world.git, repository.gitDirectory, [pull.baseSha, pull.headSha]) !== null,
    commits: ahead,
    additions: changes.reduce((sum, change) => sum + change.additions, 0),
    deletions: changes.reduce((sum, change) => sum + change.deletions, 0),
    changedFiles: changes.length,
  };
}
