import type { ExpandedMergeRequestSchema, MergeRequestSchema } from '@gitbeaker/core';
import type { MergeFacts } from '../merge-requests/merge-facts.ts';
import { isDraft } from '../state/draft.ts';
import type { MergePart, Thread } from '../state/model.ts';
import { referenceOf } from '../state/threads.ts';
import type { Vendor } from '../vendor.ts';
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
    readonly head_pipeline: null;
    readonly pipeline: null;
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
    reviewers: [],
    draft,
    work_in_progress: draft,
    merge_when_pipeline_succeeds: false,
    merge_status: merge.headSha && merge.baseSha ? 'can_be_merged' : 'cannot_be_merged',
    detailed_merge_status: statusOf({ thread, merge }),
    sha: merge.headSha,
    merge_commit_sha: merge.mergeCommitSha,
    squash_commit_sha: null,
    should_remove_source_branch: null,
    force_remove_source_branch: merge.forceRemoveSourceBranch,
    reference: referenceOf(thread),
    squash: false,
    prepared_at: thread.createdAt,
    has_conflicts: !merge.headSha || !merge.baseSha,
    blocking_discussions_resolved: true,
  };
}

/** A single merge request, with what git knows of it. */
export function showWholeMergeRequest(
  place: Place,
  shown: Shown,
  facts: MergeFacts & { readonly canMerge: boolean },
): ShownSingle {
  const { hasConflicts, range, changedFiles } = facts;
  const [base, head] = range ?? [];
  return {
    ...showMergeRequest(place, shown),
    has_conflicts: hasConflicts,
    merge_status: hasConflicts ? 'cannot_be_merged' : 'can_be_merged',
    changes_count: String(changedFiles),
    diff_refs:
      base && head ? { base_sha: base, head_sha: head, start_sha: shown.merge.baseSha ?? base } : null,
    merge_error: null,
    user: { can_merge: facts.canMerge },
    subscribed: false,
    head_pipeline: null,
    pipeline: null,
  };
}

interface Shown {
  readonly thread: Thread;
  readonly merge: MergePart;
}

function statusOf({ thread, merge }: Shown): MergeRequestSchema['detailed_merge_status'] {
  if (thread.state !== 'opened') return 'not_open';
  if (!merge.headSha || !merge.baseSha) return 'broken_status';
  return isDraft(thread.title) ? 'draft_status' : 'mergeable';
}
