import type { CommentListing } from '../model.ts';
import type { CommentSource } from '../ports.ts';
import type { RequestBudget } from './request-budget.ts';

/** Whose requests are saved, and by which clock. */
export interface WithRequestBudgetOptions {
  readonly budget: RequestBudget;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: () => number;
}

/** A source that looks no more often than its credential can bear. */
export interface BudgetedCommentSource extends CommentSource {
  /** Leaves its part of the limits to the others. */
  readonly close: () => void;
}

/**
 * Stands for the source that it asks. Within an interval that grows with the thread's quiet it answers "unchanged"
 * without a request, as it does while the share of routine looks is used up. A fresh look (a doorbell's, or the last
 * of a run) and the first are made at once. It rejects with `rate-limited` where the platform takes no requests now.
 */
export function withRequestBudget(
  source: CommentSource,
  { budget, now = () => performance.now() }: WithRequestBudgetOptions,
): BudgetedCommentSource {
  const poller = budget.open();
  let changedAt = now();
  let last: { readonly beganAt: number; readonly cursor: string | null } | null = null;
  return {
    listComments: async (question) => {
      const { since, fresh = false, signal } = question;
      signal?.throwIfAborted();
      const beganAt = now();
      const isNeeded = fresh || last === null || since !== last.cursor;
      const isEarly = last !== null && beganAt - last.beganAt < poller.intervalMs(beganAt - changedAt);
      if (!isNeeded && isEarly) return quiet(since);
      if (!poller.admit({ isNeeded })) return quiet(since);
      const listing = await source.listComments(question);
      const isFirst = last === null;
      if (!isFirst && isNews(listing)) changedAt = now();
      last = { beganAt, cursor: listing.cursor };
      return listing;
    },
    close: poller.close,
  };
}

function isNews({ unchanged, comments }: CommentListing): boolean {
  return !unchanged && comments.length > 0;
}

function quiet(cursor: string | null): CommentListing {
  return { comments: [], complete: false, cursor, unchanged: true };
}
