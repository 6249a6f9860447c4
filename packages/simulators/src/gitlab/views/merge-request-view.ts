import type { ExpandedMergeRequestSchema, MergeRequestSchema } from '@gitbeaker/core';
import { headPipelineOf, whyCiWaits } from '../ci/read-ci.ts';
import type { MergeFacts } from '../merge-requests/merge-facts.ts';
import { areDiscussionsResolved } from '../state/discussions.ts';
import { isDraft } from '../state/draft.ts';
import type { MergePart, Thread } from '../state/model.ts';
import { referenceOf } from '../state/threads.ts';
import type { Vendor } from '../vendor.ts';
import { showPipeline } from './pipeline-view.ts';
import { showThread } from './thread-view.ts';
import { type Place, showUser } from './user-view.ts';

type ShownMergeRequest = Vendor<
  MergeRequestSchema,
  ReturnType<typeof showThread> & {
    readonly sha: string | null;
    readonly source_project_id: number | null;
    readonly merged_by: ReturnType<typeof showUser> | null;
    readonly merge_user: ReturnType<typeof showUser> | null;
    readonly squash_commit_sha: null;
    readonly reviewers: ReturnType<typeof showUser>[];
    readonly detailed_merge_status: MergeStatus;
  },
  'approvals_before_merge'
>;

type ShownSingle = ShownMergeRequest &
  Pick<ExpandedMergeRequestSchema, 'changes_count' | 'merge_error' | 'user'> & {
    readonly diff_refs: {
      readonly base_sha: string;
      readonly head_sha: string;
      readonly start_sha: string;
    } | null;
    readonly subscribed: boolean;
    readonly head_pipeline: ReturnType<typeof showPipeline> | null;
    readonly pipeline: ReturnType<typeof showPipeline> | null;
  };

/** A merge request as lists show it. @see https://docs.gitlab.com/api/merge_requests/ */
export function showMergeRequest(place: Place, { thread, merge }: Shown): ShownMergeRequest {
  const mergedBy = merge.mergedBy && showUser(place, merge.mergedBy);
  const draft = isDraft(thread.title);
  return {
    ...showThread(place, thread),
    merged_by: mergedBy,
    merge_user: mergedBy,
    merged_at: merge.mergedAt,
    target_branch: merge.targetBranch,
    source_branch: merge.sourceBranch,
    source_project_id: merge.sourceProject?.id ?? null,
    target_project_id: thread.project.id,
    reviewers: [...merge.reviews.reviewers.keys()].map((user) => showUser(place, user)),
    draft,
    work_in_progress: draft,
    merge_when_pipeline_succeeds: merge.autoMerge,
    merge_status: merge.headSha && merge.baseSha ? 'can_be_merged' : 'cannot_be_merged',
    detailed_merge_status: statusOf(place, { thread, merge }),
    sha: merge.headSha,
    merge_commit_sha: merge.mergeCommitSha,
    squash_commit_sha: null,
    should_remove_source_branch: null,
    force_remove_source_branch: merge.forceRemoveSourceBranch,
    reference: referenceOf(thread),
    squash: false,
    prepared_at: thread.createdAt,
    has_conflicts: !merge.headSha || !merge.baseSha,
    blocking_discussions_resolved: areDiscussionsResolved(thread),
  };
}

/** A single merge request, with what git knows of it. */
export function showWholeMergeRequest(
  place: Place,
  shown: Shown,
  facts: MergeFacts & { readonly canMerge: boolean },
): ShownSingle {
  const { hasConflicts, range, changedFiles } = facts;
  const refs = range && shown.merge.versions.at(-1)?.refs;
  const pipeline = headPipelineOf(shown.merge, shown.thread);
  const head = pipeline && showPipeline(place, shown.merge.sourceProject ?? shown.thread.project, pipeline);
  return {
    ...showMergeRequest(place, shown),
    has_conflicts: hasConflicts,
    merge_status: hasConflicts ? 'cannot_be_merged' : 'can_be_merged',
    changes_count: String(changedFiles),
    diff_refs: refs ? { base_sha: refs.base, head_sha: refs.head, start_sha: refs.start } : null,
    merge_error: null,
    user: { can_merge: facts.canMerge },
    subscribed: false,
    head_pipeline: head,
    pipeline: head,
  };
}

type MergeStatus = MergeRequestSchema['detailed_merge_status'] | 'requested_changes';

interface Shown {
  readonly thread: Thread;
  readonly merge: MergePart;
}

/** @see https://docs.gitlab.com/api/merge_requests/#merge-status */
function statusOf({ state }: Place, { thread, merge }: Shown): MergeStatus {
  if (thread.state !== 'opened') return 'not_open';
  if (!merge.headSha || !merge.baseSha) return 'broken_status';
  if (isDraft(thread.title)) return 'draft_status';
  const waiting = whyCiWaits(thread, merge, state.now());
  if (waiting) return waiting;
  const wanted = [...merge.reviews.reviewers.values()].some((one) => one.state === 'requested_changes');
  return wanted && state.tier === 'premium' ? 'requested_changes' : 'mergeable';
}
