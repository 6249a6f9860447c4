import { editThread, type ThreadEdit } from '../state/edit-thread.ts';
import type { MergePart, Thread, User } from '../state/model.ts';
import { addSystemNote } from '../state/notes.ts';
import { refuse } from '../state/refusal.ts';
import type { World } from '../world.ts';
import { readBranches } from './branches.ts';
import { checkNoneOpen } from './create-merge-request.ts';
import { syncAfterPush } from './sync-merge-requests.ts';

/**
 * Edits, closes, reopens or retargets a merge request. One that was merged stays so: its `state_event` does nothing.
 * @throws {Refusal} 400 for a target branch that does not exist; 409 when another one is open between the branches
 * @see https://docs.gitlab.com/api/merge_requests/#update-mr
 */
export async function updateMergeRequest(
  world: World,
  { thread, merge }: { readonly thread: Thread; readonly merge: MergePart },
  change: ThreadEdit & { readonly by: User; readonly targetBranch?: string | undefined },
): Promise<void> {
  const { targetBranch = merge.targetBranch, ...edit } = change;
  const branches = await readBranches(world, thread.project);
  const isRetargeted = targetBranch !== merge.targetBranch;
  if (isRetargeted && !branches.has(targetBranch)) {
    throw refuse(400, { target_branch: [`"${targetBranch}" does not exist`] });
  }
  const isOpening = edit.state === 'opened' && thread.state === 'closed';
  if (isOpening || isRetargeted) {
    const { sourceProject, sourceBranch } = merge;
    checkNoneOpen(thread.project, { sourceProject, sourceBranch, targetBranch, except: thread });
  }
  if (isRetargeted) {
    const body = `changed target branch from \`${merge.targetBranch}\` to \`${targetBranch}\``;
    merge.targetBranch = targetBranch;
    merge.baseSha = branches.get(targetBranch) ?? null;
    addSystemNote(world.state, thread, { author: edit.by, body });
  }
  editThread(world.state, thread, edit);
  if (isOpening) await syncAfterPush(world, thread.project, edit.by);
}
