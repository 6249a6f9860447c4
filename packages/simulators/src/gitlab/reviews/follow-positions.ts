import type { Thread, User } from '../state/model.ts';
import { addSystemNote } from '../state/notes.ts';
import type { DiffRefs } from '../state/review-model.ts';
import type { World } from '../world.ts';
import { isSame, tracePosition } from './place-position.ts';

/**
 * Brings the threads on lines of a merge request from one version to the next: lines that moved are followed; where they were changed, the
 * thread is outdated for good, keeps its place in the old version, and a note of GitLab's own in it says so.
 */
export async function followPositions(
  { git, state }: World,
  thread: Thread,
  { from, to, by }: { readonly from: DiffRefs; readonly to: DiffRefs; readonly by: User },
): Promise<void> {
  const { project, merge } = thread;
  for (const discussion of thread.discussions.values()) {
    const { position } = discussion;
    if (!position || !isSame(position.refs, from)) continue;
    const moved = await tracePosition({ git, project }, position, to);
    if (moved) {
      discussion.position = moved;
      continue;
    }
    const body = `changed this line in version ${merge?.versions.length} of the diff`;
    addSystemNote(state, thread, { author: by, body, discussion });
  }
}
