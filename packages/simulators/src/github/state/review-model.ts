import type { Side } from '../../shared/git/diff-lines.ts';
import type { Reaction, User } from './account.ts';

export type ReviewState = 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED';

/** A review of a pull request. Each comment on a line belongs to one; a single comment makes one without a text. */
export interface Review {
  readonly id: number;
  readonly author: User;
  body: string;
  /** Commit that was looked at. */
  commit: string;
  state: ReviewState;
  /** Null while it is pending. */
  submittedAt: string | null;
}

/** A place in the diff of a pull request at one commit. */
export interface Anchor {
  readonly commit: string;
  /** Commit at which the head parted from its base: what the left side shows. */
  readonly base: string;
  /** Null for a comment on a whole file. */
  readonly line: number | null;
  /** First of several lines; null for a single one. */
  readonly startLine: number | null;
  /** Lines below the first hunk's header; null for a comment on a whole file. */
  readonly position: number | null;
}

/** Comments on one place of a diff. */
export interface ReviewThread {
  readonly id: number;
  readonly path: string;
  readonly side: Side;
  readonly startSide: Side | null;
  readonly original: Anchor;
  readonly diffHunk: string;
  /** Oldest first, never empty. */
  readonly comments: ReviewComment[];
  /** Its place in the present diff; null once the lines are not in it any more. */
  current: Anchor | null;
  /** Last commit that had the lines. */
  commit: string;
  resolvedBy: User | null;
}

/** A comment on a line, or an answer to one. */
export interface ReviewComment {
  readonly id: number;
  readonly author: User;
  readonly review: Review;
  /** Id of the first comment of its thread; null for that one. */
  readonly inReplyTo: number | null;
  readonly createdAt: string;
  readonly reactions: Map<number, Reaction>;
  body: string;
  updatedAt: string;
}
