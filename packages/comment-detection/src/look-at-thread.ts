import { findAbsentIds } from './apply-absence.ts';
import type { CommentLedger } from './comment-ledger.ts';
import type { Comment, CommentListing } from './model.ts';

/** Above this many comments a thread is not listed whole to find deletions. @see decision B14 */
const maxCompleteListing = 1000;

export interface LookOptions {
  readonly ledger: CommentLedger;
  readonly cursor: string | null;
  /** Whether to look for deletions, where the thread is short enough. */
  readonly deletions: boolean;
  /** Whether an earlier look showed what "unchanged" refers to. */
  readonly initialized: boolean;
  /** Asks the source once. */
  readonly list: (since: string | null) => Promise<CommentListing>;
}

/** What a look showed. */
export interface Look {
  readonly comments: readonly Comment[];
  /** Ids that two complete listings in a row did not show. */
  readonly absent: readonly string[];
  readonly complete: boolean;
  readonly cursor: string | null;
}

/**
 * One look at the thread. A comment counts as deleted only when two complete listings leave it out: a deletion
 * on an earlier page moves the others, and a listing made at that moment can miss one that is there.
 */
export async function lookAtThread(options: LookOptions): Promise<Look> {
  const { ledger, cursor, deletions, initialized, list } = options;
  const whole = deletions && ledger.entries.size <= maxCompleteListing;
  const since = whole ? null : cursor;
  const first = await list(since);
  if (first.unchanged && !initialized) {
    throw new Error('the source says "unchanged" to a first look; give every reader a source of its own');
  }
  const complete = first.complete || (first.unchanged && since === null);
  const look = { ...toLook(first), complete, cursor: first.cursor ?? cursor };
  if (!whole || !first.complete || first.comments.length > maxCompleteListing) return look;
  const absent = findAbsentIds(ledger, first.comments);
  if (absent.length === 0) return look;
  const second = await list(null);
  if (second.unchanged) return { ...look, absent };
  const comments = [...first.comments, ...second.comments];
  if (!second.complete) return { ...look, comments };
  const stillAbsent = new Set(findAbsentIds(ledger, second.comments));
  return {
    ...toLook(second),
    comments,
    absent: absent.filter((id) => stillAbsent.has(id)),
    cursor: second.cursor ?? look.cursor,
  };
}

function toLook({ comments, complete, cursor }: CommentListing): Look {
  return { comments, absent: [], complete, cursor };
}
