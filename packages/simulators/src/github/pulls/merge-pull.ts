import { commitMerge, mergeTrees } from '../../shared/git/merging.ts';
import { missingCheck } from '../checks/required-checks.ts';
import type { Pull, Thread, User } from '../state/model.ts';
import { Refusal } from '../state/refusal.ts';
import { fullName } from '../state/repositories.ts';
import type { World } from '../state/world.ts';
import { commitIdentity } from './commit-identity.ts';
import { markMerged } from './sync-pulls.ts';

/**
 * Merges a pull request with a merge commit; returns its id.
 * @throws {Refusal} 405 for a draft, a conflict, a required check that is not green, or one that is not open
 * @see https://docs.github.com/rest/pulls/pulls#merge-a-pull-request
 */
export function mergePull(
  world: World,
  merging: { readonly thread: Thread; readonly pull: Pull; readonly by: User },
): string {
  const { thread, pull, by } = merging;
  const directory = thread.repository.gitDirectory;
  if (pull.draft) throw notMergeable('Pull Request is still a draft');
  if (thread.state !== 'open') throw notMergeable('Pull Request is not mergeable');
  const missing = missingCheck(thread.repository, pull, world.state.now());
  if (missing) throw notMergeable(missing);
  const base = world.git.readSync(directory, ['rev-parse', `refs/heads/${pull.baseBranch}`]);
  const tree = mergeTrees(world.git, directory, [base, pull.headSha]);
  if (!tree) throw notMergeable('Pull Request is not mergeable');
  const sha = commitMerge(world.git, directory, {
    base,
    head: pull.headSha,
    tree,
    branch: pull.baseBranch,
    message: `Merge pull request #${thread.number} from ${fullName(thread.repository)}/${pull.headBranch}\n\n${thread.title}`,
    author: commitIdentity(by),
    time: Math.floor(world.state.now() / 1000),
  });
  markMerged(world, merging, sha);
  return sha;
}

function notMergeable(message: string): Refusal {
  return new Refusal({ status: 405, message });
}
