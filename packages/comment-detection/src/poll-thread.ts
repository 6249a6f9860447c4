import type { CommentLedger } from './comment-ledger.ts';
import { findAbsentIds } from './comment-ledger.ts';
import type { Comment, CommentListing } from './model.ts';

/** Above this many comments a thread is not listed whole to find deletions. @see decision B14 */
const maxCompleteListing = 1000;

export interface PollOptions {
  readonly ledger: CommentLedger;
  readonly cursor: string | null;
  /** Tells whether to look for deletions, where the thread is short enough. */
  readonly deletions: boolean;
  /** Tells whether an earlier look showed what "unchanged" refers to. */
  readonly initialized: boolean;
  /** Of the last look. */
  readonly missing: readonly string[];
  /** Asks the source once. */
  readonly list: (since: string | null) => Promise<CommentListing>;
}

/** Result of a look. */
export interface PollResult {
  readonly comments: readonly Comment[];
  /** Ids that two complete listings in a row did not show. */
  readonly absent: readonly string[];
  /** Ids that the last complete listing did not show, while no second one has said so. */
  readonly missing: readonly string[];
  /** Why the second listing could not be made; what the first showed stands. */
  readonly failure: { readonly error: unknown } | null;
  readonly complete: boolean;
  readonly cursor: string | null;
}

/**
 * One look at the thread. A comment counts as deleted only when two complete listings leave it out: a deletion
 * on an earlier page moves the others, and a listing made at that moment can miss one that is there.
 */
export async function pollThread(options: PollOptions): Promise<PollResult> {
  const { ledger, cursor, deletions, initialized, list } = options;
  const whole = deletions && ledger.entries.size <= maxCompleteListing;
  const since = whole ? null : cursor;
  const first = await list(since);
  if (first.unchanged && !initialized) {
    throw new Error('the source says "unchanged" to a first poll; give every reader a source of its own');
  }
  const complete = first.complete || (first.unchanged && since === null);
  const missing = withoutListed(options.missing, first);
  const poll = { ...toPollResult(first), complete, cursor: first.cursor ?? cursor, missing };
  if (first.unchanged) return whole ? { ...poll, absent: missing, missing: [] } : poll;
  if (!first.complete) return whole ? { ...poll, missing: [] } : poll;
  // A source that shows the whole thread unasked was told of a deletion.
  if (since === null && first.comments.length > maxCompleteListing) return { ...poll, missing: [] };
  return pollTwice({ ...poll, missing: findAbsentIds(ledger, first.comments) }, options);
}

/** What the first listing showed is kept when the second fails: a source may call it "unchanged" the next time. */
async function pollTwice(poll: PollResult, { ledger, list }: PollOptions): Promise<PollResult> {
  if (poll.missing.length === 0) return poll;
  const settled = { ...poll, missing: [] };
  let second: CommentListing;
  try {
    second = await list(null);
  } catch (error) {
    return { ...poll, failure: { error } };
  }
  if (second.unchanged) return { ...settled, absent: poll.missing };
  const comments = [...poll.comments, ...second.comments];
  if (!second.complete) return { ...settled, comments };
  const stillAbsent = new Set(findAbsentIds(ledger, second.comments));
  return {
    ...settled,
    comments,
    absent: poll.missing.filter((id) => stillAbsent.has(id)),
    cursor: second.cursor ?? poll.cursor,
  };
}

function withoutListed(ids: readonly string[], { comments }: CommentListing): readonly string[] {
  if (ids.length === 0) return ids;
  const listed = new Set(comments.map(({ id }) => id));
  return ids.filter((id) => !listed.has(id));
}

function toPollResult({ comments, complete, cursor }: CommentListing): PollResult {
  return { comments, absent: [], missing: [], failure: null, complete, cursor };
}
