import { countCommits } from '../../shared/git/commits.ts';
import type { Git } from '../../shared/git/git.ts';
import { isAncestor, updateRef } from '../../shared/git/refs.ts';
import { answerHead } from '../ci/answer-head.ts';
import { followPositions } from '../reviews/follow-positions.ts';
import { takeId, timestamp } from '../state/create-state.ts';
import { changeState } from '../state/edit-thread.ts';
import type { MergePart, Project, Thread, User } from '../state/model.ts';
import { addSystemNote } from '../state/notes.ts';
import type { World } from '../world.ts';
import { readBranches } from './branches.ts';
import { readRefs } from './merge-facts.ts';

/**
 * Brings the open merge requests of a project, and of what it was forked from, up to date with its branches, as GitLab
 * does after a push: a new head is shown and told of in a system note, one whose commits the target has by now is merged.
 * A merge request whose source branch was deleted stays open.
 */
export async function syncAfterPush(world: World, project: Project, by: User): Promise<void> {
  project.lastActivityAt = timestamp(world.state);
  await syncProject(world, project, by);
  if (project.forkedFrom) await syncProject(world, project.forkedFrom, by);
}

/** Brings a fork's commits into the project that its merge request is for. */
export async function fetchHead(
  git: Git,
  target: Project,
  source: { readonly project: Project; readonly branch: string },
): Promise<void> {
  const reference = `refs/heads/${source.branch}`;
  const args = ['fetch', '--quiet', '--no-write-fetch-head', source.project.gitDirectory, reference];
  await git.read(target.gitDirectory, args);
}

/** Records that a merge request's commits are in its target branch. */
export function markMerged(
  world: World,
  merging: { readonly thread: Thread; readonly merge: MergePart; readonly by: User },
  commit: string | null,
): void {
  const { thread, merge, by } = merging;
  changeState(world.state, thread, { to: 'merged', by });
  merge.mergedAt = thread.updatedAt;
  merge.mergedBy = by;
  merge.mergeCommitSha = commit;
}

async function syncProject(world: World, project: Project, by: User): Promise<void> {
  const branches = await readBranches(world, project);
  for (const thread of project.mergeRequests.values()) {
    const { merge } = thread;
    if (!merge?.sourceProject || thread.state !== 'opened') continue;
    const isFork = merge.sourceProject !== project;
    const heads = isFork ? await readBranches(world, merge.sourceProject) : branches;
    const tips = { head: heads.get(merge.sourceBranch), base: branches.get(merge.targetBranch) };
    await syncOne(world, { thread, merge, by }, tips);
  }
}

interface Open {
  readonly thread: Thread;
  readonly merge: MergePart;
  readonly by: User;
}

async function syncOne(
  world: World,
  open: Open,
  tips: { readonly head: string | undefined; readonly base: string | undefined },
): Promise<void> {
  const { thread, merge } = open;
  const { head, base } = tips;
  if (head && head !== merge.headSha) await moveHead(world, open, { head, start: base ?? merge.baseSha });
  const hasMoved = base !== undefined && base !== merge.baseSha;
  const directory = thread.project.gitDirectory;
  if (hasMoved && merge.headSha && (await isAncestor(world.git, directory, [merge.headSha, base]))) {
    markMerged(world, open, null);
  } else if (base) merge.baseSha = base;
}

/** Makes the version that a merge request proposes from now on; threads on lines follow it. */
export async function addVersion(
  world: World,
  { thread, merge, by }: Open,
  { head, start }: { readonly head: string; readonly start: string },
): Promise<void> {
  const { git, state } = world;
  const refs = await readRefs(git, thread.project, [start, head]);
  // Nothing may be awaited in between: whoever sees the new head must see its version, too.
  const before = merge.versions.at(-1)?.refs;
  merge.headSha = head;
  merge.versions.push({ id: takeId(state), refs, createdAt: timestamp(state) });
  if (before) await followPositions(world, thread, { from: before, to: refs, by });
}

async function moveHead(
  world: World,
  { thread, merge, by }: Open,
  { head, start }: { readonly head: string; readonly start: string | null },
): Promise<void> {
  const { git, state } = world;
  const { project } = thread;
  if (merge.sourceProject && merge.sourceProject !== project) {
    await fetchHead(git, project, { project: merge.sourceProject, branch: merge.sourceBranch });
  }
  const before = merge.headSha ?? merge.baseSha;
  const { ahead } = before ? await countCommits(git, project.gitDirectory, [before, head]) : { ahead: 1 };
  await updateRef(git, project.gitDirectory, { name: `refs/merge-requests/${thread.iid}/head`, sha: head });
  if (start) await addVersion(world, { thread, merge, by }, { head, start });
  else merge.headSha = head;
  thread.updatedAt = timestamp(state);
  // A push cancels auto-merge. @see https://docs.gitlab.com/user/project/merge_requests/auto_merge/
  merge.autoMerge = false;
  if (ahead > 0)
    addSystemNote(state, thread, { author: by, body: `added ${ahead} commit${ahead === 1 ? '' : 's'}` });
  answerHead(world, thread, by);
}
