import { updateRef } from '../../shared/git/refs.ts';
import { answerHead } from '../ci/answer-head.ts';
import { takeId, timestamp } from '../state/create-state.ts';
import type { Project, Thread, User } from '../state/model.ts';
import { refuse } from '../state/refusal.ts';
import { openThread, referenceOf } from '../state/threads.ts';
import type { World } from '../world.ts';
import { readBranches } from './branches.ts';
import { readRefs } from './merge-facts.ts';
import { fetchHead } from './sync-merge-requests.ts';

export interface NewMergeRequest {
  readonly author: User;
  readonly title: string;
  readonly description: string | null;
  readonly source: { readonly project: Project; readonly branch: string };
  readonly target: { readonly project: Project; readonly branch: string };
  readonly removeSourceBranch: boolean;
}

/**
 * Opens a merge request as the API does. A branch that does not exist is no reason to refuse: the merge request has no
 * commits then and cannot be merged.
 * @throws {Refusal} 409 when one is open from this source branch to this target; 422 for the same branch, no fork
 * @see https://docs.gitlab.com/api/merge_requests/#create-mr
 */
export async function createMergeRequest(world: World, opening: NewMergeRequest): Promise<Thread> {
  const { state, git } = world;
  const { source, target } = opening;
  checkProjects(opening);
  const headSha = (await readBranches(world, source.project)).get(source.branch) ?? null;
  const baseSha = (await readBranches(world, target.project)).get(target.branch) ?? null;
  if (headSha && source.project !== target.project) await fetchHead(git, target.project, source);
  const refs = headSha && baseSha ? await readRefs(git, target.project, [baseSha, headSha]) : null;
  // Nothing may be awaited between this look and opening: two requests at once must not both find none.
  checkNoneOpen(target.project, {
    sourceProject: source.project,
    sourceBranch: source.branch,
    targetBranch: target.branch,
  });
  const thread = openThread(state, target.project, {
    author: opening.author,
    title: opening.title,
    description: opening.description,
    merge: {
      sourceProject: source.project,
      sourceProjectId: source.project.id,
      sourceBranch: source.branch,
      targetBranch: target.branch,
      headSha,
      baseSha,
      versions: refs ? [{ id: takeId(state), refs, createdAt: timestamp(state) }] : [],
      reviews: { reviewers: new Map(), approvals: new Map() },
      mergedAt: null,
      mergedBy: null,
      mergeCommitSha: null,
      forceRemoveSourceBranch: opening.removeSourceBranch,
      autoMerge: false,
    },
  });
  if (headSha) {
    const name = `refs/merge-requests/${thread.iid}/head`;
    await updateRef(git, target.project.gitDirectory, { name, sha: headSha });
    answerHead(world, thread, opening.author);
  }
  return thread;
}

/** Refuses a second open merge request between the same branches. @throws {Refusal} 409 */
export function checkNoneOpen(
  project: Project,
  branches: {
    readonly sourceProject: Project | null;
    readonly sourceBranch: string;
    readonly targetBranch: string;
    readonly except?: Thread;
  },
): void {
  for (const other of project.mergeRequests.values()) {
    const { state, merge } = other;
    if (state !== 'opened' || !merge || other === branches.except) continue;
    if (merge.sourceBranch !== branches.sourceBranch || merge.targetBranch !== branches.targetBranch)
      continue;
    if (merge.sourceProject !== branches.sourceProject) continue;
    throw refuse(409, [
      `Another open merge request already exists for this source branch: ${referenceOf(other)}`,
    ]);
  }
}

function checkProjects({ source, target }: NewMergeRequest): void {
  if (source.project === target.project && source.branch === target.branch) {
    throw refuse(422, ["You can't use same project/branch for source and target"]);
  }
  if (!target.project.mergeRequestsEnabled) throw refuse(422, ['Target project has disabled merge requests']);
  if (source.project !== target.project && source.project.forkedFrom !== target.project) {
    throw refuse(422, ['Source project is not a fork of the target project']);
  }
}
