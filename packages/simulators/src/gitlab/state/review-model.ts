import type { User } from './account.ts';

/** Commits that a version of a merge request compares. @see https://docs.gitlab.com/api/merge_requests/#get-merge-request-diff-versions */
export interface DiffRefs {
  /** Commit at which the source branch parted from its target: what the old side shows. */
  readonly base: string;
  /** Tip of the target branch when the version was made. */
  readonly start: string;
  readonly head: string;
}

/** A line of a diff as both sides count it. */
export interface DiffPoint {
  /** Null for an added line. */
  readonly oldLine: number | null;
  /** Null for a removed line. */
  readonly newLine: number | null;
  /** GitLab's name for it: the digest of the file's path, and where both sides stand. */
  readonly code: string;
}

/** A place in the diff of a merge request at one of its versions. */
export interface DiffPosition {
  readonly refs: DiffRefs;
  readonly oldPath: string;
  readonly newPath: string;
  readonly line: DiffPoint;
  /** First of several lines; null for a single one. */
  readonly first: DiffPoint | null;
}

/** @see https://docs.gitlab.com/api/merge_requests/#get-single-merge-request-reviewers */
export type ReviewerState = 'unreviewed' | 'reviewed' | 'requested_changes' | 'approved' | 'unapproved';

/** Reviews of a merge request. */
export interface ReviewBook {
  /** In the order in which they were asked. */
  readonly reviewers: Map<User, { readonly since: string; state: ReviewerState }>;
  /** Time of each approval. */
  readonly approvals: Map<User, string>;
}
