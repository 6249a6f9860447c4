import { untilAborted } from '../http/time-limit.ts';
import type { RepositoryListing } from '../model.ts';
import type { CallOptions, Platform, RepositoryChanges } from '../ports.ts';
import type { TaskKey } from '../task-key.ts';
import { toRepositoryName } from '../task-key.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import type { Poller, RequestBudget } from './request-budget.ts';

/** Pace of a feed. */
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
  /** Opens the mailbox for all that arrives for this thread from now on. Names are those of `toThreadName`. */
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
  const poller = budget?.open() ?? null;
  let last: Look | null = null;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  let refusedUntil = Number.NEGATIVE_INFINITY;
  let changedAt = now();

  const interval = () => intervalMs ?? poller?.intervalMs(now() - changedAt) ?? 10_000;
  const begin = (): Promise<void> => {
    queued = null;
    const outcome = listInto(mailboxes, { changes, poller }).then(
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
      fresh || (now() - last.beganAt >= interval() && (poller?.admit({ isNeeded: false }) ?? true));
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
    close: () => poller?.close(),
  };
}

async function listInto(
  mailboxes: ReadonlySet<Mailbox>,
  { changes, poller }: { readonly changes: RepositoryChanges; readonly poller: Poller | null },
): Promise<RepositoryListing> {
  poller?.admit({ isNeeded: true });
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

/** One feed a repository, for as long as somebody uses it. */
export interface RepositoryFeeds {
  /** The feed of this thread's repository, until it is released; null where the platform has none. */
  readonly use: (key: TaskKey) => { readonly feed: RepositoryFeed; readonly release: () => void } | null;
}

/** Begins the poll of a repository with the first thread that uses it, and ends it with the last. */
export function createRepositoryFeeds({
  openChanges,
  budget,
}: {
  /** `Platform.openChanges`. */
  readonly openChanges: Platform['openChanges'];
  readonly budget: RequestBudget;
}): RepositoryFeeds {
  const shared = new Map<string, { readonly feed: RepositoryFeed; users: number }>();
  return {
    use: (key) => {
      if (openChanges === undefined) return null;
      const name = toRepositoryName(key);
      const entry = shared.get(name) ?? {
        feed: createRepositoryFeed(openChanges(key), { budget }),
        users: 0,
      };
      entry.users += 1;
      shared.set(name, entry);
      return {
        feed: entry.feed,
        release: () => {
          entry.users -= 1;
          if (entry.users > 0) return;
          entry.feed.close();
          shared.delete(name);
        },
      };
    },
  };
}
