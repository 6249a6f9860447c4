import { untilAborted } from '../http/until-aborted.ts';
import type { RepositoryListing } from '../model.ts';
import type { CallOptions, RepositoryChanges } from '../ports.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import type { Looker, RequestBudget } from './request-budget.ts';

/** How a feed is paced. */
export interface RepositoryFeedOptions {
  /**
   * Milliseconds within which all threads share one look. Default: what the budget says, else 10,000.
   */
  readonly intervalMs?: number;
  /** Whose requests the looks are; then the interval grows with the repository's quiet and with what is used up. */
  readonly budget?: RequestBudget;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: () => number;
}

/** One poll of a repository, shared by all its threads. */
export interface RepositoryFeed {
  /** What arrives for this thread from now on. Names are those of `toThreadName`. */
  readonly open: (thread: string) => Mailbox;
  readonly leave: (mailbox: Mailbox) => void;
  /**
   * Resolves when the mailboxes hold what a look has shown: the look under way, or one of this interval, or a new one;
   * with `fresh` one whose request begins after this call. Rejects when that look failed, for everybody who relies on it.
   */
  readonly look: (options?: { readonly fresh?: boolean | undefined } & CallOptions) => Promise<void>;
  /** Leaves its part of the budget to the others. */
  readonly close: () => void;
}

interface Look {
  readonly beganAt: number;
  readonly outcome: Promise<void>;
}

/** Makes as few looks as the interval allows, however many threads ask. */
export function createRepositoryFeed(
  changes: RepositoryChanges,
  { intervalMs, budget, now = () => performance.now() }: RepositoryFeedOptions = {},
): RepositoryFeed {
  const mailboxes = new Set<Mailbox>();
  const looker = budget?.open() ?? null;
  let last: Look | null = null;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  let refusedUntil = Number.NEGATIVE_INFINITY;
  let changedAt = now();

  const interval = () => intervalMs ?? looker?.intervalMs(now() - changedAt) ?? 10_000;
  const begin = (): Promise<void> => {
    queued = null;
    const outcome = listInto(mailboxes, { changes, looker }).then(
      ({ unchanged }) => {
        running = null;
        if (!unchanged) changedAt = now();
      },
      (error: unknown) => {
        running = null;
        refusedUntil = now() + toRetryAfterMs(error);
        throw error;
      },
    );
    // Those who ask later within the interval hear of it.
    outcome.catch(() => undefined);
    running = outcome;
    last = { beganAt: now(), outcome };
    return outcome;
  };
  const choose = (fresh: boolean): Promise<void> => {
    if (running !== null) {
      if (!fresh) return running;
      queued ??= running.catch(() => undefined).then(begin);
      return queued;
    }
    if (last === null) return begin();
    const isDue =
      fresh || (now() - last.beganAt >= interval() && (looker?.admit({ isNeeded: false }) ?? true));
    return isDue && now() >= refusedUntil ? begin() : last.outcome;
  };
  return {
    open: (thread) => {
      const mailbox = createMailbox(thread);
      mailboxes.add(mailbox);
      return mailbox;
    },
    leave: (mailbox) => void mailboxes.delete(mailbox),
    look: async ({ fresh = false, signal } = {}) => {
      signal?.throwIfAborted();
      await untilAborted(choose(fresh), signal);
    },
    close: () => looker?.close(),
  };
}

async function listInto(
  mailboxes: ReadonlySet<Mailbox>,
  { changes, looker }: { readonly changes: RepositoryChanges; readonly looker: Looker | null },
): Promise<RepositoryListing> {
  looker?.admit({ isNeeded: true });
  const listing = await changes.listChanges();
  if (listing.unchanged) return listing;
  const { since } = listing;
  const byThread = Map.groupBy(listing.changes, ({ thread }) => thread);
  for (const mailbox of mailboxes) mailbox.receive({ changes: byThread.get(mailbox.thread) ?? [], since });
  return listing;
}

/** A refusal by a rate limit holds for every look, a fresh one too. */
function toRetryAfterMs(error: unknown): number {
  const { retryAfterMs } = (error ?? {}) as { readonly retryAfterMs?: unknown };
  return typeof retryAfterMs === 'number' ? retryAfterMs : Number.NEGATIVE_INFINITY;
}
