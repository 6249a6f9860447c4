import { commitMerge, mergeTrees } from '../../shared/git/merging.ts';
import { whyCiWaits } from '../ci/read-ci.ts';
import { isDraft } from '../state/draft.ts';
import type { MergePart, Thread, User } from '../state/model.ts';
import { refuse } from '../state/refusal.ts';
import type { World } from '../world.ts';
import { commitIdentity } from './commit-identity.ts';
import { markMerged } from './sync-merge-requests.ts';

/**
 * Merges with a merge commit; returns its id.
 * @throws {Refusal} 405 for a draft, one that is not open or waits for its pipeline, 422 for a conflict
 * @see https://docs.gitlab.com/api/merge_requests/#merge-a-merge-request
 */
export function mergeMergeRequest(
  world: World,
  merging: { readonly thread: Thread; readonly merge: MergePart; readonly by: User },
): string {
  const { thread, merge, by } = merging;
  const directory = thread.project.gitDirectory;
  const isWaiting = isDraft(thread.title) || whyCiWaits(thread, merge, world.state.now()) !== null;
  if (thread.state !== 'opened' || isWaiting || !merge.headSha || !merge.baseSha) {
    throw refuse(405, '405 Method Not Allowed');
  }
  const base = world.git.readSync(directory, ['rev-parse', `refs/heads/${merge.targetBranch}`]);
  const tree = mergeTrees(world.git, directory, [base, merge.headSha]);
  if (!tree) throw refuse(422, 'Branch cannot be merged');
  const { sourceBranch, targetBranch } = merge;
  const sha = commitMerge(world.git, directory, {
    base,
    head: merge.headSha,
    tree,
    branch: targetBranch,
    message: `Merge branch '${sourceBranch}' into '${targetBranch}'\n\n${thread.title}\n\nSee merge request ${thread.project.path}!${thread.iid}`,
    author: commitIdentity(by),
    time: Math.floor(world.state.now() / 1000),
  });
  markMerged(world, merging, sha);
  return sha;
}
